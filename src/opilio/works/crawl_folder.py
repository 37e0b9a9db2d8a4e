"""Where a crawl of the command line keeps its things: one folder with plan, store, captures, logs and report."""

import contextlib
import json
import secrets
from dataclasses import dataclass
from pathlib import Path

from opilio.crawl.errors import AnotherPlan, CorruptCrawlStore, CrawlStoreExists, NoCrawlStore
from opilio.crawl.frontier.sql_store import SqlStore
from opilio.crawl.frontier.sqlite import SqliteStore
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.plan_json import from_json, to_json
from opilio.kernel.errors import Conflict, InvalidInput
from opilio.kernel.files import ensure_folder, mapped, write_atomically
from opilio.works.shared_stores import readable, shared_stores

_POSTGRES = ("postgresql://", "postgres://")


@dataclass(frozen=True, kw_only=True, slots=True)
class StoreAddress:
    """Where a crawl store lies outside its folder."""

    url: str = ""  # postgresql://…; empty: an SQLite file in the folder
    name: str = ""  # of the crawl in that database

    def __post_init__(self) -> None:
        if self.url and not self.url.startswith(_POSTGRES):
            remedy = "Give postgresql://user@host/database, or leave it out for a file in the folder."
            raise InvalidInput("the address of the crawl store names no PostgreSQL database", remedy=remedy)
        if self.url and not readable(self.url):
            remedy = "Give postgresql://user:password@host:port/database; in a password write %40 for @, %2F for /."
            raise InvalidInput("the address of the crawl store cannot be read", remedy=remedy)


@dataclass(frozen=True, slots=True)
class CrawlFolder:
    """The folder of one crawl."""

    path: Path

    @property
    def store(self) -> Path:
        """The crawl store, where it is a file."""
        return self.path / "crawl.db"

    @property
    def plan(self) -> Path:
        """The plan as JSON, for people; the store holds it too."""
        return self.path / "plan.json"

    @property
    def warcs(self) -> Path:
        """The captures."""
        return self.path / "warcs"

    @property
    def log(self) -> Path:
        """One line per URL."""
        return self.path / "logs" / "crawl.log"

    @property
    def report(self) -> Path:
        """What the crawl came to."""
        return self.path / "report.json"

    @property
    def report_page(self) -> Path:
        """The same for people, as one HTML page."""
        return self.path / "report.html"

    @property
    def index(self) -> Path:
        """The captures by URL and time."""
        return self.path / "index.cdxj"

    @property
    def lock(self) -> Path:
        """Held while somebody crawls into it."""
        return self.path / "lock"

    @property
    def name_file(self) -> Path:
        """The name of the crawl in its database, where the store is no file."""
        return self.path / "store.json"

    def begin(self, plan: CrawlPlan, address: StoreAddress) -> SqlStore:
        """Make the folder and an empty store; `Conflict` when something is there already."""
        self.refuse_contents(plan)
        for folder in (self.path, self.warcs, self.log.parent):
            ensure_folder(folder)
        write_atomically(self.plan, to_json(plan).encode())
        if not address.url:
            return SqliteStore.create(self.store, plan)
        name = self.new_store_name(address)
        self.name_store(name)
        return shared_stores().create(address.url, name, plan)

    def open(self, address: StoreAddress, *, read_only: bool = False) -> SqlStore:
        """The store of a crawl that was begun."""
        if self.store.is_file():
            return SqliteStore.open(self.store, read_only=read_only)
        if not self.name_file.is_file():
            if self.warcs.is_dir():
                remedy = f"Make it again from the WARC files: opilio crawl rebuild {self.path}."
                raise NoCrawlStore("the crawl store of this folder is gone", where=str(self.store), remedy=remedy)
            remedy = "Give the folder that `opilio crawl … --into` was told."
            raise NoCrawlStore("no crawl was begun in this folder", where=str(self.path), remedy=remedy)
        if not address.url:
            remedy = "Name it with --store."
            raise NoCrawlStore("the crawl store lies in a PostgreSQL database", where=str(self.path), remedy=remedy)
        return shared_stores().open(address.url, self.store_name())

    def new_store_name(self, address: StoreAddress) -> str:
        """What a new crawl will be called in its database."""
        return address.name or self.path.resolve().name

    def name_store(self, name: str) -> None:
        """Keep the name of the crawl in its database, and a mark by which workers of this folder are known there."""
        write_atomically(self.name_file, json.dumps({"name": name, "mark": secrets.token_hex(4)}).encode())

    def store_name(self) -> str:
        """The name of the crawl in its database."""
        return str(self._named("name"))

    def adopt(self, address: StoreAddress) -> None:
        """Take part, from this machine, in a crawl whose store another one made; what is here of it stays."""
        for folder in (self.path, self.warcs, self.log.parent):
            ensure_folder(folder)
        with contextlib.closing(shared_stores().open(address.url, address.name)) as store:
            write_atomically(self.plan, to_json(store.plan).encode())
        self.name_store(address.name)

    def mark(self) -> str:
        """What the names of this folder's workers begin with."""
        return str(self._named("mark")) if self.name_file.is_file() else "worker"

    def _named(self, field: str) -> object:
        with mapped(self.name_file):
            text = self.name_file.read_text("utf-8", "replace")
        try:
            return json.loads(text)[field]
        except (ValueError, KeyError, TypeError, RecursionError):
            remedy = f"Make the store again from the WARC files: opilio crawl rebuild {self.path}."
            raise CorruptCrawlStore(
                "the name of the crawl cannot be read", where=str(self.name_file), remedy=remedy
            ) from None

    def refuse_contents(self, plan: CrawlPlan) -> None:
        """`Conflict` unless a crawl may begin in this folder."""
        if self.path.exists() and not self.path.is_dir():
            raise Conflict(
                "there is a file where the crawl's folder should be", where=str(self.path), remedy="Name another."
            )
        if self.plan.is_file():
            if from_json(self.plan.read_text()) == plan:
                remedy = f"Go on with it: opilio crawl resume {self.path}."
                raise CrawlStoreExists("this crawl was begun already", where=str(self.path), remedy=remedy)
            remedy = "Crawl into another folder, or resume the crawl that is there."
            raise AnotherPlan("the folder holds the crawl of another plan", where=str(self.path), remedy=remedy)
        if self.path.is_dir() and any(self.path.iterdir()):
            raise Conflict(
                "the folder is not empty", where=str(self.path), remedy="Crawl into an empty or a new folder."
            )
