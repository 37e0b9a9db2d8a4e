"""What a path stands for: a file of records, an index, or a folder (a crawl's, a bag) with all that lies in it."""

import os
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.results.folder import ResultsFolder, number_of
from opilio.archive.verify.bags import DECLARATION
from opilio.archive.warc.names import OPEN
from opilio.kernel.errors import InvalidInput, Missing
from opilio.kernel.files import reading

_RECORDS = (".warc", ".warc.gz", ".arc", ".arc.gz", f".warc{OPEN}", f".warc.gz{OPEN}")
_INDEX = ".cdxj"
_MANIFEST = ".sha256"
_OTHER_INDEXES = (".cdx", ".cdx.gz", ".idx", ".loc")
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # how a WACZ begins
_RESULTS = "results"  # the folder of a crawl whose manifests name files as seen from the crawl


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """The files that paths stand for, in the order in which they are read."""

    records: tuple[Path, ...] = ()
    indexes: tuple[Path, ...] = ()
    manifests: tuple[tuple[Path, Path], ...] = ()  # the folder from which names are seen, and the manifest
    absent: tuple[Path, ...] = ()  # indexes that results should have
    bags: tuple[Path, ...] = ()  # folders

    @property
    def size(self) -> int:
        """Bytes of all records."""
        return sum(path.stat().st_size for path in self.records)

    def joined(self, others: "Places") -> "Places":
        """The records and indexes of both."""
        records = dict.fromkeys((*self.records, *others.records))
        return Places(records=tuple(records), indexes=tuple(dict.fromkeys((*self.indexes, *others.indexes))))


def name_of(path: Path) -> str:
    """What indexes call a file."""
    return path.name.removesuffix(OPEN)


def places(paths: Iterable[Path]) -> Places:
    """Look; `Missing` when something is not there, `InvalidInput` when a folder holds nothing of ours."""
    records: dict[Path, None] = {}
    indexes: dict[Path, None] = {}
    manifests: dict[tuple[Path, Path], None] = {}
    bags: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise Missing("there is no such file or folder", where=str(path), remedy="Check the name.")
        if not path.is_dir():
            _refuse_others(path)
            (indexes if path.name.endswith(_INDEX) else records)[path] = None
            continue
        found = _files(path)
        records |= dict.fromkeys(each for each in found if each.name.lower().endswith(_RECORDS))
        indexes |= dict.fromkeys(each for each in found if each.name.endswith(_INDEX))
        manifests |= dict.fromkeys((_seen_from(each, path), each) for each in found if each.name.endswith(_MANIFEST))
        in_it = [each.parent for each in found if each.name == DECLARATION]
        bags |= dict.fromkeys(in_it)
        if not in_it and not any(each.name.lower().endswith((*_RECORDS, _INDEX)) for each in found):
            remedy = "Name a WARC or ARC file, or the folder of a crawl."
            raise InvalidInput("there is no WARC or ARC file in the folder", where=str(path), remedy=remedy)
    absent = tuple(_absent(manifests, indexes))
    return Places(
        records=tuple(records), indexes=tuple(indexes), manifests=tuple(manifests), absent=absent, bags=tuple(bags)
    )  # fmt: skip


def _refuse_others(path: Path) -> None:
    """`InvalidInput` for files that hold no records, and whose remedy is another command."""
    if path.name.lower().endswith(_OTHER_INDEXES):
        remedy = "Name the WARC or ARC files; `opilio archive index` reads such indexes."
        raise InvalidInput("this is an index of another form than CDXJ", where=str(path), remedy=remedy)
    with reading(path), path.open("rb") as stream:
        start = stream.read(4)
    if start in _ZIP:
        remedy = f"Import it, which checks all of it: opilio archive import {path} --into DIR."
        raise InvalidInput("this is a WACZ or another ZIP file, no WARC or ARC", where=str(path), remedy=remedy)


def _seen_from(manifest: Path, given: Path) -> Path:
    """The folder from which a manifest names its files."""
    return manifest.parent.parent if manifest.parent.name == _RESULTS else given


def _absent(manifests: Iterable[tuple[Path, Path]], indexes: Container[Path]) -> Iterator[Path]:
    """The indexes of results that are not there; a bag has one index for all its results."""
    for crawl, manifest in manifests:
        number = number_of(manifest)
        if number and manifest.parent.name == _RESULTS and not (crawl.parent / DECLARATION).is_file():
            path = ResultsFolder(crawl).index(number)
            if path not in indexes:
                yield path


def _files(folder: Path) -> list[Path]:
    """The files of a folder and of all below it but hidden ones, folder by folder in the order of their names."""
    found: list[Path] = []
    with reading(folder):
        for place, folders, names in os.walk(folder, onerror=_raise):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            found += [path for path in (Path(place, name) for name in sorted(names)) if path.is_file()]
    return found


def _raise(error: OSError) -> None:
    raise error
