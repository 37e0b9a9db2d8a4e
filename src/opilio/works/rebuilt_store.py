"""Where a crawl store is made again: aside, and put into its place once it is whole."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from opilio.crawl.frontier.sql_store import SqlStore
from opilio.crawl.frontier.sqlite import SqliteStore
from opilio.crawl.plan import CrawlPlan
from opilio.kernel.errors import OpilioError
from opilio.kernel.files import mapped, sync_folder
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.shared_stores import shared_stores

_ENDS = ("", "-wal", "-shm")
_AGAIN = re.compile(r"(.*)-rebuilt-(\d{1,6})")


@dataclass(frozen=True, kw_only=True, slots=True)
class NewStore:
    """A store in the making."""

    where: str  # once it is installed
    create: Callable[[CrawlPlan], SqlStore]
    discard: Callable[[], None]
    install: Callable[[], Path | None]  # gives the place of the damaged file, where there was one


def new_store(place: CrawlFolder, address: StoreAddress, stamp: str) -> NewStore:
    """A file in the folder, or a crawl of a new name in the database."""
    return _in_database(place, address, stamp) if address.url else _in_folder(place, stamp)


def _in_folder(place: CrawlFolder, stamp: str) -> NewStore:
    aside = place.store.with_name(f"{place.store.name}.rebuilding")

    def create(plan: CrawlPlan) -> SqlStore:
        _remove(aside)
        return SqliteStore.create(aside, plan)

    def install() -> Path | None:
        damaged = _put_away(place.store, stamp)
        with mapped(place.store):
            aside.rename(place.store)
            sync_folder(place.path)
        return damaged

    return NewStore(where=str(place.store), create=create, discard=lambda: _remove(aside), install=install)


def _in_database(place: CrawlFolder, address: StoreAddress, stamp: str) -> NewStore:
    name = _next_name(place)

    def create(plan: CrawlPlan) -> SqlStore:
        shared_stores().remove(address.url, name)  # of a rebuilding that was killed; no folder names it
        return shared_stores().create(address.url, name, plan)

    def install() -> Path | None:
        place.name_store(name)
        return _put_away(place.store, stamp)

    return NewStore(
        where=f"crawl {name} in PostgreSQL",
        create=create,
        discard=lambda: shared_stores().remove(address.url, name),
        install=install,
    )


def _next_name(place: CrawlFolder) -> str:
    try:
        before = place.store_name()
    except OpilioError:
        before = place.path.resolve().name
    found = _AGAIN.fullmatch(before)
    return f"{found[1]}-rebuilt-{int(found[2]) + 1}" if found else f"{before}-rebuilt-1"


def _put_away(path: Path, stamp: str) -> Path | None:
    """Give a damaged file another name, with what SQLite keeps beside it; the file itself first."""
    damaged = path.with_name(f"{path.name}.damaged-{stamp}")
    there = path.exists()
    with mapped(path):
        for end in _ENDS:
            part = path.with_name(f"{path.name}{end}")
            if part.exists():
                part.rename(damaged.with_name(f"{damaged.name}{end}"))
        sync_folder(path.parent)
    return damaged if there else None


def _remove(path: Path) -> None:
    with mapped(path):
        for end in _ENDS:
            path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
