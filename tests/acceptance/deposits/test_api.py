"""Depositories and deposits by the API."""

from opilio.curation.models import Depository, Harvest
from tests.acceptance.deposits.conftest import ARCHIVE, ASKED


def caller_of(office, **more):
    return office.caller(privileges=ARCHIVE, **more)


def test_depositories_are_made_shown_changed_tried_and_deleted(office, home):
    """Without their secret; a version that is old is refused."""
    caller = caller_of(office)
    given = {"name": "Cellar", "kind": "directory", "place": str(home / "depositories/a"), "questions": ASKED,
             "secret": "reed-password"}  # fmt: skip
    made = caller.post("/depositories", given)
    assert made.status_code == 201, made.content
    shown = made.json()
    assert (shown["has_secret"], "reed-password" in made.content.decode()) == (True, False)
    path = f"/depositories/{shown['id']}"
    assert [one["name"] for one in caller.get("/depositories", q="cell").json()["items"]] == ["Cellar"]
    assert caller.get("/depositories", active="false").json()["items"] == []
    assert "can be written" in caller.post(f"{path}/try", {}).json()["found"]
    changed = caller.patch(path, {"version": 1, "preferred": True, "questions": ASKED[:1]})
    assert (changed.json()["preferred"], len(changed.json()["questions"])) == (True, 1)
    assert caller.patch(path, {"version": 1, "name": "Loft"}).status_code == 409
    assert caller.patch(path, {"version": 2, "place": "/etc"}).status_code == 422
    assert caller.post("/depositories", {**given, "kind": "pigeon"}).status_code == 422
    assert caller.delete(path).status_code == 204
    assert not Depository.objects.exists()


def test_a_harvest_is_archived_given_up_and_tried_again(office, yard, home):
    """The deposit tells how far it is."""
    caller = caller_of(office)
    harvest, _ = yard.rows()
    row = yard.depository(home, questions=ASKED)
    path = f"/harvests/{harvest.pk}/archive"
    assert caller.post(path, {"depository": str(row.pk)}).status_code == 422
    done = caller.post(path, {"depository": str(row.pk), "answers": {"series": "Owls"}, "version": harvest.version})
    assert done.status_code == 201, done.content
    shown = done.json()
    assert (shown["state"], shown["proven"], shown["answers"]) == ("waiting", False, {"series": "Owls"})
    assert caller.post(path, {"answers": {"series": "Owls"}}).status_code == 409
    deposit = f"/deposits/{shown['id']}"
    assert caller.post(f"{deposit}/give-up", {"reason": "wrong"}).json()["state"] == "failed"
    assert caller.get("/deposits", state="failed", harvest=str(harvest.pk)).json()["items"][0]["id"] == shown["id"]
    assert caller.post(f"{deposit}/retry", {}).json()["state"] == "waiting"
    assert caller.get(deposit).json()["package"] == shown["package"]
    assert Harvest.objects.get(pk=harvest.pk).state == "archiving"
    assert caller.get("/deposits", state="eaten").status_code == 422


def test_other_agencies_and_the_unprivileged_see_nothing(office, yard):
    """Neither deposits nor depositories."""
    harvest, _ = yard.rows()
    stranger = caller_of(office, agency=office.museum)
    assert stranger.post(f"/harvests/{harvest.pk}/archive", {}).status_code == 404
    plain = office.caller()
    assert plain.get("/depositories").status_code == 403
    assert plain.get("/deposits").status_code == 403
