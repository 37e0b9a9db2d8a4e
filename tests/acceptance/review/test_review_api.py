"""Results, decisions and flags by the API."""

from opilio.curation.models import Harvest, HarvestState, Result, ResultState, Target
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.review.conftest import MANAGE, REVIEW


def result_of(harvest, number=1):
    return Result.objects.get(harvest=harvest, number=number)


def caller_of(office, **more):
    return office.caller(privileges={**REVIEW, **MANAGE}, **more)


def test_results_are_listed_and_shown(office, yard):
    """With filters; only those of one's own agencies."""
    caller = caller_of(office)
    harvest = yard.harvested(results=2)
    yard.harvested(yard.ready(agency=office.museum))
    found = caller.get("/results", waiting="true").json()["items"]
    assert sorted(one["number"] for one in found) == [1, 2]
    assert caller.get("/results", state="endorsed").json()["items"] == []
    assert caller.get("/results", state="eaten").status_code == 422
    shown = caller.get(f"/results/{result_of(harvest, 2).pk}").json()
    assert (shown["lineage"], shown["state"], shown["advice"]) == ([1, 2], "unassessed", "")
    assert [one["number"] for one in caller.get(f"/harvests/{harvest.pk}/results").json()] == [1, 2]


def test_a_result_is_endorsed_and_opened_again(office, yard):
    """A version that somebody changed meanwhile is refused with both."""
    caller, row = caller_of(office), result_of(yard.harvested())
    done = caller.post(f"/results/{row.pk}/endorse", {"version": row.version, "note": "Good."})
    assert done.json()["state"] == "endorsed", done.content
    assert caller.post(f"/results/{row.pk}/endorse", {"version": row.version}).status_code == 409
    assert caller.get(f"/results/{row.pk}/events").json()["items"][0]["kind"] == "appraisal"
    assert caller.post(f"/results/{row.pk}/unendorse", {"note": "Again."}).json()["state"] == "unassessed"


def test_rejections_need_a_reason(office, yard):
    """Of a result, and of a whole harvest."""
    caller, reason = caller_of(office), yard.reason()
    one, other = yard.harvested(results=2), yard.harvested(results=2)
    assert caller.post(f"/results/{result_of(one).pk}/reject", {}).status_code == 422
    assert caller.post(f"/results/{result_of(one).pk}/reject", {"reason": str(reason.pk)}).json()["state"] == "rejected"
    assert caller.post(f"/harvests/{other.pk}/reject", {"reason": str(reason.pk)}).json()["state"] == "rejected"
    assert caller.post(f"/harvests/{one.pk}/endorse", {}).json()["state"] == "endorsed"
    assert Harvest.objects.get(pk=other.pk).state == HarvestState.REJECTED


def test_a_result_is_noted_upon_and_undone(office, yard):
    """Hostile text is kept as it is; a longer one is refused."""
    caller, row = caller_of(office), result_of(yard.harvested(results=2), 2)
    note = "<b>\u202e🦉</b>"
    assert caller.put(f"/results/{row.pk}/note", {"note": note}).json()["provenance_note"] == note
    assert caller.put(f"/results/{row.pk}/note", {"note": "x" * 32_001}).status_code == 422
    assert caller.post(f"/results/{row.pk}/undo", {"why": ""}).status_code == 422
    assert caller.post(f"/results/{row.pk}/undo", {"why": "Too much."}).status_code == 200
    assert result_of(row.harvest, 2).change["undo"]["why"] == "Too much."


def test_reference_and_delisting(office, yard):
    """What follows from a review for the target."""
    caller, harvest = caller_of(office), yard.harvested()
    yard.schedule(harvest.abstract_target)
    assert caller.put(f"/harvests/{harvest.pk}/reference", {}).status_code == 200
    assert Target.objects.get(pk=harvest.abstract_target_id).reference_harvest_id == harvest.pk
    assert caller.post(f"/harvests/{harvest.pk}/delist", {"reason": "It never changes."}).status_code == 200
    assert harvest.abstract_target.schedules.get().end is not None


def test_flags_by_the_api(office, yard):
    """Made, changed, put on a harvest, taken off, deleted."""
    caller, harvest = caller_of(office), yard.harvested()
    bad = {"agency": str(office.library.pk), "name": "Ask", "colour": "red"}
    assert caller.post("/flags", bad).status_code == 422
    made = caller.post("/flags", {**bad, "colour": "#E65100"}).json()
    assert made["colour"] == "#e65100"
    path = f"/flags/{made['id']}"
    assert caller.patch(path, {"version": made["version"], "name": "Ask them"}).json()["name"] == "Ask them"
    assert caller.put(f"/harvests/{harvest.pk}/colour", {"flag": made["id"]}).json()["colour"]["name"] == "Ask them"
    assert [one["id"] for one in caller.get("/results", flag=made["id"]).json()["items"]]
    assert caller.put(f"/harvests/{harvest.pk}/colour", {"flag": None}).json()["colour"] is None
    assert caller.delete(path).status_code == 204
    assert caller.get("/flags").json()["items"] == []


def test_strangers_get_nothing(office, yard):
    """Results of another agency do not exist; a privilege that is missing is named."""
    stranger = office.caller(agency=office.museum, privileges=REVIEW)
    row = result_of(yard.harvested())
    assert stranger.get(f"/results/{row.pk}").status_code == 404
    assert stranger.post(f"/results/{row.pk}/endorse", {}).status_code == 404
    reader = office.caller(privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})
    assert reader.post(f"/results/{row.pk}/endorse", {}).status_code == 403
    assert result_of(row.harvest).state == ResultState.UNASSESSED
