"""Keeps from a partner what texts tell of other centres' sources: errors and notes name hosts and folders."""

from collections.abc import Collection

from opilio.people.actor import Actor
from opilio.tracker.models import Source
from opilio.tracker.queries.deliveries import agencies
from opilio.tracker.source_values import name_of

HIDDEN = "It was tried at a source of another centre."


class Curtain:
    """What those may read who see the centres of some agencies, or of all (None); hidden sources are looked up once."""

    def __init__(self, reached: Collection[int] | None) -> None:
        self._reached = reached
        self._names: frozenset[str] | None = None

    @classmethod
    def of(cls, actor: Actor) -> "Curtain":
        """What one asker may read."""
        return cls(agencies(actor))

    def over(self, text: str) -> str:
        """The text, or a general one where it tells of a source that the asker may not see."""
        if self._reached is None or not text:
            return text
        return HIDDEN if any(name in text for name in self._hidden()) else text

    def hides(self, source: Source) -> bool:
        """Whether a source is kept from the asker."""
        return self._reached is not None and source.centre.agency_id not in self._reached

    def _hidden(self) -> frozenset[str]:
        if self._names is None:
            rows = Source.everything.exclude(centre__agency_id__in=sorted(self._reached or ())).select_related("centre")
            names = {name for row in rows for name in (name_of(row), row.hostname) if name}
            own = set(
                Source.everything.filter(centre__agency_id__in=sorted(self._reached or ())).values_list(
                    "hostname", flat=True
                )
            )
            self._names = frozenset(names - own)  # a host that both share is no secret
        return self._names
