"""Time zones by their IANA names, and when their clocks are turned. Times are whole seconds since 1970, in UTC."""

import bisect
import functools
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from opilio.curation.cron.errors import BadZone

_DAY = 86_400


def zone(name: str) -> ZoneInfo:
    """The zone of a name."""
    if not isinstance(name, str) or name not in _known():
        what = f"{str(name)[:80]!r} is no time zone"
        raise BadZone(what, where="time zone", remedy="Choose a name such as Europe/Vienna, or UTC.")
    return ZoneInfo(name)


@dataclass(frozen=True, kw_only=True, slots=True)
class Offsets:
    """The clock of a zone in one year and its neighbours, as pieces in which it runs evenly."""

    starts: tuple[int, ...]  # of the pieces, in UTC
    offsets: tuple[int, ...]  # local time minus UTC
    ends: tuple[int, ...]  # of the pieces but the last, in their own local time

    def utc(self, local: int) -> int:
        """The moment of a local time: of a doubled one the first, for a skipped one the first after the gap."""
        piece = bisect.bisect_right(self.ends, local)
        return max(local - self.offsets[piece], self.starts[piece])

    def even(self, first: int, last: int) -> int | None:
        """The offset if one piece holds all local times from `first` to `last`, far from a change."""
        piece = bisect.bisect_right(self.ends, first)
        even = piece == len(self.ends) or last < self.ends[piece]
        return self.offsets[piece] if even and first - self.offsets[piece] >= self.starts[piece] else None


@functools.lru_cache(maxsize=4_096)
def offsets(zone: ZoneInfo, year: int) -> Offsets:
    """The clock of a zone around a year."""
    start = _midnight(year - 1)
    starts, found = [start], [_offset(zone, start)]
    for day in range(start, _midnight(year + 2), _DAY):
        if _offset(zone, day + _DAY) != found[-1]:
            starts.append(_change(zone, day, day + _DAY))
            found.append(_offset(zone, starts[-1]))
    ends = tuple(after + before for after, before in zip(starts[1:], found, strict=False))
    return Offsets(starts=tuple(starts), offsets=tuple(found), ends=ends)


def _change(zone: ZoneInfo, low: int, high: int) -> int:
    """The first second with another offset than `low` has."""
    before = _offset(zone, low)
    while high - low > 1:
        middle = (low + high) // 2
        if _offset(zone, middle) == before:
            low = middle
        else:
            high = middle
    return high


def _offset(zone: ZoneInfo, moment: int) -> int:
    return int((datetime.fromtimestamp(moment, zone).utcoffset() or timedelta()).total_seconds())


def _midnight(year: int) -> int:
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp())


@functools.lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(available_timezones())
