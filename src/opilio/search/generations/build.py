"""Builds a generation aside and puts it in place whole: from nothing, or as a clone of an earlier one with changes."""

import contextlib
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from opilio import __version__
from opilio.kernel.files import mapped, sync_folder, write_atomically
from opilio.search.generations.contents import Contents, Opened
from opilio.search.generations.errors import WrongAnswers
from opilio.search.generations.identifiers import new_id
from opilio.search.generations.library import Generations
from opilio.search.generations.manifest import MANIFEST, FileEntry, Manifest, Probe, dumped
from opilio.search.generations.pins import pinned
from opilio.search.generations.tree import Immutable, clone, digested, drop_locks, files_of, is_segment, settle
from opilio.search.generations.verify import verify_files


@dataclass(frozen=True, kw_only=True, slots=True)
class Filled:
    """What was put into a generation."""

    counts: Mapping[str, int]  # what the contents must count
    analyzer: str = ""  # fingerprint
    sources: Mapping[str, str] = field(default_factory=dict)  # everything inside → its fingerprint
    probes: tuple[str, ...] = ()  # questions whose answers are recorded


#: Fills a folder, which holds the files of the parent if there is one; closes every file that it opened.
Fill = Callable[[Path, Manifest | None], Filled]


def build(
    generations: Generations, fill: Fill, contents: Contents, *, parent: str = "", immutable: Immutable = is_segment
) -> Manifest:
    """A new generation. It appears whole, verified and durable, or not at all; `Conflict` while another is made.

    With `parent`, the folder that is filled is a clone of it. An error on the way leaves nothing behind.
    """
    with generations.changing("building a generation"):
        generations.sweep()
        name = new_id(generations.clock.now(), after=generations.newest())
        with _aside(generations.root / f".building-{name}") as folder:
            before = _begun_from(generations, parent, folder, immutable)
            filled = fill(folder, before)
            manifest = _sealed(folder, name, filled, contents, before, generations)
            generations.finish(folder, name)
    return manifest


def _begun_from(generations: Generations, parent: str, folder: Path, immutable: Immutable) -> Manifest | None:
    if not parent:
        return None
    with pinned(generations.path(parent)) as source:
        manifest = verify_files(source)  # damage must not be inherited with a fresh digest
        clone(source, folder, immutable)
    return manifest


def _sealed(
    folder: Path, name: str, filled: Filled, contents: Contents, before: Manifest | None, generations: Generations
) -> Manifest:  # fmt: skip
    """Verify what was filled in, and write the manifest."""
    drop_locks(folder)
    shared = _shared(folder, generations.path(before.id), before) if before is not None else {}
    files = tuple(shared.get(each) or digested(path, each) for each, path in files_of(folder).items())
    manifest = Manifest(
        id=name,
        made=generations.clock.now(),
        parent=before.id if before is not None else "",
        software=__version__,
        analyzer=filled.analyzer,
        counts=dict(filled.counts),
        sources=dict(filled.sources),
        files=files,
    )
    sealed = _probed(folder, manifest, filled.probes, contents)
    write_atomically(folder / MANIFEST, dumped(sealed))
    settle(folder)
    return sealed


def _shared(folder: Path, parent: Path, before: Manifest) -> dict[str, FileEntry]:
    """Files that are the very ones of the parent, whose digests were checked a moment ago."""
    found = {}
    for entry in before.files:
        mine = folder / entry.name
        if mine.exists() and mine.samefile(parent / entry.name):
            found[entry.name] = entry
    return found


def _probed(folder: Path, manifest: Manifest, queries: tuple[str, ...], contents: Contents) -> Manifest:
    """The manifest with the answers that copies must give; the counts are checked on the way."""
    opened = contents.open(folder, manifest)
    try:
        counts = dict(opened.counts())
        if counts != dict(manifest.counts):
            what = f"{counts} was written, and {dict(manifest.counts)} was given to write"
            raise WrongAnswers(what, where=str(folder), remedy="Build it again; if it happens again, report it.")
        probes = tuple(_answered(opened, query) for query in queries)
    finally:
        opened.close()
    drop_locks(folder)
    return replace(manifest, probes=probes)


def _answered(opened: Opened, query: str) -> Probe:
    found = opened.probe(query)
    return Probe(query=query, total=found.total, expected=tuple(found.first))


@contextlib.contextmanager
def _aside(folder: Path) -> Iterator[Path]:
    """A folder that is gone at the end, unless it got another name."""
    with mapped(folder):
        folder.mkdir()
        sync_folder(folder.parent)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
