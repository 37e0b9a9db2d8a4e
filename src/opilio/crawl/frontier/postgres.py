"""Crawl stores in a PostgreSQL database: several crawls in one database, several machines on one crawl."""

import re

from opilio.crawl.errors import CrawlStoreExists, CrawlStoreUnavailable, NoCrawlStore
from opilio.crawl.frontier.migrations import CURRENT, Schema, missing_steps
from opilio.crawl.frontier.postgres_database import OPENING, PATIENCE, PostgresDatabase
from opilio.crawl.frontier.sql_schema import NAMESPACE, postgres_crawl, postgres_drop, postgres_schema
from opilio.crawl.frontier.sql_store import SqlStore, found_store
from opilio.crawl.plan import CrawlPlan
from opilio.kernel.errors import InvalidInput

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,199}")
_LOCK = 0x4F704372  # of the advisory lock under which tables are made
_CRAWL = f"SELECT id FROM {NAMESPACE}.crawl WHERE name = ?"  # noqa: S608 - ours


class PostgresStore(SqlStore):
    """A store in a database; made by `create` and `open`. `name` is the crawl's, such as the harvest's id."""

    @classmethod
    def create(cls, url: str, name: str, plan: CrawlPlan, *, patience: float = PATIENCE) -> "PostgresStore":
        """Make a store for a plan, with its seeds in the queue; whole, or not there."""
        _check_name(name)
        everything = PostgresDatabase(url, patience=min(patience, OPENING))
        try:
            everything.write(lambda: _bring_up_to_date(everything, CURRENT))
            everything.write(lambda: _make(everything, name, plan))
        finally:
            everything.close()
        return cls.open(url, name, plan, patience=patience)

    @classmethod
    def check_new(cls, url: str, name: str) -> None:
        """Connect once, without patience: `CrawlStoreUnavailable`, or a refusal of the name; nothing is made."""
        _check_name(name)
        everything = PostgresDatabase(url, patience=0.0)
        try:
            if everything.read(lambda: _there(everything) and everything.rows(_CRAWL, (name,))):
                raise _exists(everything, name)
        except CrawlStoreUnavailable as error:
            remedy = "Check that the server runs and that the address is right, then try again."
            raise CrawlStoreUnavailable(error.what, where=error.where, remedy=remedy) from error
        finally:
            everything.close()

    @classmethod
    def exists(cls, url: str, name: str) -> bool:
        """Whether a crawl of that name was begun."""
        everything = PostgresDatabase(url, patience=OPENING)
        try:
            return bool(everything.read(lambda: _there(everything) and everything.rows(_CRAWL, (name,))))
        finally:
            everything.close()

    @classmethod
    def open(
        cls,
        url: str,
        name: str,
        plan: CrawlPlan | None = None,
        *,
        patience: float = PATIENCE,
        schema: Schema = CURRENT,
    ) -> "PostgresStore":
        """Open a store; with a plan, only if it was made for that plan. Older versions are brought up to date."""
        everything = PostgresDatabase(url, patience=min(patience, OPENING))
        try:
            number = everything.write(lambda: _find(everything, name, schema))
        finally:
            everything.close()
        db = PostgresDatabase(url, number, patience=patience)
        try:
            return cls(db, where=f"crawl {name} in {db.where}", plan=plan)
        except BaseException:
            db.close()
            raise

    @classmethod
    def remove(cls, url: str, name: str) -> None:
        """Take a crawl's tables away; nothing happens if there are none."""
        db = PostgresDatabase(url, patience=OPENING)
        try:
            db.write(lambda: _remove(db, name))
        finally:
            db.close()


def _bring_up_to_date(db: PostgresDatabase, schema: Schema) -> None:
    """Make the tables of all crawls, or migrate them; one process at a time."""
    db.rows("SELECT pg_advisory_xact_lock(?)", (_LOCK,))
    if not _there(db):
        db.script(postgres_schema())
        db.execute(f"INSERT INTO {NAMESPACE}.version VALUES (?)", (schema.version,))  # noqa: S608 - ours
        return
    ((version,),) = db.rows(f"SELECT version FROM {NAMESPACE}.version")  # noqa: S608 - ours
    for step in missing_steps(version, schema, db.where):
        db.execute(step)
    db.execute(f"UPDATE {NAMESPACE}.version SET version = ? WHERE version < ?", (schema.version, schema.version))  # noqa: S608 - ours


def _find(db: PostgresDatabase, name: str, schema: Schema) -> int:
    if not _there(db):
        raise _missing(db, name)
    _bring_up_to_date(db, schema)
    for (number,) in db.rows(_CRAWL, (name,)):
        return int(number)
    raise _missing(db, name)


def _make(db: PostgresDatabase, name: str, plan: CrawlPlan) -> None:
    db.rows("SELECT pg_advisory_xact_lock(?)", (_LOCK,))
    if db.rows(_CRAWL, (name,)):
        raise _exists(db, name)
    ((number,),) = db.rows(f"INSERT INTO {NAMESPACE}.crawl (name) VALUES (?) RETURNING id", (name,))  # noqa: S608 - ours
    db.script(postgres_crawl(number))
    found_store(db.named(number), plan)


def _remove(db: PostgresDatabase, name: str) -> None:
    db.rows("SELECT pg_advisory_xact_lock(?)", (_LOCK,))
    for (number,) in db.rows(_CRAWL, (name,)) if _there(db) else ():
        db.script(postgres_drop(number))
        db.execute(f"DELETE FROM {NAMESPACE}.crawl WHERE id = ?", (number,))  # noqa: S608 - ours


def _there(db: PostgresDatabase) -> bool:
    ((found,),) = db.rows("SELECT to_regclass(?)::text", (f"{NAMESPACE}.version",))
    return found is not None


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        remedy = "Name the folder with at most 200 letters, digits and . _ : - signs."
        raise InvalidInput(f"{name[:80]!r} cannot be the name of a crawl", remedy=remedy)


def _exists(db: PostgresDatabase, name: str) -> CrawlStoreExists:
    remedy = "Resume that crawl, or choose another name."
    return CrawlStoreExists(f"there is a crawl named {name}", where=db.where, remedy=remedy)


def _missing(db: PostgresDatabase, name: str) -> NoCrawlStore:
    remedy = "Check the name and the database, or begin the crawl."
    return NoCrawlStore(f"there is no crawl named {name[:80]}", where=db.where, remedy=remedy)
