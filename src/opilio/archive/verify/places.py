"""What a path stands for: a file of records, an index, or a folder (that of a crawl too) with all that lies in it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.warc.names import OPEN
from opilio.kernel.errors import InvalidInput, Missing
from opilio.kernel.files import reading

_RECORDS = (".warc", ".warc.gz", ".arc", ".arc.gz", f".warc{OPEN}", f".warc.gz{OPEN}")
_INDEX = ".cdxj"
_MANIFEST = ".sha256"
_BELOW = ("warcs", "archive", "results", "indexes")  # folders of a crawl, of a pywb collection


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """The files that paths stand for, in the order in which they are read."""

    records: tuple[Path, ...] = ()
    indexes: tuple[Path, ...] = ()
    manifests: tuple[tuple[Path, Path], ...] = ()  # the folder from which names are seen, and the manifest

    @property
    def size(self) -> int:
        """Bytes of all records."""
        return sum(path.stat().st_size for path in self.records)


def name_of(path: Path) -> str:
    """What indexes call a file."""
    return path.name.removesuffix(OPEN)


def places(paths: Iterable[Path]) -> Places:
    """Look; `Missing` when something is not there, `InvalidInput` when a folder holds nothing of ours."""
    records: dict[Path, None] = {}
    indexes: dict[Path, None] = {}
    manifests: dict[tuple[Path, Path], None] = {}
    for path in paths:
        if not path.exists():
            raise Missing("there is no such file or folder", where=str(path), remedy="Check the name.")
        if not path.is_dir():
            (indexes if path.name.endswith(_INDEX) else records)[path] = None
            continue
        found = _files(path)
        records |= dict.fromkeys(each for each in found if each.name.lower().endswith(_RECORDS))
        indexes |= dict.fromkeys(each for each in found if each.name.endswith(_INDEX))
        manifests |= dict.fromkeys((path, each) for each in found if each.name.endswith(_MANIFEST))
        if not any(each.name.lower().endswith((*_RECORDS, _INDEX)) for each in found):
            remedy = "Name a WARC or ARC file, or the folder of a crawl."
            raise InvalidInput("there is no WARC or ARC file in the folder", where=str(path), remedy=remedy)
    return Places(records=tuple(records), indexes=tuple(indexes), manifests=tuple(manifests))


def _files(folder: Path) -> list[Path]:
    """The files of a folder and of those below it that hold archives, in the order of their names."""
    folders = [folder, *(folder / name for name in _BELOW)]
    found: list[Path] = []
    for each in folders:
        if each.is_dir():
            with reading(each):
                found += sorted(path for path in each.iterdir() if path.is_file())
    return found
