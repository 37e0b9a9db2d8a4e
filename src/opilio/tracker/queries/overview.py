"""Where all deliveries stand, centre by centre: the matrix of the first page, and who has not delivered for long."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count

from opilio.deliveries.states import Phase, Status
from opilio.people.actor import Actor
from opilio.tracker.queries.deliveries import centres, deliveries

NO_CENTRE = 0  # stands for deliveries of which nobody knows the centre


@dataclass(kw_only=True)
class CentreLine:
    """A centre, when it last delivered, and how many of its deliveries stand where."""

    id: int
    code: str
    name: str = ""
    active: bool = True
    sources: int = 0
    last: datetime | None = None
    counts: dict[tuple[Phase, Status], int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many deliveries it has."""
        return sum(self.counts.values())


def lines(actor: Actor) -> list[CentreLine]:
    """The centres that the asker may see, by code; then what belongs to centres that are gone or unknown."""
    found = {
        row.pk: CentreLine(
            id=row.pk, code=row.short_name, name=row.full_name, active=row.active,
            sources=getattr(row, "source_count", 0), last=getattr(row, "last", None),
        )
        for row in centres(actor)
    }  # fmt: skip
    counted = deliveries(actor).order_by().values_list("zip__centre_id", "zip__centre__short_name", "phase", "status")
    for centre, code, phase, status, number in counted.annotate(number=Count("pk")):
        key = centre or NO_CENTRE
        line = found.setdefault(key, CentreLine(id=key, code=code or "", active=False))
        line.counts[Phase(phase), Status(status)] = number
    return list(found.values())


def totals(found: list[CentreLine]) -> Mapping[Status, int]:
    """How many deliveries have which status."""
    told = dict.fromkeys(Status, 0)
    for line in found:
        for (_, status), number in line.counts.items():
            told[status] += number
    return told
