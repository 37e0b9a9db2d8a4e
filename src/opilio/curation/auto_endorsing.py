"""Whether a result may be endorsed by rule, without a person; off until an agency switches it on."""

from collections.abc import Sequence
from dataclasses import dataclass

from opilio.curation.assessing import Subject
from opilio.curation.models import Advice, HarvestState, PageVerdict, Result, ResultState, Verdict
from opilio.curation.recommending import Recommendation

_KEPT = (HarvestState.ENDORSED, HarvestState.ARCHIVING, HarvestState.ARCHIVED)


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What the rule looks at beside the recommendation."""

    harvest_state: str
    only_result: bool  # no other result of the harvest waits
    endorsed_before: int  # harvests of the target that people endorsed
    called_bad: int  # pages


def facts_of(result_id: int) -> Facts:
    """As they are now."""
    row = Result.objects.select_related("harvest").get(pk=result_id)
    others = Result.objects.filter(harvest=row.harvest).exclude(pk=row.pk)
    before = Result.objects.filter(
        harvest__abstract_target_id=row.harvest.abstract_target_id, state=ResultState.ENDORSED,
        decided_by__isnull=False, harvest__state__in=_KEPT,
    )  # fmt: skip
    bad = PageVerdict.objects.filter(harvest=row.harvest, result=row.number, verdict=Verdict.BAD)
    return Facts(
        harvest_state=row.harvest.state, only_result=not others.exists(),
        endorsed_before=before.values("harvest_id").distinct().count(), called_bad=bad.count(),
    )  # fmt: skip


def against(subject: Subject, made: Recommendation, facts: Facts, *, compared: bool) -> Sequence[str]:
    """What speaks against endorsing by rule; nothing: it may be done. Pure."""
    rules = subject.rules
    conditions = (
        (rules.auto_endorse, "the agency does not endorse by rule"),
        (not rules.four_eyes, "the agency wants two people to agree"),
        (subject.waiting and facts.harvest_state == HarvestState.HARVESTED, "it is decided, or being worked on"),
        (facts.only_result, "somebody derived other results"),
        (made.advice == Advice.ENDORSE, "an indicator advises otherwise"),
        (compared, "it could not be compared with an earlier harvest"),
        (facts.endorsed_before >= rules.auto_endorse_after,
         f"people endorsed {facts.endorsed_before} earlier harvests, and {rules.auto_endorse_after} are needed"),
        (not facts.called_bad, "somebody called a page bad"),
    )  # fmt: skip
    return [words for holds, words in conditions if not holds]


def note_of(made: Recommendation, facts: Facts) -> str:
    """Why it was endorsed, for the audit log."""
    return (
        f"Endorsed by the rule of the agency: {len(made.judged)} indicators advise it, and people endorsed "
        f"{facts.endorsed_before} earlier harvests of the target. {made.headline}"
    )
