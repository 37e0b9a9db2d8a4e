"""Crawl stores in PostgreSQL, loaded when one is asked for.

Most crawls keep theirs in a file, and psycopg takes a fifth of the time that a crawl needs to start.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opilio.crawl.engine.channel import Channel
    from opilio.crawl.engine.worker_store import WorkerStore
    from opilio.crawl.frontier.postgres import PostgresStore


def shared_stores() -> "type[PostgresStore]":
    """The stores themselves."""
    from opilio.crawl.frontier.postgres import PostgresStore  # noqa: PLC0415 - on first use

    return PostgresStore


def readable(url: str) -> bool:
    """Whether a database can be looked for there; a sign in the password may break the address, and would be shown."""
    from psycopg import Error  # noqa: PLC0415 - on first use
    from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415 - on first use

    try:
        parts = conninfo_to_dict(url)
    except Error:
        return False
    return "@" not in str(parts.get("host", "")) and str(parts.get("port", 5432)).isdigit()


def store_of_worker(url: str, name: str, channel: "Channel") -> "WorkerStore":
    """A store of a worker's own, with the parent's brake."""
    from opilio.works.worker_postgres import WorkerPostgres  # noqa: PLC0415 - on first use

    return WorkerPostgres.for_worker(url, name, channel)
