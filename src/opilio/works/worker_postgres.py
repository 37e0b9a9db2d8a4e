"""The connection of one worker process to a crawl store in PostgreSQL."""

from opilio.crawl.engine.channel import Channel
from opilio.crawl.frontier.control import Control
from opilio.crawl.frontier.postgres import PostgresStore


class WorkerPostgres(PostgresStore):
    """A store of the worker's own, with the parent's brake."""

    channel: Channel

    @classmethod
    def for_worker(cls, url: str, name: str, channel: Channel) -> "WorkerPostgres":
        """Open the store of a crawl."""
        store = cls.open(url, name)
        assert isinstance(store, cls)  # noqa: S101 - `open` makes its own class
        store.channel = channel
        return store

    def control(self) -> Control:
        asked: Control = self.channel.call("control")
        return asked
