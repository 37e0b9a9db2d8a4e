"""How the pages of a target or group change: what each harvest found, the rate, and how often to harvest therefore."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from opilio.curation import change_rate
from opilio.curation.change_rate import Comparison, Rate, Suggestion
from opilio.curation.last_good import GOOD
from opilio.curation.look_ahead import next_times
from opilio.curation.models import AbstractTarget, Harvest, HarvestChanges, Schedule
from opilio.curation.planning import dates_of
from opilio.people.actor import Actor
from opilio.works.change_history import ChangeHistory, PageHistory
from opilio.works.harvest_changes import history_file

MOST_HARVESTS = 200  # the last ones, that the rate rests on
_TIMES = 13  # of a schedule, from which its frequency is taken
_CLOSE = 1.5  # times apart that still counts as the same frequency


@dataclass(frozen=True, kw_only=True)
class Found:
    """What one harvest found changed."""

    harvest: int
    began: datetime
    since: int | None
    days: float
    not_modified: int
    same: int
    changed: int
    new: int
    gone: int

    @property
    def checked(self) -> int:
        """Pages that were there both times."""
        return self.not_modified + self.same + self.changed

    @property
    def share(self) -> float | None:
        """The part of them that changed; None where there was none."""
        return self.changed / self.checked if self.checked else None


@dataclass(frozen=True, kw_only=True)
class PageChanges:
    """What is known of one page, with its rate where that can be said."""

    history: PageHistory
    rate: Rate | None


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """How a target changes, and what follows from that."""

    found: Sequence[Found]  # newest first
    comparisons: int
    rate: Rate | None
    suggestion: Suggestion | None
    scheduled: float | None  # days between harvests as planned now
    verdict: str


def found_by(row: Harvest) -> Found | None:
    """What a harvest found changed; None before it ended, and where that could not be counted."""
    changes = HarvestChanges.objects.select_related("harvest").filter(harvest_id=row.pk).first()
    return _found(changes) if changes is not None else None


def evidence(actor: Actor, row: AbstractTarget) -> Evidence:
    """Of all good harvests of a target or group that the asker may see."""
    rows = HarvestChanges.objects.select_related("harvest").filter(
        harvest__abstract_target_id=row.pk, harvest__state__in=GOOD, harvest__deleted=False
    )
    found = [_found(one) for one in rows.order_by("-harvest__started_at", "-harvest_id")[:MOST_HARVESTS]]
    told = [Comparison(days=one.days, checked=one.checked, changed=one.changed) for one in found]
    rate = change_rate.target_rate(told)
    suggested = change_rate.suggestion(rate) if rate is not None else None
    scheduled = days_between(row, actor.clock.now())
    return Evidence(
        found=found, comparisons=sum(1 for one in told if one.days > 0 and one.checked), rate=rate,
        suggestion=suggested, scheduled=scheduled, verdict=_verdict(suggested, scheduled),
    )  # fmt: skip


def pages(row: AbstractTarget, *, text: str = "", limit: int = 100, offset: int = 0) -> list[PageChanges]:
    """The pages that change most often first; `OpilioError` where their history is not on this machine."""
    with ChangeHistory(history_file(settings.OPILIO.home, row.pk)) as history:
        found = history.pages(text=text, limit=limit, offset=offset)
    return [
        PageChanges(
            history=one, rate=change_rate.page_rate(checks=one.checks, changes=one.changes, days=one.days)
        )
        for one in found
    ]  # fmt: skip


def days_between(row: AbstractTarget, now: datetime) -> float | None:
    """How many days lie between harvests as the schedules of a target or group plan them; None: nothing is planned."""
    often = 0.0  # harvests a day
    for schedule in Schedule.objects.filter(abstract_target_id=row.pk, paused=False):
        times = next_times(dates_of(schedule), now, _TIMES)
        if len(times) > 1:
            often += (len(times) - 1) / ((times[-1] - times[0]) / timedelta(days=1))
    return 1 / often if often else None


def _found(row: HarvestChanges) -> Found:
    return Found(
        harvest=row.harvest_id, began=row.harvest.started_at or row.harvest.scheduled_at, since=row.since_id,
        days=row.days, not_modified=row.not_modified, same=row.same, changed=row.changed, new=row.new, gone=row.gone,
    )  # fmt: skip


def _verdict(suggested: Suggestion | None, scheduled: float | None) -> str:
    if suggested is None:
        return f"There is not enough evidence yet: {change_rate.LEAST_COMPARISONS} harvests must be compared."
    if scheduled is None:
        return f"Nothing is scheduled; {suggested.name} would do."
    if scheduled > suggested.days * _CLOSE:
        return f"It is harvested more rarely than its pages change; {suggested.name} is suggested."
    if scheduled * _CLOSE < suggested.days:
        return f"It is harvested more often than its pages change; {suggested.name} would do."
    return "It is harvested about as often as its pages change."
