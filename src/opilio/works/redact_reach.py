"""Which captures an order to destroy reaches: by URL and by the time of the capture."""

from dataclasses import dataclass
from datetime import UTC, datetime

from opilio.archive.screenshots.pictures import page_of
from opilio.kernel.access_where import Reach, Where, key_of


@dataclass(frozen=True, kw_only=True, slots=True)
class RedactionOrder:
    """What is to be destroyed. In doubt it reaches a little too far rather than not far enough."""

    name: str  # as "takedown 12"; stands in what is left of each record
    where: Where
    captured_from: datetime | None = None
    captured_to: datetime | None = None

    def holds(self, url: str, at: datetime | None) -> bool:
        """Whether a capture, or a picture of one, is reached; at an unknown time it may be any."""
        return self._in_time(at) and self.names(url)

    def holds_at(self, url: str, seconds: float) -> bool:
        """The same with a time in seconds since 1970; 0 is unknown."""
        return self.holds(url, datetime.fromtimestamp(seconds, UTC) if seconds else None)

    def names(self, url: str) -> bool:
        """Whether it is about a URL."""
        picture = page_of(url)
        found = key_of(picture[1] if picture else url)
        if found is None:
            return self.where.reach is Reach.ALL
        key, clean = found
        begins = key in self.where.exact or key.startswith(self.where.keys)
        return begins and self.where.matches(key, clean)

    def _in_time(self, at: datetime | None) -> bool:
        if at is None:
            return True
        begun = self.captured_from is None or at >= self.captured_from
        return begun and (self.captured_to is None or at < self.captured_to)
