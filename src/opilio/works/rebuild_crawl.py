"""Makes the crawl store of a folder again from its WARC files, so that a crawl whose store is lost can be resumed.

Built aside; the damaged store stays where it is until the new one is whole, and is kept beside it for ever.
"""

from dataclasses import dataclass
from pathlib import Path

from opilio.archive.warc.cutting import check
from opilio.archive.warc.info import PLAN_FIELD
from opilio.archive.warc.names import all_files
from opilio.archive.warc.reader import iterate
from opilio.archive.warc.rescue import rescue_folder
from opilio.crawl.earlier import EarlierPages
from opilio.crawl.engine.replaying import Replaying
from opilio.crawl.errors import BadPlan
from opilio.crawl.frontier.sql_store import SqlStore
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.plan_json import from_json, to_json
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Conflict, Damaged, InvalidInput, Missing, OpilioError
from opilio.kernel.files import ensure_folder, write_atomically
from opilio.kernel.locks import locked
from opilio.works.crawl_folder import CrawlFolder, StoreAddress
from opilio.works.crawl_loop import run_loop
from opilio.works.earlier_crawl import opened_earlier
from opilio.works.plan_file import read_plan
from opilio.works.rebuilt_store import NewStore, new_store
from opilio.works.recorded_captures import RecordedCaptures
from opilio.works.seal_crawl import Told, silent
from opilio.works.sealed_crawl import results_of

_INDEX = ".rebuild.cdxj"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rebuilt:
    """A crawl store that was made again."""

    store: str  # where it lies
    plan_from: str  # where the plan came from
    warcs: int
    captures: int
    pages: int
    waiting: int
    torn: int  # bytes behind the last whole records
    damaged: Path | None  # where the old store is kept


def rebuild(
    folder: Path, *, plan: Path | None = None, address: StoreAddress | None = None, clock: Clock = SYSTEM,
    told: Told = silent,
) -> Rebuilt:  # fmt: skip
    """Make the store again; `Conflict` where that of the folder and its WARC files are sound, or it was sealed."""
    place, address = CrawlFolder(folder), address or StoreAddress()
    if not place.warcs.is_dir():
        remedy = "Give the folder that `opilio crawl … --into` was told."
        raise Missing("there are no WARC files to make a crawl store from", where=str(place.warcs), remedy=remedy)
    with locked(place.lock, purpose="rebuilding", clock=clock):
        _refuse_sealed(place)
        _refuse_sound(place, address)
        stamp = f"{clock.now():%Y%m%dT%H%M%S}"
        told("checking WARC files", 0, 0)
        torn = rescue_folder(place.warcs, stamp)
        chosen, source = _plan(place, plan)
        new = new_store(place, address, stamp)
        store = new.create(chosen)
        try:
            with opened_earlier(chosen, address, into=folder) as earlier:
                captures, pages, waiting = _filled(place, store, earlier, clock, told)
        except BaseException:
            store.close()
            new.discard()
            raise
        store.close()
        return Rebuilt(
            store=new.where, plan_from=source, warcs=len(all_files(place.warcs)), captures=captures, pages=pages,
            waiting=waiting, torn=sum(torn.values()), damaged=_installed(place, new, chosen),
        )  # fmt: skip


def _installed(place: CrawlFolder, new: NewStore, plan: CrawlPlan) -> Path | None:
    ensure_folder(place.log.parent)
    write_atomically(place.plan, to_json(plan).encode())
    return new.install()


def _filled(
    place: CrawlFolder, store: SqlStore, earlier: EarlierPages | None, clock: Clock, told: Told
) -> tuple[int, int, int]:
    """Fill an empty store; the numbers of captures, of pages, and of URLs that wait."""
    index = place.path / _INDEX
    sizes = {file.name: file.path.stat().st_size for file in all_files(place.warcs)}
    total = sum(sizes.values())
    try:
        recorded, captures, last = RecordedCaptures.indexed(
            place.warcs, index, lambda done: told("reading WARC files", done, total), since=earlier is not None
        )
        replaying = Replaying(
            store.plan, store, recorded, at=last or clock.now(), sizes=sizes, earlier=earlier,
            told=lambda done: told("reading pages", done, captures),
        )  # fmt: skip
        pages = run_loop(replaying.run)
    finally:
        index.unlink(missing_ok=True)
    return captures, pages, store.counts(clock.now().timestamp()).waiting


def _refuse_sealed(place: CrawlFolder) -> None:
    results = results_of(place)
    if results.whole:
        remedy = "Read it with `opilio crawl report`; crawl anew into another folder."
        raise Conflict("the crawl was sealed, and its result is there", where=str(results.result), remedy=remedy)


def _refuse_sound(place: CrawlFolder, address: StoreAddress) -> None:
    if place.name_file.is_file() and not place.store.is_file() and not address.url:
        remedy = f"Name its database with --store; if that is lost for good, remove {place.name_file.name} first."
        raise Conflict("the crawl store lies in a PostgreSQL database", where=str(place.path), remedy=remedy)
    try:
        store = place.open(address, read_only=True)
    except (Damaged, Missing, InvalidInput):
        return
    try:
        store.check()
        check(place.warcs, {file.file: file.committed for file in store.warcs()})
    except Damaged:
        return
    finally:
        store.close()
    remedy = f"Go on with it: opilio crawl resume {place.path}."
    raise Conflict("the crawl store is sound", where=str(place.path), remedy=remedy)


def _plan(place: CrawlFolder, given: Path | None) -> tuple[CrawlPlan, str]:
    """The plan, and where it was found; `BadPlan` when nobody knows it any more."""
    if given is not None:
        return read_plan(given), str(given)
    try:
        return from_json(place.plan.read_text("utf-8", "replace")), str(place.plan)
    except (OSError, OpilioError):
        found = _plan_in_warcs(place)
    if found is None:
        remedy = "Name a file that holds it with --plan."
        raise BadPlan("neither plan.json nor the WARC files hold the plan", where=str(place.path), remedy=remedy)
    return found


def _plan_in_warcs(place: CrawlFolder) -> tuple[CrawlPlan, str] | None:
    """The plan that the first record of a WARC file holds."""
    for file in all_files(place.warcs):
        try:
            first = next(iterate(file.path), None)
            text = _field(first.block, PLAN_FIELD) if first is not None and first.kind == "warcinfo" else None
            if text is not None:
                return from_json(text), file.name
        except OpilioError:
            continue  # another file may have it
    return None


def _field(block: bytes, name: str) -> str | None:
    for line in block.decode("utf-8", "replace").split("\r\n"):
        head, colon, value = line.partition(":")
        if colon and head == name:
            return value.strip()
    return None
