"""From a path to the index that lies there: one file of any kind, or a folder of them."""

from collections.abc import Iterable
from pathlib import Path

from opilio.archive.cdx.many import Many
from opilio.archive.cdx.plain import CdxFile
from opilio.archive.cdx.searching import Searchable
from opilio.archive.cdx.zipnum import ZipnumIndex
from opilio.kernel.errors import Missing
from opilio.kernel.files import reading

PLAIN = (".cdxj", ".cdx")
SUMMARY = (".idx", ".summary")


def open_index(*paths: Path) -> Searchable:
    """The index in one file or several; a folder stands for all indexes in it."""
    found = [_opened(path) for path in all_indexes(paths)]
    if not found:
        where = ", ".join(map(str, paths))[:200]
        raise Missing("there is no index", where=where, remedy="Make one with `opilio archive index`.")
    return found[0] if len(found) == 1 else Many(found)


def all_indexes(paths: Iterable[Path]) -> list[Path]:
    """The index files among paths and in folders among them; a file that is named is taken for one by its ending."""
    found: list[Path] = []
    for path in paths:
        with reading(path):
            found += sorted(filter(is_index, path.iterdir())) if path.is_dir() else [path]
    return found


def is_index(path: Path) -> bool:
    """Whether a file is an index by its name. The shards of a compressed one are not: its summary is."""
    return path.suffix in (*PLAIN, *SUMMARY) and not path.name.startswith(".")


def _opened(path: Path) -> Searchable:
    with reading(path):
        path.stat()
    return ZipnumIndex(path) if path.suffix in SUMMARY else CdxFile(path)
