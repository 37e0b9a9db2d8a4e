"""Derives a result from another: its removals and additions as a file of their own, an index, a manifest.

Killed between any two steps, there is either the whole result or, after the next `tidy`, nothing of it. The parent and
its WARC files are never touched.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from opilio.archive.results.errors import NothingToDerive
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.manifest import sha256_of, write_manifest
from opilio.archive.results.packing import pack_links, packed
from opilio.archive.results.reindexing import write_derived_index
from opilio.archive.results.selection import Chosen, Selection
from opilio.archive.results.values import EarlierCapture, Head, Removed, Resource, ResultHost, ResultWarc
from opilio.archive.results.view import ResultView
from opilio.archive.results.writer import ResultWriter
from opilio.kernel.errors import Conflict, InvalidInput, Missing
from opilio.kernel.files import mapped, reading, require_space, writing
from opilio.kernel.hosts import host_key
from opilio.kernel.page_links import PageLink
from opilio.kernel.page_text import PageText, kept_text
from opilio.kernel.urls import url_hash64

_FETCHED = frozenset({"fetched", "unchanged", "duplicate", "redirected"})  # outcomes of what need not be replaced
_BLOCK = 1 << 20  # bytes copied at a time
MAX_NOTE = 32_000  # characters

#: Told a step, how much of it is done, and of how much (0: nobody knows).
Told = Callable[[str, int, int], None]


class Existing(StrEnum):
    """What becomes of a resource whose URL an added WARC file holds too."""

    REPLACE = "replace"
    IF_FAILED = "if-failed"  # it is replaced if it was not fetched
    KEEP = "keep"


@dataclass(frozen=True, kw_only=True, slots=True)
class AddedPage:
    """A URL that an added WARC file holds: its last capture, read, and the captures before that."""

    resource: Resource  # its number and key are given here
    links: Sequence[PageLink] = ()
    text: PageText | None = None
    extractor: str = ""
    earlier: Sequence[EarlierCapture] = ()


#: Gives the pages of WARC files that lie in the folder, each URL once.
ReadPages = Callable[[Sequence[Path], ResultView], Iterator[AddedPage]]


class Picked(Protocol):
    """Resources that somebody found already, with what was asked for."""

    def notes(self) -> list[str]:
        """What was asked for, one line each."""
        ...

    def removed(self) -> Iterator[Removed]:
        """The resources, each once, by growing number."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """What the new result shall have otherwise."""

    remove: Selection = Selection()
    picked: Picked | None = None  # to be removed, in place of a selection
    add: tuple[Path, ...] = ()  # WARC files
    existing: Existing = Existing.REPLACE
    note: str = ""  # why: the provenance note
    by: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Derived:
    """A result that was derived."""

    number: int
    parent: int
    removed: int
    replaced: int
    added: int  # those that replaced others included
    kept: int  # URLs of added files whose resources stayed as they were
    unmatched: tuple[str, ...]  # what was to be removed and is not there
    path: Path


def derive(
    results: ResultsFolder, change: Change, read_pages: ReadPages, *, at: datetime, software: str,
    parent: int | None = None, number: int | None = None, told: Told = lambda step, done, total: None,
) -> Derived:  # fmt: skip
    """Derive a result, under a number that is still free if one is wished. The caller holds the lock of the folder."""
    _require_change(change)
    results.tidy()
    with ResultView(results, parent) as view:
        number = results.next_number() if number is None else _free(results, number, view.number)
        brought = _names(results, change.add, number, view)
        results.begin(number, brought.values())
        try:
            warcs = _brought(results, change.add, brought, told)
            work = _Work(results, view, change, number, warcs, told)
            done = work.write(read_pages, _head(results, view, change, number, at, software, brought.values()))
            _complete(results, number, warcs, told)
        except BaseException:
            results.tidy()
            raise
    results.end(number)
    return done


def _complete(results: ResultsFolder, number: int, warcs: Sequence[ResultWarc], told: Told) -> None:
    """The index, and the manifest that makes it count."""
    told("writing index", 0, 0)
    with ResultView(results, number, unfinished=True) as made:
        write_derived_index(results, made)
    told("writing digests", 0, 0)
    name = f"{results.path.name}/{results.file(number).name}"
    digests = {f"{results.warcs.name}/{warc.file}": warc.sha256 for warc in warcs}
    write_manifest(results.manifest(number), {name: sha256_of(results.file(number)), **digests})


class _Work:
    """The file of one result in the making."""

    def __init__(
        self, results: ResultsFolder, view: ResultView, change: Change, number: int, warcs: list[ResultWarc], told: Told
    ) -> None:
        self._results = results
        self._view = view
        self._change = change
        self._number = number
        self._warcs = warcs
        self._told = told
        self._next = view.next_number
        self._hosts: dict[str, int] = {}
        self._replaced = self._kept = 0
        self._writer: ResultWriter

    def write(self, read_pages: ReadPages, head: Head) -> Derived:
        """Write the file; what it came to."""
        chosen = Chosen(self._change.remove)
        path = self._results.file(self._number)
        with ResultWriter(path, beneath=_Staying(self)) as self._writer:
            self._told("removing", 0, 0)
            self._writer.removed(self._removals(chosen))
            self._writer.warcs(self._warcs)
            self._add(read_pages)
            self._writer.hosts(ResultHost(id=number, name=name) for name, number in self._hosts.items())
            done = self._done(chosen, path)
            self._require_effect(done)
            self._told("arranging the result", 0, 0)
            self._writer.arrange()
            self._writer.finish(replace(head, changes=(*head.changes, *_outcome(done))))
        return done

    def _removals(self, chosen: Chosen) -> Iterator[Removed]:
        picked = self._change.picked
        return chosen.removed(self._view, self._results.path) if picked is None else picked.removed()

    def stays(self, number: int) -> bool:
        """Whether a resource of the parent is not left out."""
        return not self._writer.is_removed(number)

    @property
    def view(self) -> ResultView:
        """The parent."""
        return self._view

    def _add(self, read_pages: ReadPages) -> None:
        if not self._warcs:
            return
        files = [self._results.warcs / warc.file for warc in self._warcs]
        for page in read_pages(files, self._view):
            self._told("reading pages", self._next - self._view.next_number, 0)
            self._page(page)

    def _page(self, page: AddedPage) -> None:
        url, number = page.resource.url, self._next
        there = self._view.resource(url)
        if there is not None and self.stays(there.id) and not self._gives_way(there):
            self._kept += 1
            return
        self._next += 1
        if there is not None:
            self._replaced += 1
            self._writer.replaced(Removed(there.id, there.outcome, number))
        key = (self._host(url), url_hash64(url))
        self._writer.resources([_reached(replace(page.resource, id=number, key=key), there)])
        self._writer.earlier(replace(each, resource=number) for each in page.earlier)
        if page.links:
            self._writer.links([(number, pack_links(page.links))])
        self._text(page)

    def _text(self, page: AddedPage) -> None:
        digest = page.resource.digest
        known = self._view.text(digest, page.extractor) is not None or self._writer.has_text(digest, page.extractor)
        if page.text is not None and page.text.text and digest and not known:
            self._writer.texts([(digest, page.extractor, packed(kept_text(page.text)))])

    def _gives_way(self, there: Resource) -> bool:
        if self._change.existing is Existing.IF_FAILED:
            return there.outcome not in _FETCHED
        return self._change.existing is Existing.REPLACE

    def _host(self, url: str) -> int:
        name = host_key(url)
        known = self._view.host_named(name)
        if known is not None:
            return known.id
        return self._hosts.setdefault(name, self._view.next_host + len(self._hosts))

    def _done(self, chosen: Chosen, path: Path) -> Derived:
        return Derived(
            number=self._number, parent=self._view.number, removed=self._writer.count("removed") - self._replaced,
            replaced=self._replaced, added=self._next - self._view.next_number, kept=self._kept,
            unmatched=tuple(chosen.unmatched), path=path,
        )  # fmt: skip

    def _require_effect(self, done: Derived) -> None:
        if not done.removed and not done.added:
            missing = f": {', '.join(done.unmatched[:3])}" if done.unmatched else ""
            remedy = "Check the URLs: opilio archive result show DIR."
            raise NothingToDerive(f"nothing would change{missing}", where=str(self._results.crawl), remedy=remedy)


@dataclass(frozen=True, slots=True)
class _Staying:
    """The parent without what is left out, for the links."""

    work: _Work

    def number(self, url: str) -> int | None:
        found = self.work.view.resource(url)
        return found.id if found is not None and self.work.stays(found.id) else None

    def packed_outlinks(self) -> Iterable[tuple[int, bytes]]:
        return ((number, body) for number, body in self.work.view.packed_outlinks() if self.work.stays(number))


def _reached(resource: Resource, there: Resource | None) -> Resource:
    """What took the place of another was reached as that was."""
    if there is None:
        return resource
    return replace(
        resource, seed=there.seed, depth=there.depth, hops=there.hops, parent=there.parent, path=there.path,
        robots=there.robots,
    )  # fmt: skip


def _require_change(change: Change) -> None:
    if change.picked is not None and not change.remove.empty:
        raise InvalidInput("resources are picked in two ways at once", remedy="Pick them in one way.")
    if change.remove.empty and change.picked is None and not change.add:
        raise NothingToDerive("nothing is to be changed", remedy="Say what to remove, or which WARC files to add.")
    if not change.note.strip():
        raise InvalidInput("a result needs a note that says why it was made", remedy="Give it with --note.")
    for name in ("note", "by"):
        if len(getattr(change, name)) > MAX_NOTE:
            raise InvalidInput(f"the {name} is longer than {MAX_NOTE:,} characters", remedy="Shorten it.")


def _free(results: ResultsFolder, number: int, parent: int) -> int:
    """A wished number that no result ever had, and that comes after the parent's."""
    used = {*results.numbers(), *(int(record["number"]) for record in results.undone())}
    if number in used or number <= parent:
        remedy = "Let Opilio choose the number."
        raise Conflict(f"the number {number} is not free for a result", where=str(results.path), remedy=remedy)
    return number


def _names(results: ResultsFolder, files: Sequence[Path], number: int, view: ResultView) -> dict[Path, str]:
    """The names under which WARC files are copied into the folder; those that lie there already are not."""
    names: dict[Path, str] = {}
    known = {warc.file for warc in view.warcs()}
    for file in files:
        if not file.is_file():
            raise Missing("there is no such WARC file", where=str(file), remedy="Check the name.")
        if file.resolve().parent == results.warcs.resolve():
            if file.name in known:
                remedy = "Name WARC files that the result does not have yet."
                raise Conflict("the WARC file belongs to the result already", where=str(file), remedy=remedy)
            continue
        name = f"result-{number}-{file.name}"
        if name in names.values() or (results.warcs / name).exists():
            raise Conflict("two WARC files have one name", where=str(file), remedy="Rename one of them.")
        names[file] = name
    return names


def _brought(
    results: ResultsFolder, files: Sequence[Path], names: dict[Path, str], told: Told
) -> list[ResultWarc]:  # fmt: skip
    require_space(results.crawl, sum(file.stat().st_size for file in names))
    found = {}
    for place, file in enumerate(dict.fromkeys(files)):
        told("bringing WARC files", place, len(files))
        target = results.warcs / names.get(file, file.name)
        if file in names:
            _copy(file, target)
        found[target.name] = ResultWarc(file=target.name, size=target.stat().st_size, sha256=sha256_of(target))
    return list(found.values())


def _copy(file: Path, target: Path) -> None:
    with mapped(target):
        target.parent.mkdir(parents=True, exist_ok=True)
    with reading(file), file.open("rb") as source, writing(target) as stream:
        shutil.copyfileobj(source, stream, _BLOCK)


def _head(
    results: ResultsFolder, view: ResultView, change: Change, number: int, at: datetime, software: str,
    copied: Iterable[str],
) -> Head:  # fmt: skip
    notes = change.remove.notes() if change.picked is None else change.picked.notes()
    asked = [f"remove {note}" for note in notes[:1_000]]
    added = [f"add {file.name} ({change.existing})" for file in change.add]
    return Head(
        number=number, sealed=at.isoformat(timespec="seconds"), software=software, plan=view.plan, parent=view.number,
        parent_digest=results.digest(view.number), by=change.by, note=change.note, changes=(*asked, *added),
        copied=tuple(copied),
    )  # fmt: skip


def _outcome(done: Derived) -> list[str]:
    return [f"{done.removed} removed, {done.added} added, {done.replaced} of these in place of others"]
