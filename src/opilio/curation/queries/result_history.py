"""All harvests of a result's target or group, side by side: what each came to, and what was decided."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Subquery

from opilio.curation.models import Advice, Assessment, Harvest, HarvestFigures, HarvestState, Result
from opilio.curation.sight import seen
from opilio.people.actor import Actor

MOST = 500  # harvests, the newest
COLUMNS = (
    "harvest", "started", "state", "reference", "urls", "failed", "bytes", "seconds", "kb_per_second", "results",
    "resources", "advice", "headline",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Past:
    """One harvest of the target."""

    harvest: int
    started: datetime
    state: str
    state_label: str
    reference: bool
    here: bool  # whether it is the harvest of the result
    urls: int
    failed: int
    bytes: int
    seconds: int
    kb_per_second: float
    results: int
    resources: int  # of its endorsed, else its newest result
    advice: int | None
    headline: str

    @property
    def advice_label(self) -> str:
        """What was recommended."""
        return Advice(self.advice).label if self.advice is not None else ""

    def document(self) -> dict[str, Any]:
        """By the names of columns."""
        told = {name: getattr(self, name) for name in COLUMNS}
        return told | {"started": self.started.isoformat(timespec="seconds"), "advice": self.advice_label.lower()}


def history(actor: Actor, row: Result) -> list[Past]:
    """Newest first; those that were only planned are left out."""
    newest = Result.objects.filter(harvest_id=OuterRef("pk")).order_by("-number")
    advice = Assessment.objects.filter(result__harvest_id=OuterRef("pk")).order_by("-result__number")
    rows = (
        seen(Harvest.objects.all(), actor)
        .filter(abstract_target_id=row.harvest.abstract_target_id)
        .exclude(state__in=(HarvestState.SCHEDULED, HarvestState.QUEUED))
        .annotate(
            last_number=Subquery(newest.values("number")[:1]), last_resources=Subquery(newest.values("resources")[:1]),
            last_advice=Subquery(advice.values("advice")[:1]), last_headline=Subquery(advice.values("headline")[:1]),
        )
        .order_by("-started_at", "-id")[:MOST]
    )  # fmt: skip
    found = list(rows)
    figures = {one.harvest_id: one for one in HarvestFigures.objects.filter(harvest_id__in=[each.pk for each in found])}
    reference = row.harvest.abstract_target.reference_harvest_id
    return [_past(one, figures.get(one.pk), reference, row) for one in found]


def _past(one: Any, figures: HarvestFigures | None, reference: int | None, row: Result) -> Past:
    return Past(
        harvest=one.pk, started=one.started_at or one.scheduled_at, state=one.state,
        state_label=HarvestState(one.state).label, reference=one.pk == reference, here=one.pk == row.harvest_id,
        urls=figures.urls_down if figures else 0, failed=figures.urls_failed if figures else 0,
        bytes=figures.data_amount if figures else 0, seconds=figures.elapsed if figures else 0,
        kb_per_second=round(figures.average_kb, 1) if figures else 0.0, results=one.last_number or 0,
        resources=one.last_resources or 0, advice=one.last_advice, headline=one.last_headline or "",
    )  # fmt: skip
