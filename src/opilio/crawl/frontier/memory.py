"""A crawl store in memory: for tests, and for crawls whose state nobody wants to keep.

It runs on SQLite without a file, so that it behaves like the others by construction.
"""

from opilio.crawl.frontier.sql_schema import sqlite_schema
from opilio.crawl.frontier.sql_store import SqlStore, found_store
from opilio.crawl.frontier.sqlite_database import SqliteDatabase
from opilio.crawl.plan import CrawlPlan


class MemoryStore(SqlStore):
    """A store that goes with the process."""

    def __init__(self, plan: CrawlPlan) -> None:
        db = SqliteDatabase(None)
        db.script(sqlite_schema())
        db.write(lambda: found_store(db, plan))
        super().__init__(db, where="memory")
