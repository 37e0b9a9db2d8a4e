"""A crawl store in one SQLite file: the default. One process writes to it; others may read."""

from pathlib import Path

from opilio.crawl.errors import CorruptCrawlStore, CrawlStoreExists, NoCrawlStore, NotACrawlStore
from opilio.crawl.frontier.database import Both
from opilio.crawl.frontier.migrations import CURRENT, Schema, missing_steps
from opilio.crawl.frontier.sql_schema import APPLICATION_ID, sqlite_schema
from opilio.crawl.frontier.sql_store import SqlStore, found_store
from opilio.crawl.frontier.sqlite_database import REBUILD, SqliteDatabase
from opilio.crawl.plan import CrawlPlan
from opilio.kernel.files import sync_folder


class SqliteStore(SqlStore):
    """A store in a file; made by `create` and `open`."""

    def __init__(self, db: SqliteDatabase, plan: CrawlPlan | None = None) -> None:
        super().__init__(db, where=db.where, plan=plan)
        self._file = db

    @classmethod
    def create(cls, path: Path, plan: CrawlPlan) -> "SqliteStore":
        """Make a store for a plan, with its seeds in the queue; whole after a crash, or not there."""
        if path.exists():
            remedy = "Resume that crawl, or crawl into another folder."
            raise CrawlStoreExists("there is a crawl store already", where=str(path), remedy=remedy)
        unfinished = path.with_name(f"{path.name}.new")
        _remove(unfinished)
        _fill(unfinished, plan)
        unfinished.rename(path)
        sync_folder(path.parent)
        return cls.open(path, plan)

    @classmethod
    def open(
        cls, path: Path, plan: CrawlPlan | None = None, *, read_only: bool = False, schema: Schema = CURRENT
    ) -> "SqliteStore":
        """Open a store; with a plan, only if it was made for that plan. Older versions are brought up to date."""
        if not path.is_file():
            remedy = "Check the folder, or begin the crawl."
            raise NoCrawlStore("there is no crawl store", where=str(path), remedy=remedy)
        db = SqliteDatabase(path, read_only=read_only)
        try:
            if steps := _missing_steps(db, schema):
                _bring_up_to_date(path, steps, schema)
            return cls(db, plan)
        except BaseException:
            db.close()
            raise

    def check(self) -> None:
        found = [str(row[0]) for row in self._file.pragma("integrity_check(10)")]
        if found != ["ok"]:
            raise CorruptCrawlStore(f"the crawl store is damaged: {found[0]}", where=self._where, remedy=REBUILD)
        super().check()

    def seal(self, *, compact: bool = True) -> None:
        super().seal(compact=compact)
        if compact:
            self._file.script(["VACUUM"])


def _fill(path: Path, plan: CrawlPlan) -> None:
    db = SqliteDatabase(path)
    try:
        db.script([f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {CURRENT.version}"])
        db.script(sqlite_schema())
        db.write(lambda: found_store(db, plan))
    finally:
        db.close()  # folds the log back into the file


def _missing_steps(db: SqliteDatabase, schema: Schema) -> tuple[Both, ...]:
    """What an older store lacks; refuses files that are none."""
    ((application,),) = db.pragma("application_id")
    if application != APPLICATION_ID:
        remedy = f"Give the crawl.db of a crawl. {REBUILD}"
        raise NotACrawlStore("the file is a database, but no crawl store", where=db.where, remedy=remedy)
    ((version,),) = db.pragma("user_version")
    return missing_steps(version, schema, db.where)


def _bring_up_to_date(path: Path, steps: tuple[Both, ...], schema: Schema) -> None:
    """Through a connection of its own, so that readers who may not write find what they ask for."""
    db = SqliteDatabase(path)

    def migrate() -> None:
        for step in steps:
            db.execute(step)
        db.execute(f"PRAGMA user_version = {schema.version}")

    try:
        db.write(migrate)
    finally:
        db.close()


def _remove(path: Path) -> None:
    """What a creation left behind that was interrupted."""
    for end in ("", "-wal", "-shm"):
        path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
