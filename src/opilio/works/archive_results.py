"""Archives the results of a crawl: the harvest becomes an object of the archive, result n its version n.

A version has all that its result needs: the result files of its lineage with their manifests, their WARC files, the
index, plan and report. Taken out again it is a folder like the crawl's.
"""

import shlex
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from opilio.archive.mets.document import NAME as DESCRIPTION
from opilio.archive.mets.values import PackedFile
from opilio.archive.packing.parcel import Enclosed
from opilio.archive.results.folder import Protection, ResultsFolder
from opilio.archive.results.manifest import read_manifest, sha256_of
from opilio.archive.results.view import ResultView
from opilio.archive.store.errors import NoObject, VersionTaken
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.store.ocfl.inventory import Inventory
from opilio.archive.store.ocfl.layout import object_root
from opilio.archive.store.ocfl.writing import NewVersion, carry, keep, settle
from opilio.archive.store.store import Store
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import Conflict
from opilio.works.crawls_stood_on import STANDS_ON
from opilio.works.pack_needs import find_needs

Told = Callable[[str, int, int], None]
_BESIDE = (
    "plan.json", "report.json", "report.html", "import.json", STANDS_ON, "logs/crawl.log", "screenshots/*.*",
)  # fmt: skip  # kept where they are there


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchivedVersion:
    """One result that was archived, or was found archived."""

    result: int
    files: int
    written: int  # contents that the archive did not have
    bytes: int  # of them
    already: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchivedResults:
    """What became of the results of a crawl."""

    identifier: str
    store: str
    versions: tuple[ArchivedVersion, ...]


def identifier_of(folder: Path) -> str:
    """How a crawl is called in an archive unless somebody says otherwise."""
    return identifier_of_harvest(folder.resolve().name)


def identifier_of_harvest(harvest: int | str) -> str:
    """How a harvest is called in an archive."""
    return f"info:opilio/harvest/{harvest}"


def archive_results(
    folder: Path, store: Store, *, identifier: str = "", result: int | None = None, user: str = "",
    without_originals: bool = False, enclosed: Enclosed | None = None, clock: Clock = SYSTEM,
    told: Told = lambda step, done, total: None,
) -> ArchivedResults:  # fmt: skip
    """Archive a result and those before it that are not archived yet; the newest if none is named.

    What is enclosed goes into the version of that result, with the description of all its files.
    `Conflict` when it needs captures of crawls that are not archived, unless it may go without them.
    """
    results = ResultsFolder(folder)
    last = results.require(result)
    _note_needs(results, last, without_originals, clock)
    name = identifier or identifier_of(folder)
    archive = Archive.begin(store)
    done = []
    for number in range(1, last + 1):
        if number in results.numbers():
            further = enclosed if number == last else None
            done.append(_archived(archive, name, results, number, user, clock, told, further))
            results.protect(number, Protection.ARCHIVED, f"{store.address} {name}\n")
        elif _newest(archive, name) < number:
            carry(archive, name, number, f"Result {number} was undone", user=user, clock=clock)
    return ArchivedResults(identifier=name, store=store.address, versions=tuple(done))


def _note_needs(results: ResultsFolder, last: int, without_originals: bool, clock: Clock) -> None:
    """Write the lists of what the results need, which are archived with them; refuse what would stand alone."""
    for number in results.numbers():
        if number > last or results.protection(number) is Protection.ARCHIVED:
            continue
        found = find_needs(results.crawl, result=number, clock=clock)
        alone = [crawl for crawl in found.crawls if not _is_archived(Path(crawl))]
        if (alone or found.missing_total) and not without_originals:
            raise _needy(results.file(number), alone, found.missing_total)


def _is_archived(crawl: Path) -> bool:
    results = ResultsFolder(crawl)
    return any(results.protection(number) is Protection.ARCHIVED for number in results.numbers())


def _needy(result: Path, crawls: Sequence[str], missing: int) -> Conflict:
    if crawls:
        what = f"captures of this result need those of {crawls[0]}, which is not archived"
        remedy = f"Archive that crawl first: {shlex.join(['opilio', 'archive', 'store', 'put', crawls[0]])}; or"
    else:
        what, remedy = f"the bodies of {missing} captures of this result are in no crawl that is here", "Bring it, or"
    return Conflict(what, where=str(result), remedy=f"{remedy} archive it all the same: --without-originals.")


def _archived(
    archive: Archive, name: str, results: ResultsFolder, number: int, user: str, clock: Clock, told: Told,
    enclosed: Enclosed | None,
) -> ArchivedVersion:  # fmt: skip
    if _newest(archive, name) >= number:
        return _compared(archive, name, results, number)
    new = _version(results, number, user)
    with tempfile.TemporaryDirectory(prefix="opilio-description-") as scratch:
        new = _enclosing(new, enclosed, Path(scratch)) if enclosed is not None else new
        kept = keep(archive, name, new, clock=clock, told=told)
    return ArchivedVersion(
        result=number, files=len(new.files), written=kept.written, bytes=kept.bytes, already=kept.already
    )


def _newest(archive: Archive, name: str) -> int:
    found = _found(archive, name)
    return found.head.number if found else 0


def _found(archive: Archive, name: str) -> Inventory | None:
    try:
        return archive.inventory(name)
    except NoObject:
        return None


def _compared(archive: Archive, name: str, results: ResultsFolder, number: int) -> ArchivedVersion:
    """A result that the archive has: its manifest must be the same. What a fall left undone beside it is done."""
    manifest = results.manifest(number)
    inventory = archive.inventory(name)
    state = inventory.version(number).state
    path = _name(results, manifest)
    if path not in state or not _same(archive, name, path, number, manifest):
        remedy = "Name the harvest otherwise with --id: the archive has another one of this name."
        raise VersionTaken(f"the archived version {number} is another result", where=name, remedy=remedy)
    if number == inventory.head.number:
        settle(archive, object_root(name))
    return ArchivedVersion(result=number, files=len(state), written=0, bytes=0, already=True)


def _same(archive: Archive, name: str, path: str, number: int, file: Path) -> bool:
    with archive.open_file(name, path, number) as stream:
        return stream.read() == file.read_bytes()


def _version(results: ResultsFolder, number: int, user: str) -> NewVersion:
    files: dict[str, Path] = {}
    known: dict[str, str] = {}
    with ResultView(results, number) as view:
        lineage, note, warcs = [each.number for each in view.lineage()], view.head.note, view.warcs()
    for each in lineage:
        manifest = results.manifest(each)
        files[_name(results, manifest)] = manifest
        for name, digest in read_manifest(manifest).items():
            files[name], known[name] = results.crawl / name, digest
    for warc in warcs:
        name = f"{results.warcs.name}/{warc.file}"
        files[name], known[name] = results.warcs / warc.file, warc.sha256
    own = (results.index(number), results.needs(number))
    for path in (*own, *(path for each in _BESIDE for path in sorted(results.crawl.glob(each)))):
        if path.is_file():
            files[_name(results, path)] = path
    message = f"Result {number}: {note}" if note else f"Result {number}"
    return NewVersion(number=number, files=files, sha256=known, message=message, user=user)


def _enclosing(new: NewVersion, enclosed: Enclosed, scratch: Path) -> NewVersion:
    files = {**new.files, **{each.name: each.path for each in enclosed.documents}}
    described = scratch / DESCRIPTION
    described.write_bytes(enclosed.describe([_packed(name, path, new.sha256) for name, path in files.items()]))
    return replace(new, files={**files, DESCRIPTION: described})


def _packed(name: str, path: Path, known: Mapping[str, str]) -> PackedFile:
    told = path.stat()
    made = datetime.fromtimestamp(int(told.st_mtime), UTC)
    digest = known.get(name) or sha256_of(path)
    return PackedFile(path=name, size=told.st_size, checksum=digest, algorithm="SHA-256", created=made)


def _name(results: ResultsFolder, path: Path) -> str:
    return path.relative_to(results.crawl).as_posix()
