"""Assessments, limits and rules of review by the API."""

import pytest

from opilio.curation.actions.indicators import create_indicator
from opilio.curation.models import Indicator, MissingUrl
from opilio.jobs.models import Job
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.review.quality import HOSTILE, assessed, result_of


@pytest.fixture
def curator(office):
    """Reviews harvests of the library."""
    return office.caller(privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY})


@pytest.fixture
def manager(office):
    """Manages the limits of the library."""
    return office.caller(privileges={Privilege.MANAGE_INDICATORS: Scope.AGENCY})


@pytest.fixture
def result(yard):
    """A result that waits."""
    return result_of(yard.harvested())


def test_assessment(office, curator, result):
    """Without one it says so; with one everything is there."""
    path = f"/results/{result.pk}/assessment"
    assert curator.get(path).json()["advice"] == "none"
    assessed(office.town.system, result, reference=result.harvest_id)
    found = curator.get(path).json()
    assert found["advice"] == "patch"
    assert found["reference"] == str(result.harvest_id)
    assert found["sheet"]["look"][0]["url"] == HOSTILE
    assert {one["code"]: one["advice"] for one in found["indicators"]}["errors"] == "look"
    assert found["coverage"]["sample"] == 1


def test_ordered(curator, manager, result):
    """Who may endorse has it measured; others do not see the result."""
    answer = curator.post(f"/results/{result.pk}/assessment")
    assert (answer.status_code, answer.json()) == (202, {"result": str(result.pk)})
    assert Job.objects.filter(kind="curation.assess_result").count() == 1
    assert manager.post(f"/results/{result.pk}/assessment").status_code in (403, 404)


def test_proposals(office, curator, result):
    """Missing URLs go on the list, once; without an assessment there are none."""
    path = f"/results/{result.pk}/assessment/patch-list"
    assert curator.post(path).status_code == 404
    assessed(office.town.system, result)
    assert curator.post(path).json()["added"] == MissingUrl.objects.count() > 0
    assert curator.post(path).json()["added"] == 0


def test_limits(office, manager):
    """Set, list, show, change, take away, delete."""
    made = manager.post("/indicators", {"agency": str(office.library.id), "code": "errors", "upper": 25})
    assert made.status_code == 201
    path = f"/indicators/{made.json()['id']}"
    assert [one["code"] for one in manager.get("/indicators", q="err").json()["items"]] == ["errors"]
    changed = manager.patch(path, {"version": 1, "upper": None, "tolerance": 5})
    assert (changed.json()["upper"], changed.json()["tolerance"]) == (None, 5)
    assert manager.patch(path, {"version": 1, "upper": 3}).status_code == 409
    limits = {one["code"]: one for one in manager.get(f"/indicators/in-force/{office.library.id}").json()}
    assert limits["errors"]["own"] == made.json()["id"]
    assert limits["runtime"]["upper"] == 25_200
    assert manager.delete(path, **{"If-Match": '"2"'}).status_code == 204
    assert manager.get(path).status_code == 404


@pytest.mark.parametrize(
    "body",
    [{"code": "nothing"}, {"code": "errors", "upper": -1}, {"code": "errors", "upper": "9"}, {"code": "errors", "x": 1},
     {"code": "errors", "lower": 5, "upper": 1}, {"code": "e" * 33}],
)  # fmt: skip
def test_bad_limits(office, manager, body):
    """What is no limit is refused and kept nowhere."""
    answer = manager.post("/indicators", {"agency": str(office.library.id), **body})
    assert answer.status_code in (400, 422)
    assert not Indicator.objects.exists()


def test_limits_of_others(office, manager, curator):
    """Another agency's limits are hidden; without the privilege nothing is shown."""
    row = create_indicator(office.town.system, agency_id=office.museum.id, code="errors", upper=9)
    assert manager.get(f"/indicators/{row.pk}").status_code == 404
    assert manager.get(f"/indicators/in-force/{office.museum.id}").status_code == 404
    assert manager.post("/indicators", {"agency": str(office.museum.id), "code": "urls"}).status_code == 403
    assert curator.get("/indicators").status_code == 403


def test_rules(office, manager, curator):
    """The usual rules have version 0; setting some makes a policy."""
    path = f"/review-policies/{office.library.id}"
    assert [one["version"] for one in manager.get("/review-policies").json()] == [0]
    made = manager.put(path, {"version": 0, "four_eyes": True, "sample_percent": 20})
    assert (made.json()["four_eyes"], made.json()["sample_percent"], made.json()["version"]) == (True, 20, 1)
    assert manager.put(path, {"version": 0, "four_eyes": False}).status_code == 409
    assert manager.put(path, {"version": 1, "sample_percent": 101}).status_code == 422
    assert manager.get(path).json()["auto_endorse"] is False
    assert curator.get(path).status_code == 403
    assert manager.get(f"/review-policies/{office.museum.id}").status_code == 404
