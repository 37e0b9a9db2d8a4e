"""Does the job AssessResult: measures a result where its files lie, replays important pages, recommends.

Nothing is written before all is known, and that in one transaction with the end of the job: whoever falls in between is
followed by another who measures again. A result that cannot be measured is told so, and reviewed all the same.
"""

from dataclasses import replace

from django.conf import settings

from opilio.agents.context import Interrupted, RunContext
from opilio.curation.actions.assessments import Made, begin_assessment, fail_assessment, keep_assessment
from opilio.curation.actions.result_decisions import endorse_result
from opilio.curation.assess_jobs import AssessResult
from opilio.curation.assessing import Subject, subject_of
from opilio.curation.auto_endorsing import against, facts_of, note_of
from opilio.curation.harvest_folders import folder_of
from opilio.curation.recommending import Known, Recommendation, recommend
from opilio.curation.site_health import Finding, examined
from opilio.jobs.errors import Fenced
from opilio.kernel.config import environment
from opilio.kernel.errors import Damaged, InvalidInput, Missing, OpilioError
from opilio.kernel.logs import logger
from opilio.people.actor import Actor, system
from opilio.works.quality.checking import Checking, check
from opilio.works.quality.measuring import Place, Sampled, measure
from opilio.works.quality.values import Checks
from opilio.works.seed_facts import seed_facts

_FINAL = (Damaged, InvalidInput)  # trying again would not help

_log = logger(__name__)


def assess_result(payload: AssessResult, context: RunContext) -> None:
    """Measure it, or say why not."""
    subject = subject_of(payload.result)
    if subject is None:
        return
    last = context.claimed.attempt >= context.claimed.max_attempts
    begin_assessment(subject.result, context.clock.now(), last=last)
    work = _Assessing(subject, context)
    try:
        work.settle(work.known())
    except (Fenced, Interrupted):
        raise
    except OpilioError as error:
        if not last and not isinstance(error, _FINAL):
            raise
        work.fail(error)


class _Assessing:
    """One attempt at one result."""

    def __init__(self, subject: Subject, context: RunContext) -> None:
        self._subject = subject
        self._context = context
        self._actor: Actor = system(name="agent", clock=context.clock)
        self._place = Place(folder=folder_of(subject.harvest).path, number=subject.number)

    def known(self) -> Known:
        """All that the recommendation rests on."""
        subject = self._subject
        if not folder_of(subject.harvest).sealed():
            remedy = "Run an agent where the data of the harvest lies, or share the home folder."
            raise Missing("the result of the harvest is not here", where=str(self._place.folder), remedy=remedy)
        before = self._before()
        found = measure(self._place, before=before, percent=subject.rules.sample_percent, told=self._told("measured"))
        if subject.reference is not None and before is None:
            away = f"The data of {subject.reference.words} is not on this machine."
            found = replace(found, measured=replace(found.measured, not_compared=away))
        measured = replace(found.measured, checks=self._checks(found, before))
        return Known(
            measured=measured, sample=found.sample, findings=self._findings(), unchanged=subject.unchanged,
            reference=subject.reference.words if subject.reference and measured.differential else "",
        )  # fmt: skip

    def settle(self, known: Known) -> None:
        """Write it down, and endorse the result where a rule of its agency says so."""
        subject = self._subject
        made = recommend(known, subject.limits)
        reference = subject.reference.harvest if subject.reference and known.measured.differential else None
        with self._context.finishing():
            keep_assessment(
                self._actor, result_id=subject.result,
                made=Made(known=known, recommendation=made, digest=subject.digest, reference=reference),
            )  # fmt: skip
            self._endorse(made, compared=known.measured.differential is not None)
        _log.info("assessment_kept", result=subject.result, advice=made.advice.label)

    def fail(self, error: OpilioError) -> None:
        """People decide without it."""
        with self._context.finishing():
            fail_assessment(self._actor, result_id=self._subject.result, reason=str(error))
        _log.warning("assessment_failed", result=self._subject.result, error=str(error))

    def _endorse(self, made: Recommendation, *, compared: bool) -> None:
        facts = facts_of(self._subject.result)
        if against(self._subject, made, facts, compared=compared):
            return
        try:
            endorse_result(self._actor, result_id=self._subject.result, note=note_of(made, facts))
        except OpilioError as error:
            _log.warning("auto_endorse_refused", result=self._subject.result, error=str(error))

    def _before(self) -> Place | None:
        reference = self._subject.reference
        if reference is None or not folder_of(reference.harvest).sealed():
            return None
        return Place(folder=folder_of(reference.harvest).path, number=reference.result)

    def _checks(self, found: Sampled, before: Place | None) -> Checks:
        wanted = found.measured.important[: self._subject.rules.check_pages]
        if not settings.OPILIO.quality_replay_check or not self._subject.rules.check_pages:
            return Checks(why_not="Not checked: switched off.")
        checking = Checking(
            before=before, program=settings.OPILIO.browser_program, live=settings.OPILIO.quality_live_check,
            environ=environment(), clock=self._context.clock, told=self._told("pages replayed"),
        )  # fmt: skip
        return check(self._place, wanted, checking)

    def _findings(self) -> list[Finding]:
        return examined(seed_facts(folder_of(self._subject.harvest)))

    def _told(self, what: str) -> "_Told":
        return _Told(self._context, what)


class _Told:
    """Says how far it is, and leaves where it should."""

    def __init__(self, context: RunContext, what: str) -> None:
        self._context = context
        self._what = what

    def __call__(self, done: int) -> None:
        self._context.check()
        self._context.progress(None, f"{done:,} {self._what}")
