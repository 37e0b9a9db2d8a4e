"""Takes up what was asked of a host before this worker had it: what its traps are recognised by."""

import heapq
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from functools import partial

from opilio.crawl.engine.growth import Growth, pattern_of
from opilio.crawl.engine.host_state import HostState
from opilio.crawl.engine.worker_store import StoreDoor, WorkerStore
from opilio.crawl.frontier.values import FIRST_HASH, Asked

_Last = list[tuple[float, str]]  # times and digests, a heap


class EarlierLife:
    """What the store tells of one host. Its pages are read once, and once more where some pattern came often."""

    def __init__(self, state: HostState, store: WorkerStore, door: StoreDoor) -> None:
        self._state = state
        self._store = store
        self._door = door

    async def take_up(self) -> None:
        """Count what was asked, as if it had been asked just now."""
        growing, growth = self._state.growing, self._state.growth
        counts: Counter[str] = Counter()
        async for asked in self._asked():
            if growing is not None:
                growing.admit(asked.url)
            if asked.digest and growth is not None:
                counts[pattern_of(asked.url)] += 1
        del counts[""]
        if growth is not None:
            await self._recall(growth, counts)

    async def _recall(self, growth: Growth, counts: Counter[str]) -> None:
        often: dict[str, _Last] = {pattern: [] for pattern, count in counts.items() if count > growth.start}
        if often:
            async for asked in self._asked():
                last = often.get(pattern_of(asked.url))
                if last is not None and asked.digest:
                    (heapq.heappush if len(last) < growth.row else heapq.heappushpop)(last, (asked.at, asked.digest))
        for pattern, count in counts.items():
            rest = sorted(often.get(pattern, ()))
            first = count - len(rest) + 1
            wanted = [digest for number, (_, digest) in enumerate(rest, first) if growth.samples(number)]
            growth.recall(pattern, count, await self._texts(wanted))

    async def _texts(self, digests: Iterable[str]) -> list[str]:
        found = [await self._door(partial(self._store.text, digest)) for digest in digests]
        return [text for text in found if text]

    async def _asked(self) -> AsyncIterator[Asked]:
        last = FIRST_HASH
        while rows := await self._door(partial(self._store.asked, self._state.host.id, last)):
            for asked in rows:
                yield asked
            last = rows[-1].hash64
