"""Assessments of results: ordered by people, written down by the agent that measured."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from opilio.curation.assess_jobs import assess_soon
from opilio.curation.assessment_sheets import sheet_of
from opilio.curation.judging import Judged
from opilio.curation.kinds import RESULT
from opilio.curation.models import Advice, Assessment, IndicatorValue, Result
from opilio.curation.recommending import Known, Recommendation
from opilio.curation.result_workflow import WHOLE
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.intray import Category, Resource, notify
from opilio.people.privileges import Privilege

NOTICE = "result-assessed"


class NotWhole(Conflict):
    """The result has no files that could be measured."""


@dataclass(frozen=True, kw_only=True)
class Made:
    """What an assessment came to."""

    known: Known
    recommendation: Recommendation
    digest: str  # of the result that was measured
    reference: int | None  # harvest


@action("result.assess", "Have a result measured anew.", privilege=Privilege.ENDORSE_HARVEST)
def assess_again(act: Act, /, *, result_id: int) -> Result:
    """The recommendation that is there stays until the new one comes."""
    row: Result = act.fetch(RESULT, result_id)
    act.require(Privilege.ENDORSE_HARVEST, RESULT.subject(row), f"have {row} assessed")
    if row.state not in WHOLE or row.imported or row.harvest.purged:
        raise NotWhole(f"{row} has no files to be measured", where=act.name, remedy="Choose a result that is whole.")
    assess_soon(row.pk, act.clock.now())
    act.record(row, message="It is assessed again.")
    return row


@action("result.assessed", "A result was measured, and something is recommended.")
def keep_assessment(act: Act, /, *, result_id: int, made: Made) -> Assessment | None:
    """In place of what was there; the owner of the harvest is told."""
    row = _locked(act, result_id)
    if row is None:
        return None
    advice, measured = made.recommendation.advice, made.known.measured
    complete = measured.completeness.share
    found = _written(row, {
        "made_at": act.clock.now(), "advice": advice, "headline": made.recommendation.headline, "failure": "",
        "reference": made.reference, "pages": measured.figures.pages, "clusters": measured.clusters_total,
        "sample": len(made.known.sample), "completeness": None if complete is None else round(complete, 6),
        "sheet": sheet_of(made.known, made.recommendation), "digest": made.digest,
    })  # fmt: skip
    IndicatorValue.objects.bulk_create(_value(found, one) for one in made.recommendation.judged)
    act.record(row, message=found.headline, after={"advice": advice.label, "digest": made.digest})
    _tell(act, row, advice, found.headline)
    return found


@action("result.assess_failed", "A result could not be measured; it can be reviewed all the same.")
def fail_assessment(act: Act, /, *, result_id: int, reason: str) -> None:
    """People decide without a recommendation, or have it measured again."""
    row = _locked(act, result_id)
    if row is None:
        return
    headline = "It could not be assessed; decide by looking, or have it assessed again."
    _written(row, {**_EMPTY, "made_at": act.clock.now(), "advice": Advice.FAILED, "headline": headline,
                   "failure": reason[:4_000]})  # fmt: skip
    act.record(row, message=f"Not assessed: {reason[:500]}")
    _tell(act, row, Advice.FAILED, f"{headline} {reason}")


def begin_assessment(result_id: int, now: datetime, *, last: bool) -> None:
    """Show that it is measured now; not audited. If the last attempt breaks off, that stands here already."""
    broken = {"advice": Advice.FAILED, "failure": "Every attempt to measure it broke off."}
    known = Assessment.objects.filter(result_id=result_id).first()
    if known is None:
        values = broken if last else {"advice": Advice.RUNNING}
        Assessment.objects.get_or_create(result_id=result_id, defaults={**_EMPTY, "made_at": now, **values})
    elif last and known.advice == Advice.RUNNING:
        Assessment.objects.filter(pk=known.pk).update(**broken)


_EMPTY: dict[str, Any] = {
    "reference": None, "pages": 0, "clusters": 0, "sample": 0, "completeness": None, "sheet": {}, "digest": "",
}  # fmt: skip


def _locked(act: Act, result_id: int) -> Result | None:
    act.require_that(act.actor.is_system, "write assessments", "Only agents do.")
    rows = Result.objects.select_for_update(of=("self",)).select_related("harvest__abstract_target")
    found: Result | None = rows.filter(pk=result_id).first()
    return found


def _written(row: Result, values: dict[str, Any]) -> Assessment:
    found, _ = Assessment.objects.update_or_create(result=row, defaults=values)
    IndicatorValue.objects.filter(assessment=found).delete()
    return found


def _value(assessment: Assessment, one: Judged) -> IndicatorValue:
    return IndicatorValue(
        assessment=assessment, code=one.code, value=one.value, reference=one.reference, tolerance=one.limit.tolerance,
        lower=one.limit.lower, upper=one.limit.upper, advice=one.advice, reason=one.reason, evidence=list(one.lines),
    )  # fmt: skip


def _tell(act: Act, row: Result, advice: Advice, headline: str) -> None:
    subject = f"The harvest of {row.harvest.abstract_target} is assessed: {advice.label.lower()}"
    notify(
        [row.harvest.owner_id], kind=NOTICE, category=Category.GENERAL, now=act.clock.now(),
        sender=act.actor.username, subject=subject, message=headline[:4_000],
        resource=Resource(kind="result", id=row.pk),
    )  # fmt: skip
