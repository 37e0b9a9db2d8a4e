"""Chooses the capture that answers: nearest in time, of the very URL if there is one, and what stands around it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from opilio.archive.cdx.index import CdxIndex
from opilio.archive.cdxj import CdxRow
from opilio.archive.replay.holdings import Source
from opilio.kernel.errors import BadUrl
from opilio.kernel.urls import canonical

_SAME = timedelta(seconds=1)  # indexes keep times to the second
_MOST_ROWS = 100_000  # captures of one URL that are looked at

Shown = Callable[[CdxRow], bool]


@dataclass(kw_only=True, slots=True)
class Around:
    """A capture of a URL, and its neighbours in time."""

    at: datetime  # what was asked for
    chosen: CdxRow | None = None
    first: CdxRow | None = None
    last: CdxRow | None = None
    times: list[datetime] = field(default_factory=list)

    def take(self, row: CdxRow) -> None:
        """Take one more capture into account; they come oldest first."""
        self.first = self.first or row
        self.last = row
        self.times.append(row.at)
        if self.chosen is None or self._distance(row) < self._distance(self.chosen):
            self.chosen = row

    def neighbour(self, step: int) -> datetime | None:
        """The time of the capture before (-1) or after (+1) the chosen one."""
        if self.chosen is None:
            return None
        before = [at for at in self.times if (at - self.chosen.at) * step > timedelta(0)]
        return (max(before) if step < 0 else min(before)) if before else None

    def _distance(self, row: CdxRow) -> tuple[timedelta, bool]:
        return abs(row.at - self.at), row.at < self.at


def look(index: CdxIndex, url: str, at: datetime, *, shown: Shown = lambda row: True) -> Around:
    """The capture of a canonical URL nearest to a time, among those that may be shown.

    URLs that only share the SURT key (another scheme, `www.`, another case) answer where the very URL has no capture.
    """
    same, alike = Around(at=at), Around(at=at)
    for count, row in enumerate(index.exact(url)):
        if count >= _MOST_ROWS:
            break
        if shown(row):
            (same if _is(row, url) else alike).take(row)
    return same if same.chosen else alike


def original_of(row: CdxRow, sources: Iterable[Source]) -> tuple[CdxRow, Source] | None:
    """The capture that holds the body of a revisit, and where it is."""
    wanted = row.original_url or row.url
    for source in sources:
        found = [each for each in source.index.exact(wanted) if _may_be(each, row)]
        if found:
            return min(found, key=lambda each: _unlikeness(each, row)), source
    return None


def _may_be(candidate: CdxRow, revisit: CdxRow) -> bool:
    """Whether a capture may be what a revisit refers to: by its digest, else by the time that the revisit names."""
    if candidate.revisit or candidate.status == 304:
        return False
    if _alike(candidate, revisit):
        return True
    if revisit.original_at is not None:
        return abs(candidate.at - revisit.original_at) < _SAME
    return revisit.digest is None and candidate.at <= revisit.at


def _unlikeness(candidate: CdxRow, revisit: CdxRow) -> tuple[bool, timedelta]:
    return not _alike(candidate, revisit), abs(candidate.at - (revisit.original_at or revisit.at))


def _alike(candidate: CdxRow, revisit: CdxRow) -> bool:
    return candidate.digest is not None and revisit.digest is not None and candidate.digest.matches(revisit.digest)


def _is(row: CdxRow, url: str) -> bool:
    if row.url == url:
        return True
    try:
        return canonical(row.url) == url
    except BadUrl:
        return False
