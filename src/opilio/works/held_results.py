"""Results that replay shows, opened when somebody first asks for one, and let go of when nobody does any more."""

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from opilio.archive.replay.holdings import Access, Holding, PatchList, unnoticed
from opilio.kernel.clock import SYSTEM, Clock
from opilio.works.replay_crawl import opened_holdings

_MOST = 64  # results that are open at once
_IDLE = 900.0  # seconds after which one that nobody looks at is let go of


@dataclass(frozen=True, kw_only=True)
class HeldResult:
    """A result, and what replay must know to show it under a number of its own."""

    folder: Path
    result: int  # within the folder
    title: str
    access: Access
    patches: PatchList
    missed: Callable[[str, str], None] = unnoticed


#: From a number to the result; None where there is none.
Find = Callable[[int], HeldResult | None]


@dataclass(kw_only=True)
class _Open:
    holding: Holding
    files: contextlib.ExitStack
    asked: float


class HeldResults(Mapping[int, Holding]):
    """The results by their numbers. For several threads; an error of opening one is that of whoever asked."""

    def __init__(self, find: Find, *, most: int = _MOST, idle: float = _IDLE, clock: Clock = SYSTEM) -> None:
        self._find = find
        self._most = most
        self._idle = idle
        self._clock = clock
        self._lock = threading.Lock()
        self._open: OrderedDict[int, _Open] = OrderedDict()

    def __getitem__(self, number: int) -> Holding:
        with self._lock:
            now = self._clock.monotonic()
            self._let_go(now)
            found = self._open.get(number) or self._opened(number)
            self._open.move_to_end(number)
            found.asked = now
            return found.holding

    def __iter__(self) -> Iterator[int]:
        with self._lock:
            return iter(list(self._open))

    def __len__(self) -> int:
        return len(self._open)

    def close(self) -> None:
        """Let go of all."""
        with self._lock:
            while self._open:
                self._drop(next(iter(self._open)))

    def _opened(self, number: int) -> _Open:
        held = self._find(number)
        if held is None:
            raise KeyError(number)
        with contextlib.ExitStack() as stack:
            opened = opened_holdings(held.folder, result=held.result, access=held.access)
            holding = stack.enter_context(opened)[held.result]
            holding = replace(
                holding, number=number, title=held.title, patches=held.patches, missed=held.missed, details={}
            )  # fmt: skip
            found = self._open[number] = _Open(holding=holding, files=stack.pop_all(), asked=0.0)
        while len(self._open) > self._most:
            self._drop(next(iter(self._open)))
        return found

    def _let_go(self, now: float) -> None:
        for number in [number for number, one in self._open.items() if now - one.asked > self._idle]:
            self._drop(number)

    def _drop(self, number: int) -> None:
        self._open.pop(number).files.close()
