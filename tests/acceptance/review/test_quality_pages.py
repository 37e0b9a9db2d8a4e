"""The pages of quality: the recommendation, indicators, files, limits, rules."""

import json

import pytest

from opilio.curation.actions.assessments import begin_assessment, fail_assessment
from opilio.curation.actions.indicators import create_indicator
from opilio.curation.models import Indicator, MissingUrl, ReviewPolicy
from opilio.jobs.models import Job
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.review.quality import HOSTILE, LOST, assessed, result_of


@pytest.fixture
def result(desk):
    """A result that waits."""
    return result_of(desk.harvested())


@pytest.fixture
def manager(enter):
    """Manages the limits of the library."""
    return enter("manager", privileges={Privilege.MANAGE_INDICATORS: Scope.AGENCY})


def test_review_begins_with_the_recommendation(town, reviewer, result):
    """Advice, ranked reasons, pages to look at and URLs to patch stand on the page of the result, safely written."""
    assessed(town.system, result)
    page = reviewer.see(f"/results/{result.pk}")
    assert 'Recommendation <span class="badge badge-warn">patch</span>' in page
    assert page.index("Completeness: 80.0 %") < page.index("Errors: 7")
    assert LOST in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert(1)" not in page
    assert "1 page is proposed" in page


def test_states_without_a_recommendation(town, reviewer, result):
    """Not measured, being measured, and failed each say what to do."""
    assert "No recommendation yet" in reviewer.see(f"/results/{result.pk}")
    assert "Not measured yet" in reviewer.see(f"/results/{result.pk}/quality")
    begin_assessment(result.pk, town.clock.now(), last=False)
    assert "being measured" in reviewer.see(f"/results/{result.pk}")
    assert "It is being measured" in reviewer.see(f"/results/{result.pk}/quality")
    fail_assessment(town.system, result_id=result.pk, reason="The file is damaged <b>.")
    for path in ("", "/quality"):
        assert "The file is damaged &lt;b&gt;." in reviewer.see(f"/results/{result.pk}{path}")


def test_quality_page(town, reviewer, result):
    """Every part of the sheet is shown, with plots, and no markup of others."""
    assessed(town.system, result, reference=result.harvest_id)
    page = reviewer.see(f"/results/{result.pk}/quality")
    for words in ("Indicators", "8 of 10 embedded files", "Sample to look at", "1 cluster of similar pages",
                  "Important pages in replay", "95 URLs match (3 of them changed)", "URLs by host",
                  "Answers by status", "10.0 %", "25.0 %", "/quality/checks.csv", "/quality/patch.csv"):  # fmt: skip
        assert words in page, words
    assert "<script>alert(1)" not in page
    assert "<i>Owls</i>" not in page


@pytest.mark.parametrize(
    "name", ["indicators", "completeness", "patch", "clusters", "sample", "checks", "differential", "hosts"]
)
def test_tables(town, reviewer, result, name):
    """Each part is a file for spreadsheets."""
    assessed(town.system, result)
    answer = reviewer.get(f"/results/{result.pk}/quality/{name}.csv")
    lines = b"".join(answer.streaming_content).decode().splitlines()
    assert len(lines) > 1
    assert answer["Content-Disposition"] == f'attachment; filename="result-{result.pk}-{name}.csv"'


def test_json_and_unknown_table(town, reviewer, result):
    """The whole assessment is a document; a table that there is none of is not found."""
    assessed(town.system, result)
    document = json.loads(b"".join(reviewer.get(f"/results/{result.pk}/quality/assessment.json").streaming_content))
    assert document["advice"] == "patch"
    assert document["sheet"]["look"][0]["url"] == HOSTILE
    assert reviewer.get(f"/results/{result.pk}/quality/nothing.csv").status_code == 404


def test_assess_again(reviewer, result):
    """A press has it measured; a result that is none is told."""
    answer = reviewer.send(f"/results/{result.pk}/quality/assess")
    assert answer.status_code == 302
    assert Job.objects.filter(kind="curation.assess_result").count() == 1
    result.imported = True
    result.save()
    reviewer.send(f"/results/{result.pk}/quality/assess")
    assert "has no files to be measured" in reviewer.see(f"/results/{result.pk}/quality")


def test_proposals_into_the_patch_list(town, reviewer, result):
    """A press takes the missing URLs into the list; without any the page says so."""
    reviewer.send(f"/results/{result.pk}/quality/patch-list")
    assert "found no URL to patch" in reviewer.see(f"/results/{result.pk}/quality")
    assessed(town.system, result)
    assert reviewer.send(f"/results/{result.pk}/quality/patch-list")["Location"] == f"/results/{result.pk}/missing"
    assert MissingUrl.objects.filter(url=LOST, noticed="embed").count() == 1


def test_reader_without_the_privilege(town, enter, result):
    """Who may only look is offered no button, and a press is refused."""
    assessed(town.system, result)
    reader = enter("reader", privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})
    assert "Assess again" not in reader.see(f"/results/{result.pk}")
    assert reader.send(f"/results/{result.pk}/quality/assess").status_code == 403


def test_limits(manager, town):
    """An agency sets a limit, changes it, and sees all that are in force."""
    assert "The usual limits hold" in manager.see("/admin/indicators")
    data = {"agency": town.library.id, "code": "errors", "upper": "25", "active": "on"}
    assert manager.send("/admin/indicators/new", data).status_code == 302
    row = Indicator.objects.get()
    assert (row.upper, row.lower, row.tolerance, row.active) == (25, None, None, True)
    in_force = manager.see("/admin/indicators/in-force")
    assert "at most 25" in in_force
    assert ("± 10 % of the reference" in in_force, "+ 10 % of the reference" in in_force) == (True, True)
    answer = manager.send(f"/admin/indicators/{row.pk}", {"version": 1, "tolerance": "5", "upper": ""})
    assert answer.status_code == 302
    row.refresh_from_db()
    assert (row.upper, row.tolerance, row.active) == (None, 5, False)
    assert "not counted" in manager.see("/admin/indicators")


@pytest.mark.parametrize(
    "data",
    [{"upper": "-1"}, {"upper": "nan"}, {"upper": "1e99"}, {"lower": "5", "upper": "4"}, {"code": "<b>"},
     {"tolerance": "much"}],
)  # fmt: skip
def test_bad_limits(manager, town, data):
    """What is no limit is told beside its field, and nothing is kept."""
    answer = manager.send("/admin/indicators/new", {"agency": town.library.id, "code": "errors", **data})
    assert answer.status_code in (400, 422)
    assert not Indicator.objects.exists()


def test_limits_twice(manager, town):
    """An agency has one row for an indicator."""
    create_indicator(town.system, agency_id=town.library.id, code="errors", upper=9)
    answer = manager.send("/admin/indicators/new", {"agency": town.library.id, "code": "errors", "upper": "8"})
    assert answer.status_code in (400, 409, 422)
    assert Indicator.objects.get().upper == 9


def test_stale_limits(manager, town):
    """Who changes what somebody else changed meanwhile sees both."""
    row = create_indicator(town.system, agency_id=town.library.id, code="errors", upper=9)
    manager.send(f"/admin/indicators/{row.pk}", {"version": 1, "upper": "8"})
    assert manager.send(f"/admin/indicators/{row.pk}", {"version": 1, "upper": "7"}).status_code == 409


def test_limits_of_others(manager, town):
    """Another agency's limits are not to be seen."""
    row = create_indicator(town.system, agency_id=town.museum.id, code="errors", upper=9)
    assert manager.get(f"/admin/indicators/{row.pk}").status_code == 404
    assert manager.send("/admin/indicators/new", {"agency": town.museum.id, "code": "urls"}).status_code == 422


def test_rules_of_review(manager, town):
    """Everything is off until somebody switches it on; the first save makes the policy, a stale one shows both."""
    path = f"/admin/review-policy/{town.library.id}"
    assert "Library" in manager.see("/admin/review-policy")
    assert "Museum" not in manager.see("/admin/review-policy")
    data = {"version": 0, "auto_endorse": "on", "auto_endorse_after": 2, "check_pages": 3, "sample_percent": 10,
            "delist_after": 0}  # fmt: skip
    assert manager.send(path, data).status_code == 302
    row = ReviewPolicy.objects.get()
    assert (row.auto_endorse, row.four_eyes, row.check_pages, row.delist_after) == (True, False, 3, 0)
    assert "after 2" in manager.see("/admin/review-policy")
    assert manager.send(path, data).status_code == 409
    assert manager.send(path, {**data, "version": 1, "sample_percent": 101}).status_code in (400, 422)
    assert manager.get(f"/admin/review-policy/{town.museum.id}").status_code == 404
