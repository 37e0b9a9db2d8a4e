"""Rules that recognise traps, URLs that a site makes up without end, by their form. `growing` has those that count."""

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import date

from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import Traps
from opilio.crawl.scope.verdict import PASS, Candidate, Said, Verdict, Word

_CALENDAR = re.compile(r"(?i)calend|kalend|agenda|events?(?=[/?_-])|termine|veranstaltung|month=|year=|date=|day=")
_CALENDAR_WORDS = ("alend", "agenda", "event", "termine", "veranstaltung", "month=", "year=", "date=", "day=")
_DATE = re.compile(r"(?<!\d)(\d{4})[-/_]?(0[1-9]|1[0-2])(?!\d)|(?<!\d)(\d{4})[-/_](0?[1-9]|1[0-2])(?!\d)")
_YEAR = re.compile(r"(?i)year=(\d{4})")
_MONTH = re.compile(r"(?i)month=(\d{1,2})(?!\d)")
_SLASHES = 2  # of a URL, before its path
_MOST_COUNTED = 50_000  # paths per worker


def _trap(reason: str) -> Said:
    return Said(word=Word.REJECT, reason=reason, outcome=Outcome.TRAP)


@dataclass(frozen=True, kw_only=True)
class Shape:
    """Is it too long, too deep, or does it repeat itself?"""

    traps: Traps
    name: str = "trap-shape"

    def judge(self, candidate: Candidate, so_far: Verdict) -> Said:
        if len(candidate.url) > self.traps.max_url:
            return _trap(f"it has {len(candidate.url)} characters; the limit is {self.traps.max_url}")
        most = self.traps.max_repeats
        if candidate.url.count("/") - _SLASHES <= min(most, self.traps.max_segments):
            return PASS  # it has not even so many segments
        segments = [part for part in candidate.path.split("/") if part]
        if len(segments) > self.traps.max_segments:
            return _trap(f"its path has {len(segments)} segments; the limit is {self.traps.max_segments}")
        if len(segments) > most and len(segments) - len(set(segments)) >= most:
            segment, times = Counter(segments).most_common(1)[0]
            if times > most:
                return _trap(f"its path repeats “{segment[:40]}” {times} times")
        return PASS


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """Is it a page of a calendar far away from today?"""

    traps: Traps
    today: date
    name: str = "trap-calendar"

    def judge(self, candidate: Candidate, so_far: Verdict) -> Said:
        url = candidate.url.lower()
        if not any(map(url.__contains__, _CALENDAR_WORDS)) or not _CALENDAR.search(url):
            return PASS
        month = _month(candidate.url)
        if month is None:
            return PASS
        away = abs(month - (self.today.year * 12 + self.today.month))
        if away <= self.traps.max_calendar:
            return PASS
        return _trap(f"it is a calendar page {away} months away; the limit is {self.traps.max_calendar}")


def _month(url: str) -> int | None:
    """The month that a calendar URL names, counted from the year 0."""
    year, number = _YEAR.search(url), _MONTH.search(url)
    if year and number:
        return int(year[1]) * 12 + int(number[1])
    found = _DATE.search(url)
    if found is None:
        return None
    return int(found[1] or found[3]) * 12 + int(found[2] or found[4])


@dataclass(kw_only=True)
class Alike:
    """Counts pages in a row, of one pattern of URL, that hardly differ from each other."""

    most: int
    nearness: int = 3  # bits in which two fingerprints may differ
    _rows: dict[str, tuple[int, int]] = field(default_factory=dict)  # pattern → last fingerprint, length of the row

    def note(self, url: str, fingerprint: int) -> bool:
        """Note a page; whether its links look like a trap by now."""
        pattern = re.sub(r"\d+", "0", url)
        last, length = self._rows.get(pattern, (fingerprint, 0))
        near = (last ^ fingerprint).bit_count() <= self.nearness
        if len(self._rows) > _MOST_COUNTED:
            self._rows.clear()
        self._rows[pattern] = (fingerprint, length + 1 if near else 1)
        return near and length + 1 > self.most
