"""Stands in for the network, the clock and the sink while captures are read again instead of being made."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from opilio.crawl.fetch.exchange import Answer, Ask, Failure
from opilio.crawl.robots_cache import DAY, Found, RobotsRecord
from opilio.kernel.capture import Capture, DnsAnswer, MetadataFields, Offsets, Position, Resource, Revisit

_LEAP = 1_000_000.0  # seconds between two looks at the even clock: every pause is over
_MISSING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
_UNSETTLED = frozenset({429}) | frozenset(range(500, 600))


class _Given(Protocol):
    @property
    def answer(self) -> Answer: ...


class EvenClock:
    """Stands still at the time of the last capture; what counts seconds sees so many pass that nothing waits."""

    def __init__(self, at: datetime) -> None:
        self._at = at
        self._ticks = 0.0

    def now(self) -> datetime:
        return self._at

    def monotonic(self) -> float:
        self._ticks += _LEAP
        return self._ticks


class RecordedFetcher:
    """Answers from captures. A robots.txt that was not kept, or not to be had, is made up, and remembered as such."""

    def __init__(self, recorded: Callable[[str], _Given | None], clock: EvenClock) -> None:
        self._recorded = recorded
        self._clock = clock
        self._expected: tuple[str, Answer] | None = None
        self._made_up: set[str] = set()

    def expect(self, url: str, answer: Answer) -> None:
        """The page that is visited next, so that it is not looked for twice."""
        self._expected = url, answer

    async def fetch(self, ask: Ask) -> Answer | Failure:
        if self._expected is not None and self._expected[0] == ask.url:
            return self._expected[1]
        found = self._recorded(ask.url)
        if found is not None and found.answer.status not in _UNSETTLED:
            return found.answer
        self._made_up.add(ask.url.split("/", 3)[2])
        return self._missing()

    async def close(self) -> None:
        """There is nothing to let go of."""

    def made_up(self, host: str) -> bool:
        """Whether a host's robots.txt is unknown."""
        return host in self._made_up

    def anything_goes(self, host: str) -> RobotsRecord:
        """What stands for the robots.txt under which a page of a host had been fetched."""
        self._made_up.add(host)
        now = self._clock.now().timestamp()
        sentence = "an earlier robots.txt allowed what was fetched"
        return RobotsRecord(found=Found.UNAVAILABLE, sentence=sentence, fetched=now, expires=now + DAY)

    def _missing(self) -> Answer:
        now = self._clock.now()
        return Answer(
            status=404, version="1.1", request=b"", head=_MISSING, body=b"", started=now, finished=now, first_byte=0.0,
            seconds=0.0, address=None,
        )  # fmt: skip


class NoSink:
    """Writes nothing: whatever is appended lies at `place` already."""

    def __init__(self) -> None:
        self.place = Position(file="", offset=0, length=0)

    def append(self, capture: Capture) -> Position:
        return self.place

    def append_revisit(self, revisit: Revisit) -> Position:
        return self.place

    def append_dns(self, answer: DnsAnswer) -> Position:
        return self.place

    def append_resource(self, resource: Resource) -> Position:
        return self.place

    def append_metadata(self, place: Position, fields: MetadataFields) -> Position:
        return self.place

    def record_of(self, place: Position) -> str | None:
        return None

    def sync(self) -> Offsets:
        return {}

    def cut_back(self, offsets: Offsets) -> None:
        """There is nothing to cut."""

    def close(self) -> None:
        """There is nothing to close."""
