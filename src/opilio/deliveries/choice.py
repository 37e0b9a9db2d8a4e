"""From which source a file comes: which is asked first, when one is left alone, when a failure is tried again. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

_TRUST_AFTER = 3  # attempts after which a source's record counts
_BREAK_AFTER = 3  # failures in a row that open the breaker
_FIRST_PAUSE = timedelta(minutes=5)
_LONGEST_PAUSE = timedelta(hours=24)


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """How a source did so far."""

    attempts: int = 0
    failures: int = 0
    failed_in_a_row: int = 0
    last_failure: datetime | None = None
    bytes_per_second: float = 0.0

    @property
    def success(self) -> float:
        """The share that went well; a source without a record counts as good."""
        return 1.0 if self.attempts < _TRUST_AFTER else 1.0 - self.failures / self.attempts


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A source that offers a file."""

    source: int
    preference: int = 0
    own: bool = False  # whether the partner that made the file runs it
    tried: int = 0  # attempts at this file
    record: Record = Record()


def ranked(candidates: Sequence[Candidate], now: datetime) -> list[Candidate]:
    """Those that may be asked now, the best first: untried before tried, own, preferred, reliable, quick."""
    usable = [one for one in candidates if not broken(one.record, now)]
    return sorted(
        usable,
        key=lambda one: (
            one.tried, not one.own, -one.preference, -round(one.record.success, 2), -one.record.bytes_per_second,
            one.source,
        ),
    )  # fmt: skip


def broken(record: Record, now: datetime) -> bool:
    """Whether a source failed so often in a row that it is left alone for a while."""
    if record.failed_in_a_row < _BREAK_AFTER or record.last_failure is None:
        return False
    return now < record.last_failure + pause(record.failed_in_a_row - _BREAK_AFTER + 1)


def pause(failures: int) -> timedelta:
    """How long to wait after some failures: five minutes, then twice as long each time, a day at most."""
    doublings = min(max(failures, 1) - 1, 16)
    return min(_FIRST_PAUSE * (1 << doublings), _LONGEST_PAUSE)


def again_at(failures: int, last: datetime) -> datetime:
    """When a file that failed is tried again."""
    return last + pause(failures)


@dataclass(frozen=True, kw_only=True, slots=True)
class Copy:
    """What a source has under the name of a delivery."""

    source: int
    size: int | None
    sha256: str = ""


def disagreeing(copies: Sequence[Copy]) -> list[int]:
    """The sources whose copies of one delivery differ, all of them: nobody knows which one is right."""
    digests = {one.sha256 for one in copies if one.sha256}
    sizes = {one.size for one in copies if one.size is not None}
    return sorted(one.source for one in copies) if len(digests) > 1 or len(sizes) > 1 else []
