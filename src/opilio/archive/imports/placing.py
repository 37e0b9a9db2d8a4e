"""Brings archives of others into the folder of a crawl: WARC files unaltered, those of a WACZ taken out, ARC converted.

Every file is digested on its way, so that it is read once.
"""

import contextlib
import hashlib
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from opilio.archive.imports.arc_to_warc import convert
from opilio.archive.imports.captures import Skipped
from opilio.archive.imports.gathering import Found, Kind, kind_of
from opilio.archive.packing.aside import copy_or_link, file_pieces
from opilio.archive.results.manifest import sha256_of
from opilio.archive.wacz.reader import WaczFile
from opilio.kernel.errors import Damaged, InvalidInput
from opilio.kernel.files import mapped, require_space

_UNFIT = re.compile(r"[^A-Za-z0-9._+=@-]+")
_LONGEST = 180  # characters of a name
_DEEPEST = 2  # WACZ files inside of WACZ files
_GZIP = 31


@dataclass(frozen=True, kw_only=True, slots=True)
class Placed:
    """A WARC file in the crawl's folder."""

    name: str
    path: Path
    size: int
    sha256: str
    origin: str  # where it came from
    note: str = ""  # what was done to it; empty: nothing


@dataclass(frozen=True, kw_only=True, slots=True)
class Hints:
    """What a WACZ tells beside its captures."""

    seeds: tuple[str, ...] = ()
    title: str = ""


class Placing:
    """Fills the folders of one crawl."""

    def __init__(
        self, warcs: Path, sources: Path, *, link: bool, now: datetime, skipped: Callable[[Skipped], None],
        told: Callable[[int], None],
    ) -> None:  # fmt: skip
        self._warcs = warcs
        self._sources = sources  # for files that had to be converted
        self._link = link
        self._now = now
        self._skipped = skipped
        self._told = told
        self._names: set[str] = set()
        self._done = 0
        self.hints: list[Hints] = []

    def place(self, found: Found, *, origin: str = "", depth: int = 0) -> Iterator[Placed]:
        """Bring one file in; the WARC files that it became."""
        origin = origin or str(found.path)
        if found.kind is Kind.WACZ:
            yield from self._wacz(found.path, origin, depth)
        elif found.kind is Kind.ARC:
            yield self._arc(found.path, origin)
        else:
            yield self._warc(found, origin)

    def unpacked(self, placed: Placed) -> Placed:
        """A file whose records share gzip members, again without them; the packed one is kept among the sources."""
        name = self._name(f"{placed.name.removesuffix('.gz').removesuffix('.warc')}.warc")
        kept = self._kept(placed.path, placed.name)
        with self._new(self._warcs / name) as stream:
            digest, size = _written(stream, _unfolded(kept))
        note = "its records shared gzip members: unpacked, as none could have been read alone"
        return replace(placed, name=name, path=self._warcs / name, size=size, sha256=digest, note=note)

    def _warc(self, found: Found, origin: str) -> Placed:
        ending = ".warc.gz" if found.packed else ".warc"
        name = self._name(_stem(found.path.name) + ending)
        path = self._warcs / name
        if self._link and copy_or_link(found.path, path, link=True):
            digest, size = sha256_of(path), path.stat().st_size
        else:
            path.unlink(missing_ok=True)
            with self._new(path) as stream:
                digest, size = _written(stream, self._pieces(found.path))
        return Placed(name=name, path=path, size=size, sha256=digest, origin=origin, note=_renamed(found.path, name))

    def _arc(self, source: Path, origin: str) -> Placed:
        kept = self._sources / self._name(source.name)
        self._sources.mkdir(exist_ok=True)
        copy_or_link(source, kept, link=self._link)
        name = self._name(f"{_stem(source.name)}.warc.gz")
        with self._new(self._warcs / name) as stream:
            convert(kept, stream, name, at=self._now, folder=self._warcs, skipped=self._skipped)
        note = f"converted from ARC; the ARC file is {self._sources.name}/{kept.name}"
        path = self._warcs / name
        self._tell(source.stat().st_size)
        return Placed(name=name, path=path, size=path.stat().st_size, sha256=sha256_of(path), origin=origin, note=note)

    def _wacz(self, source: Path, origin: str, depth: int) -> Iterator[Placed]:
        with WaczFile(source) as wacz:
            self._take_hints(wacz)
            for fault in wacz.faults():
                self._skipped(Skipped(file=f"{source.name}/{fault.name}", offset=0, reason=fault.reason))
            if depth >= _DEEPEST and wacz.nested():
                remedy = "Take the inner ones out, and name them."
                raise InvalidInput("WACZ files are nested too deeply", where=origin, remedy=remedy)
            for name in (*wacz.warcs(), *wacz.nested()):
                yield from self._inner(wacz, name, origin, depth)

    def _inner(self, wacz: WaczFile, name: str, origin: str, depth: int) -> Iterator[Placed]:
        """A file out of a WACZ, by way of a temporary one."""
        temporary = self._warcs / f".inner-{depth}-{Path(name).name[-_LONGEST:]}"
        place = f"{origin}/{name}"
        require_space(self._warcs, wacz.size(name))
        try:
            with self._new(temporary) as stream:
                _written(stream, self._counted(wacz.pieces(name)))
            found = kind_of(temporary)
        except (InvalidInput, Damaged) as error:
            temporary.unlink(missing_ok=True)
            self._skipped(Skipped(file=place, offset=0, reason=error.what))
            return
        try:
            yield from self._named(found, Path(name).name, place, depth)
        finally:
            temporary.unlink(missing_ok=True)

    def _named(self, found: Found, name: str, origin: str, depth: int) -> Iterator[Placed]:
        if found.kind is not Kind.WARC:
            yield from self.place(found, origin=origin, depth=depth + 1)
            return
        final = self._name(_stem(name) + (".warc.gz" if found.packed else ".warc"))
        path = self._warcs / final
        with mapped(path):
            found.path.rename(path)
        size = path.stat().st_size
        note = _renamed(Path(name), final)
        yield Placed(name=final, path=path, size=size, sha256=sha256_of(path), origin=origin, note=note)

    def _take_hints(self, wacz: WaczFile) -> None:
        document = wacz.document()
        main, title = document.get("mainPageUrl"), document.get("title")
        seeds = [page.url for page in wacz.pages() if page.seed][:1_000]
        if not seeds and isinstance(main, str):
            seeds = [main]
        if not seeds:
            seeds = [page.url for _, page in zip(range(1), wacz.pages(), strict=False)]
        self.hints.append(Hints(seeds=tuple(seeds), title=title if isinstance(title, str) else ""))

    def _kept(self, path: Path, name: str) -> Path:
        """Move a file that is replaced to the sources."""
        self._sources.mkdir(exist_ok=True)
        target = self._sources / name
        with mapped(target):
            path.rename(target)
        return target

    def _pieces(self, path: Path) -> Iterator[bytes]:
        return self._counted(file_pieces(path, path.stat().st_size))

    def _counted(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            yield piece
            self._tell(len(piece))

    def _tell(self, size: int) -> None:
        self._done += size
        self._told(self._done)

    def _name(self, wanted: str) -> str:
        """A name that no other file has, without signs that some disk or program would take amiss."""
        plain = _UNFIT.sub("-", wanted).lstrip(".-")[-_LONGEST:] or "import.warc.gz"
        stem, ending = _parted(plain)
        name, number = plain, 2
        while name.lower() in self._names:
            name, number = f"{stem}-{number}{ending}", number + 1
        self._names.add(name.lower())
        return name

    @contextlib.contextmanager
    def _new(self, path: Path) -> Iterator[BinaryIO]:
        with mapped(path), path.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())


def _written(stream: BinaryIO, pieces: Iterable[bytes]) -> tuple[str, int]:
    """Write pieces; their digest and their length."""
    digest, size = hashlib.sha256(usedforsecurity=False), 0
    for piece in pieces:
        stream.write(piece)
        digest.update(piece)
        size += len(piece)
    return digest.hexdigest(), size


def _unfolded(path: Path) -> Iterator[bytes]:
    """All gzip members of a file, one behind the other; as far as they can be read."""
    member = zlib.decompressobj(_GZIP)
    for piece in file_pieces(path, path.stat().st_size):
        rest = piece
        while rest:
            try:
                data = member.decompress(rest, 1 << 20)
            except zlib.error:
                return
            if data:
                yield data
            rest = member.unconsumed_tail
            if member.eof:
                rest, member = member.unused_data, zlib.decompressobj(_GZIP)
    # what the last member lacks is found by whoever reads the records


def _stem(name: str) -> str:
    return _parted(name.removesuffix(".open"))[0]


def _parted(name: str) -> tuple[str, str]:
    """A name, and all of its ending."""
    for ending in (".warc.gz", ".arc.gz", ".warc", ".arc", ".wacz", ".gz"):
        if name.lower().endswith(ending):
            return name[: -len(ending)], name[-len(ending) :]
    return name, ""


def _renamed(path: Path, name: str) -> str:
    return "" if path.name.removesuffix(".open") == name else f"it was called {path.name}"
