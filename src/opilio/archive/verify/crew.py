"""Processes that verify regions beside this one. Each is given a share, and leaves what it found in a temporary file.

The process is `opilio.archive.verify.mate`; its order comes on standard input, pickled here.
"""

import contextlib
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from opilio.archive.verify.findings import Findings
from opilio.archive.verify.noting import Noting, Rows
from opilio.archive.verify.regions import Region, check_region


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """What a process is to do."""

    regions: tuple[Region, ...]
    digests: bool
    captures: bool  # whether there is an index to compare with


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """One region is verified; its rows stand before this."""

    findings: Findings
    end: int  # where the first record behind it begins


class Mate:
    """A process at work."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `end`
        command = [sys.executable, "-m", "opilio.archive.verify.mate"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=self._output, stderr=subprocess.DEVNULL)
        assert self._process.stdin is not None  # noqa: S101 - it is a pipe
        with contextlib.suppress(BrokenPipeError), self._process.stdin as pipe:
            pickle.dump(order, pipe)

    def finished(self) -> bool:
        """Wait for it; whether it came to its end. If it did not, what it left is worth nothing."""
        well = self._process.wait() == 0
        self._output.seek(0)
        return well

    def next_region(self, insert: Callable[[Rows], None]) -> Done:
        """Hand on the rows of the next region."""
        while True:
            found = pickle.load(self._output)  # noqa: S301 - written by our own process into our own file
            if isinstance(found, Done):
                return found
            insert(found)

    def end(self) -> None:
        """Let it go, wherever it is."""
        self._process.kill()
        self._process.wait()
        self._output.close()


@contextlib.contextmanager
def mates(orders: Sequence[Order]) -> Iterator[list[Mate]]:
    """Processes for some orders; none is left behind."""
    found: list[Mate] = []
    try:
        found.extend(Mate(order) for order in orders if order.regions)
        yield found
    finally:
        for mate in found:
            mate.end()


def work(order: Order, output: BinaryIO) -> None:
    """Verify the regions of an order, one after the other."""

    def write(found: Rows | Done) -> None:
        pickle.dump(found, output, protocol=pickle.HIGHEST_PROTOCOL)

    for region in order.regions:
        findings = Findings()
        noting = Noting(write, captures=order.captures)
        end = check_region(region, findings, noting, digests=order.digests)
        noting.flush()
        write(Done(findings=findings, end=end))
    output.flush()
