"""The job AssessResult on really sealed folders: kept, failed, endorsed by rule."""

import dataclasses
from datetime import timedelta

import pytest

from opilio.agents.assess import assess_result
from opilio.agents.context import RunContext
from opilio.curation.actions.assessments import NotWhole, assess_again
from opilio.curation.assess_jobs import AssessResult, assess_soon
from opilio.curation.coverage import coverage
from opilio.curation.models import (
    Advice,
    Assessment,
    HarvestChanges,
    HarvestState,
    Indicator,
    IndicatorValue,
    MissingUrl,
    PageVerdict,
    Result,
    ResultState,
    ReviewPolicy,
)
from opilio.curation.patch_proposals import NothingProposed, take_proposals
from opilio.jobs import claims
from opilio.jobs.models import Job
from opilio.jobs.states import JobState
from opilio.kernel.errors import Missing
from opilio.people.models import AuditEntry, Notification
from tests.people import Town
from tests.review_desk import ReviewDesk, at_home, crawled

LEASE = timedelta(seconds=60)


@pytest.fixture
def desk(db, settings, tmp_path):
    """A desk whose home is the test's own, without a browser."""
    at_home(settings, tmp_path)
    settings.OPILIO = dataclasses.replace(settings.OPILIO, quality_replay_check=False)
    return ReviewDesk(Town())


def result_of(harvest, number=1):
    """A result of a harvest."""
    return Result.objects.get(harvest=harvest, number=number)


def assess(desk, result, *, attempts=1):
    """Have a result assessed as an agent does; what the last attempt raised is raised."""
    assess_soon(result.pk, desk.now)
    for _ in range(attempts):
        desk.town.clock.advance(3_600)
        (claimed,) = claims.claim(owner="agent", limit=1, now=desk.now, lease=LEASE)
        context = RunContext(claimed, clock=desk.town.clock, lease=LEASE)
        try:
            assess_result(AssessResult(result=result.pk), context)
            return Assessment.objects.filter(result=result).first()
        except Missing as error:
            failed = error
            claims.fail(claimed, str(error), now=desk.now, jitter=0.5)
    raise failed


def policy(desk, **fields):
    """The review policy of the library."""
    ReviewPolicy(agency=desk.town.library, **desk._moments(), **fields).save()


def accept_all(desk):
    """Limits by which the small site is good."""
    for code in ("content", "runtime", "errors", "completeness", "replay"):
        Indicator(agency=desk.town.library, code=code, active=False, **desk._moments()).save()


def test_assessed(desk, tmp_path):
    """Indicators, reasons, pages to look at and URLs to patch are kept, and the owner is told."""
    result = result_of(desk.sealed(tmp_path))
    found = assess(desk, result)
    assert found.advice == Advice.PATCH
    assert found.headline.startswith("Patch 1 URL. Completeness: 66.7 %")
    assert found.pages == 5
    assert found.digest == result.digest
    assert found.sheet["look"][0]["url"] == crawled().url("/owls.html")
    assert [one["url"] for one in found.sheet["patch"]] == [crawled().url("/lost.png")]
    assert IndicatorValue.objects.get(assessment=found, code="errors").value == 2
    notice = Notification.objects.get(kind="result-assessed")
    assert (notice.user_id, notice.resource_type, notice.resource_id) == (result.harvest.owner_id, "result", result.pk)
    assert Job.objects.get().state == JobState.DONE


def test_compared_with_the_last_endorsed(desk, tmp_path):
    """The last endorsed harvest is the reference; what it had and this one lacks is missing."""
    first = desk.sealed(tmp_path, state=HarvestState.ENDORSED)
    Result.objects.filter(harvest=first).update(state=ResultState.ENDORSED)
    second = desk.sealed(tmp_path, first.abstract_target, results=2)
    found = assess(desk, result_of(second, 2))
    assert found.reference == first.pk
    assert found.sheet["differential"]["missing"]["listed"] == [crawled().url("/herons.html")]


def test_denoted_reference_comes_first(desk, tmp_path):
    """The harvest that somebody denoted is the reference, not the last one."""
    first = desk.sealed(tmp_path, state=HarvestState.ARCHIVED)
    target = first.abstract_target
    desk.sealed(tmp_path, target, state=HarvestState.ENDORSED)
    target.reference_harvest = first
    target.save(update_fields=["reference_harvest"])
    assert assess(desk, result_of(desk.sealed(tmp_path, target))).reference == first.pk


def test_reference_elsewhere(desk, tmp_path):
    """A reference whose data is not here is told, and nothing else changes."""
    first = desk.harvested(state=HarvestState.ARCHIVED)
    found = assess(desk, result_of(desk.sealed(tmp_path, first.abstract_target)))
    assert found.reference is None
    assert "is not on this machine" in found.sheet["not_compared"]


def test_again_replaces(desk, tmp_path):
    """A second assessment takes the place of the first; values do not pile up."""
    result = result_of(desk.sealed(tmp_path))
    first = assess(desk, result)
    count = IndicatorValue.objects.count()
    assert assess(desk, result).pk == first.pk
    assert IndicatorValue.objects.count() == count


def test_folder_elsewhere(desk):
    """Data that is not here is tried again, and in the end the assessment failed; review goes on."""
    result = result_of(desk.harvested())
    with pytest.raises(Missing):
        assess(desk, result)
    assert Assessment.objects.get().advice == Advice.RUNNING
    Job.objects.all().delete()
    found = assess(desk, result, attempts=5)
    assert found.advice == Advice.FAILED
    assert "not here" in found.failure
    assert Result.objects.get(pk=result.pk).state == ResultState.UNASSESSED


def test_damaged_folder_fails_at_once(desk, tmp_path):
    """A damaged result needs no second attempt."""
    harvest = desk.sealed(tmp_path)
    (tmp_path / "harvests" / str(harvest.pk) / "results" / "result-1.db").write_bytes(b"x" * 4_096)
    assert assess(desk, result_of(harvest)).advice == Advice.FAILED


def test_gone_result(desk):
    """A result that was undone meanwhile is left alone."""
    result = result_of(desk.harvested())
    Result.objects.filter(pk=result.pk).update(state=ResultState.ABORTED)
    assert assess(desk, result) is None


def test_unchanged_site_is_delisted(desk, tmp_path):
    """Two harvests in a row that found nothing changed: delist."""
    accept_all(desk)
    first = desk.harvested(state=HarvestState.ARCHIVED)
    harvests = [desk.sealed(tmp_path, first.abstract_target, scheduled_at=desk.now) for _ in range(2)]
    for before, harvest in zip([first, harvests[0]], harvests, strict=True):
        HarvestChanges(harvest=harvest, since=before, same=5).save()
    assert assess(desk, result_of(harvests[1])).advice == Advice.DELIST


@pytest.mark.parametrize("four_eyes", [False, True])
def test_endorsed_by_rule(desk, tmp_path, four_eyes):
    """Where the agency says so, and two people need not agree, a good result is endorsed; the audit log says why."""
    accept_all(desk)
    policy(desk, auto_endorse=True, auto_endorse_after=1, four_eyes=four_eyes)
    first = desk.sealed(tmp_path, state=HarvestState.ENDORSED)
    person = desk.town.user().id
    Result.objects.filter(harvest=first).update(state=ResultState.ENDORSED, decided_by_id=person)
    second = desk.sealed(tmp_path, first.abstract_target)
    assert assess(desk, result_of(second)).advice == Advice.ENDORSE
    expected = ResultState.UNASSESSED if four_eyes else ResultState.ENDORSED
    assert result_of(second).state == expected
    told = AuditEntry.objects.filter(action="result.endorse", message__contains="by the rule of the agency")
    assert told.exists() is not four_eyes


@pytest.mark.parametrize("why", ["off", "too few", "bad page", "advice"])
def test_not_endorsed_by_rule(desk, tmp_path, why):
    """Off by default; and whatever speaks against it leaves the decision to people."""
    if why != "advice":
        accept_all(desk)
    if why != "off":
        policy(desk, auto_endorse=True, auto_endorse_after=2 if why == "too few" else 1)
    first = desk.sealed(tmp_path, state=HarvestState.ENDORSED)
    person = desk.town.user().id
    Result.objects.filter(harvest=first).update(state=ResultState.ENDORSED, decided_by_id=person)
    second = desk.sealed(tmp_path, first.abstract_target)
    if why == "bad page":
        PageVerdict(harvest=second, result=1, url="http://a/", key="x", verdict="bad", by_id=person,
                    **desk._moments()).save()  # fmt: skip
    assess(desk, result_of(second))
    assert result_of(second).state == ResultState.UNASSESSED


def test_coverage(desk, tmp_path):
    """A verdict stands for its cluster; pages, clusters and the sample that were seen are counted."""
    result = result_of(desk.sealed(tmp_path))
    assert coverage(result).pages_seen == 0
    assess(desk, result)
    person = desk.town.user().id
    for path, verdict in (("/nests/1.html", "good"), ("/owls.html", "bad")):
        url = crawled().url(path)
        PageVerdict(harvest=result.harvest, result=1, url=url, key=url, verdict=verdict, by_id=person,
                    **desk._moments()).save()  # fmt: skip
    found = coverage(result)
    assert (found.pages, found.pages_seen, found.clusters_seen, found.standing_for, found.bad) == (5, 2, 2, 3, 1)
    assert found.share == 0.6


def test_proposals_go_on_the_list(desk, tmp_path):
    """What the assessment found missing is taken into the list for a patch, once."""
    result = result_of(desk.sealed(tmp_path))
    with pytest.raises(NothingProposed):
        take_proposals(desk.town.system, result)
    assess(desk, result)
    assert take_proposals(desk.town.system, result).added == 1
    assert take_proposals(desk.town.system, result).added == 0
    row = MissingUrl.objects.get()
    assert (row.url, row.noticed) == (crawled().url("/lost.png"), "embed")


def test_ordered_again(desk, tmp_path):
    """A person orders it once, however often they press; a result without files is refused."""
    result = result_of(desk.sealed(tmp_path))
    assess_again(desk.town.system, result_id=result.pk)
    assess_again(desk.town.system, result_id=result.pk)
    assert Job.objects.count() == 1
    Result.objects.filter(pk=result.pk).update(state=ResultState.ABORTED)
    with pytest.raises(NotWhole):
        assess_again(desk.town.system, result_id=result.pk)
