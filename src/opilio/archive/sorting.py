"""Sorts more lines than fit into memory: sorted runs on the disk, then merged."""

import heapq
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

_MOST_RUNS = 64  # files that are open at a time
_LINE_COST = 60  # bytes of memory that a line takes beside its text


def sorted_lines(lines: Iterable[bytes], *, folder: Path, memory: int) -> Iterator[bytes]:
    """The lines in byte order. About `memory` bytes are used; what does not fit goes into files below `folder`."""
    with tempfile.TemporaryDirectory(prefix=".opilio-sort-", dir=folder) as place:
        runs: list[Path] = []
        held: list[bytes] = []
        size = 0
        for line in lines:
            held.append(line)
            size += len(line) + _LINE_COST
            if size >= memory:
                runs = _with_run(runs, sorted(held), Path(place))
                held, size = [], 0
        held.sort()
        yield from _merged(runs, held)


def unique(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Sorted lines, each once."""
    last = None
    for line in lines:
        if line != last:
            yield line
            last = line


def _with_run(runs: list[Path], lines: Iterable[bytes], place: Path) -> list[Path]:
    """One more run; when there are many, all become one."""
    if len(runs) >= _MOST_RUNS:
        return [_written(_merged(runs, lines), place)]
    return [*runs, _written(lines, place)]


def _written(lines: Iterable[bytes], place: Path) -> Path:
    with tempfile.NamedTemporaryFile(dir=place, delete=False) as stream:
        stream.writelines(lines)
    return Path(stream.name)


def _merged(runs: list[Path], held: Iterable[bytes]) -> Iterator[bytes]:
    with ExitStack() as stack:
        files = [stack.enter_context(path.open("rb")) for path in runs]
        yield from heapq.merge(*files, held)
    for path in runs:
        path.unlink()
