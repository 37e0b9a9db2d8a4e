"""Results for the reports on quality: those made in a time, with what was advised and what people decided."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F, Q, QuerySet

from opilio.curation.models import Advice, Result, ResultState
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import visible

_OVER = (ResultState.CRAWLING, ResultState.MODIFYING, ResultState.ABORTED)


@dataclass(frozen=True, kw_only=True)
class AdviceCount:
    """What became of the results of one agency of which the same was advised."""

    agency: str
    advice: Advice
    results: int
    endorsed: int
    rejected: int
    waiting: int
    by_rule: int  # endorsed without a person
    hours: float | None  # from being made to the decision, on average

    @property
    def agreed(self) -> float | None:
        """Share of decisions that followed the advice, in percent; None where there is none to follow."""
        decided = self.endorsed + self.rejected
        if not decided or self.advice not in (Advice.ENDORSE, Advice.REJECT):
            return None
        followed = self.endorsed if self.advice == Advice.ENDORSE else self.rejected
        return round(100 * followed / decided, 1)


def reviewed(
    actor: Actor, *, since: datetime.datetime, until: datetime.datetime, agency: int | None = None, user: str = ""
) -> QuerySet[Result]:
    """Results made in the time, that are whole."""
    rows = Result.objects.filter(made_at__gte=since, made_at__lt=until).exclude(state__in=_OVER)
    found: QuerySet[Result] = visible(
        rows, actor, Privilege.SYSTEM_REPORT_LEVEL_1, agency_path="harvest__agency_id"
    )  # fmt: skip
    found = found.filter(harvest__agency_id=agency) if agency is not None else found
    found = found.filter(harvest__owner__username__iexact=user) if user else found
    related = ("harvest__abstract_target", "harvest__agency", "harvest__owner", "assessment", "decided_by")
    return found.select_related(*related).order_by("made_at", "id")


def advice_counts(rows: QuerySet[Result]) -> Iterator[AdviceCount]:
    """By agency and advice."""
    endorsed, rejected = Q(state=ResultState.ENDORSED), Q(state=ResultState.REJECTED, decided_at__isnull=False)
    lasted = ExpressionWrapper(F("decided_at") - F("made_at"), output_field=DurationField())
    found = rows.order_by().values("harvest__agency__name", "assessment__advice").annotate(
        results=Count("pk"), endorsed=Count("pk", filter=endorsed), rejected=Count("pk", filter=rejected),
        waiting=Count("pk", filter=Q(state=ResultState.UNASSESSED) | Q(state=ResultState.INDEXING)),
        by_rule=Count("pk", filter=endorsed & Q(decided_by__isnull=True)),
        lasted=Avg(lasted, filter=Q(decided_at__isnull=False)),
    )  # fmt: skip
    for row in found.order_by("harvest__agency__name", "assessment__advice"):
        hours = row["lasted"].total_seconds() / 3_600 if row["lasted"] is not None else None
        yield AdviceCount(
            agency=row["harvest__agency__name"], advice=Advice(row["assessment__advice"] or Advice.NONE),
            results=row["results"], endorsed=row["endorsed"], rejected=row["rejected"], waiting=row["waiting"],
            by_rule=row["by_rule"], hours=None if hours is None else round(hours, 2),
        )  # fmt: skip
