"""Takes pictures of the pages of a crawl from its archive, keeps them beside its results, and compares two crawls."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from opilio.archive.replay.holdings import Holding
from opilio.archive.screenshots.archived_pages import ArchiveCamera, ArchivedShot, archive_camera
from opilio.archive.screenshots.browser import Shot
from opilio.archive.screenshots.darkroom import Difference, difference, thumbnail
from opilio.archive.screenshots.errors import NoPicture, PageFailed
from opilio.archive.screenshots.pictures import Picture, PictureKind, PictureSize
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.archive.warc.info import WarcInfo
from opilio.kernel.capture import MetadataFields
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import InvalidInput
from opilio.works.replay_crawl import opened_holdings

Told = Callable[[str, int, int], None]
_MOST_MISSING = 100  # URLs that are kept of what a page missed


@dataclass(frozen=True, kw_only=True, slots=True)
class Taken:
    """What became of one page."""

    url: str
    pictures: int = 0
    title: str = ""
    missing: tuple[str, ...] = ()  # what the page asked for and the archive does not have
    notes: tuple[str, ...] = ()
    problem: str = ""  # why there is no picture; empty: there is


@dataclass(kw_only=True, slots=True)
class _Session:
    """Pictures on their way from the camera to the shelf."""

    size: PictureSize
    clock: Clock
    told: Told
    taken: list[Taken] = field(default_factory=list)


def take_from_archive(
    folder: Path, urls: Sequence[str] = (), *, size: PictureSize | None = None, result: int | None = None,
    program: str = "", clock: Clock = SYSTEM, told: Told = lambda step, done, total: None,
) -> list[Taken]:  # fmt: skip
    """Take pictures of pages as a result has them: of those named, else of the seeds."""
    session = _Session(size=size or PictureSize(), clock=clock, told=told)
    with opened_holdings(folder, result=result) as holdings:
        holding = holdings[max(holdings)]
        wanted = tuple(dict.fromkeys(urls or holding.seeds))
        if not wanted:
            raise InvalidInput("no page was named", where=str(folder), remedy="Name some with --url.")
        with archive_camera(program) as camera:
            info = WarcInfo(description=f"Screenshots of {holding.title}, taken from the archive")
            PictureShelf(folder, clock).add(_from_archive(camera, holding, wanted, session), info=info)
    return session.taken


def _from_archive(
    camera: ArchiveCamera, holding: Holding, urls: Sequence[str], session: _Session
) -> Iterator[tuple[list[Picture], MetadataFields]]:
    for number, url in enumerate(urls):
        session.told("taking pictures", number, len(urls))
        try:
            found = camera.shoot(holding, url, session.size)
        except (NoPicture, PageFailed) as error:
            session.taken.append(Taken(url=url, problem=error.what))
            continue
        pictures = made(
            url, found.shot, thumbnail(camera.camera, found.shot.view, session.size.thumbnail), session.clock
        )
        session.taken.append(
            Taken(
                url=url, pictures=len(pictures), title=found.shot.title, missing=found.missing, notes=found.shot.notes
            )
        )
        yield pictures, _archived_fields(holding, found, session.size)


def made(url: str, shot: Shot, small: bytes, clock: Clock) -> list[Picture]:
    """The pictures of one page."""
    now = clock.now()
    files = {PictureKind.VIEW: shot.view, PictureKind.FULL: shot.full, PictureKind.THUMBNAIL: small}
    return [Picture(url=url, kind=kind, at=now, data=data) for kind, data in files.items() if data is not None]


def fields_of(shot: Shot, size: PictureSize) -> list[tuple[str, str]]:
    """What is known about the pictures of a page, whoever took them."""
    return [
        ("window", f"{size.width}x{size.height}"),
        ("page", shot.url),
        ("title", shot.title),
        *(("note", note) for note in shot.notes),
    ]


def _archived_fields(holding: Holding, found: ArchivedShot, size: PictureSize) -> MetadataFields:
    missing = [("missing", url) for url in found.missing[:_MOST_MISSING]]
    return [
        ("source", "archive"),
        ("result", str(holding.number)),
        ("captured", found.captured.isoformat()),
        *fields_of(found.shot, size),
        *missing,
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """A page in two crawls."""

    url: str
    before: Picture
    after: Picture
    difference: Difference


def pair(camera: ArchiveCamera, before: Path, after: Path, url: str, *, size: PictureSize | None = None) -> Pair:
    """The newest pictures of a page in two crawls, and where they differ; taken now where there is none."""
    pictures = [_newest(camera, folder, url, size or PictureSize()) for folder in (before, after)]
    found = difference(camera.camera, pictures[0].data, pictures[1].data)
    return Pair(url=url, before=pictures[0], after=pictures[1], difference=found)


def _newest(camera: ArchiveCamera, folder: Path, url: str, size: PictureSize) -> Picture:
    shelf = PictureShelf(folder)
    try:
        return shelf.newest(url)
    except NoPicture:
        with opened_holdings(folder) as holdings:
            session = _Session(size=size, clock=SYSTEM, told=lambda step, done, total: None)
            shelf.add(_from_archive(camera, holdings[max(holdings)], (url,), session))
    if session.taken[0].problem:
        remedy = "Name a page that both crawls captured."
        raise NoPicture(session.taken[0].problem, where=str(folder), remedy=remedy)
    return shelf.newest(url)
