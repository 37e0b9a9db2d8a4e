"""Makes one sorted file of many in bounded memory, and finds out whether a file is sorted at all."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from opilio.archive.cdx.many import together
from opilio.archive.cdx.plain import CdxFile
from opilio.archive.cdx.searching import Searchable, whole
from opilio.archive.cdx.seeking import Line
from opilio.kernel.errors import Damaged
from opilio.kernel.files import writing

_MOST = 128  # files that are open at a time


class Unsorted(Damaged):
    """An index whose lines are not in byte order."""


def all_lines(index: Searchable) -> Iterator[Line]:
    """Every line of an index; `Unsorted` at the first that stands behind one which it should precede."""
    last = b""
    for line in index.lines(whole()):
        if line.text < last:
            remedy = "Sort it with `LC_ALL=C sort`, or make it again with `opilio archive index`."
            raise Unsorted("the lines of the index are not in byte order", where=line.where, remedy=remedy)
        last = line.text
        yield line


def check_sorted(index: Searchable) -> int:
    """The number of lines, after a look at each of them; `Unsorted` or `Damaged` names the first that is wrong."""
    return sum(1 for _ in all_lines(index))


def merge_files(into: Path, indexes: Sequence[Searchable]) -> int:
    """Write all lines of sorted indexes into one file, each line once; the number of lines."""
    with writing(into) as stream:
        count = 0
        for line in merged(indexes, folder=into.parent):
            stream.write(line)
            count += 1
    return count


def merged(indexes: Sequence[Searchable], *, folder: Path, most: int = _MOST) -> Iterator[bytes]:
    """The lines of sorted indexes with their ends, each once; what cannot all be open meets in files in `folder`."""
    with tempfile.TemporaryDirectory(prefix=".opilio-merge-", dir=folder) as place:
        rest = list(indexes)
        while len(rest) > most:
            path = Path(place) / f"{len(rest)}.cdxj"
            with path.open("wb") as stream:
                stream.writelines(_ends(rest[:most]))
            rest = [*rest[most:], CdxFile(path)]
        yield from _ends(rest)


def _ends(indexes: Iterable[Searchable]) -> Iterator[bytes]:
    for line in together([all_lines(each) for each in indexes]):
        yield line.text + b"\n"
