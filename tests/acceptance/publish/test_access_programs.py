"""API and commands about publishing and who sees what."""

import json

import pytest
from typer.testing import CliRunner

from opilio.cli import access, group, harvest, publication, reading_room, target
from opilio.curation.access_writing import write_access_file
from opilio.curation.models import Group, Harvest, HarvestState, Publication, ReadingRoom, Target
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import Missing, OpilioError
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import Office, fault
from tests.review_desk import ReviewDesk, at_home

__all__ = ["fault"]

pytestmark = pytest.mark.only_on("sqlite")


@pytest.fixture
def office(db, settings, tmp_path):
    """Two agencies with callers of the API."""
    at_home(settings, tmp_path)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return Office()


@pytest.fixture
def desk(office):
    return ReviewDesk(office.town)


def run(app, *arguments):
    """The JSON document that a command answers."""
    done = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    if done.exception is not None and isinstance(done.exception, OpilioError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_reading_rooms_by_programs(office, fault):
    """Made, listed, changed from a version, deleted; another agency's stay hidden."""
    caller = office.manager(Privilege.MANAGE_AGENCIES)
    made = caller.post(
        "/reading-rooms", {"agency": str(office.library.id), "name": "Hall", "networks": "192.0.2.1\n10.0.0.0/8"}
    )
    assert made.status_code == 201, made.content
    room = made.json()
    assert room["networks"] == ["192.0.2.1/32", "10.0.0.0/8"]
    assert [one["id"] for one in caller.get("/reading-rooms", q="hal").json()["items"]] == [room["id"]]
    path = f"/reading-rooms/{room['id']}"
    told = fault(caller.patch(path, {"version": 1, "networks": "nowhere"}), 422)
    assert "networks" in told["fields"]
    assert caller.patch(path, {"version": 1, "active": False}).json()["active"] is False
    fault(caller.patch(path, {"version": 1, "name": "Nave"}), 409)
    other = office.manager(Privilege.MANAGE_AGENCIES, agency=office.museum)
    fault(other.get(path), 404)
    fault(office.manager(Privilege.ENDORSE_HARVEST).get("/reading-rooms"), 403)
    assert caller.delete(path).status_code == 204
    assert not ReadingRoom.objects.exists()


def test_publications_by_programs(office, fault):
    """Started once, shown with what they came to."""
    caller = office.manager(Privilege.PUBLISH_INDEX)
    made = caller.post("/publications")
    assert made.status_code == 201, made.content
    fault(caller.post("/publications"), 409)
    row = Publication.objects.get()
    row.details = {"nodes": [{"node": "primary", "role": "primary", "outcome": "switched", "error": ""}],
                   "left_out": [{"harvest": "5", "why": "gone"}], "documents": 3}  # fmt: skip
    row.save()
    shown = caller.get(f"/publications/{row.pk}").json()
    assert (shown["documents"], shown["nodes"][0]["node"], shown["left_out"][0]["why"]) == (3, "primary", "gone")
    assert caller.get("/publications", state="waiting").json()["items"][0]["id"] == str(row.pk)
    assert caller.get("/publications/next").json()["running"] == str(row.pk)
    fault(office.manager(Privilege.ENDORSE_HARVEST).post("/publications"), 403)
    fault(caller.get("/publications/999"), 404)


def test_display_and_reasons_by_programs(office, desk, fault, settings):
    """A harvest is kept from readers; the API explains the decision and tells of the file of rules."""
    row = desk.harvested(desk.ready(agency=office.library), state=HarvestState.ENDORSED)
    caller = office.caller(privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY, Privilege.PUBLISH_INDEX: Scope.AGENCY})
    question = {"harvest": str(row.pk), "url": "http://www.site.example/"}
    before = caller.get("/access/decision", **question).json()
    assert (before["allowed"], before["told"]) == (False, True)
    fault(caller.get("/access/rules"), 404)
    shown = caller.put(f"/harvests/{row.pk}/display", {"display": False, "note": "Asked for.", "version": 1})
    assert (shown.json()["display"], shown.json()["display_note"]) == (False, "Asked for.")
    fault(caller.put(f"/harvests/{row.pk}/display", {"display": True, "version": 1}), 409)
    after = caller.get("/access/decision", **question).json()
    assert (after["told"], after["rule"]) == (False, f"display:harvest-{row.pk}")
    write_access_file(settings.OPILIO, SYSTEM.now())
    found = caller.get("/access/rules").json()
    assert found["rules"] > 1
    assert "PUBLIC KEY" in found["public_key"]
    fault(office.manager(Privilege.ENDORSE_HARVEST, agency=office.museum).get("/access/decision", **question), 404)


def test_new_fields_by_programs(office, desk, fault):
    """Days of embargo, the reference that is followed and pruning again, of targets and groups."""
    caller = office.caller(privileges={Privilege.MODIFY_TARGET: Scope.AGENCY, Privilege.MANAGE_GROUP: Scope.AGENCY})
    for path, row in (("targets", desk.target(agency=office.library)), ("groups", desk.group(agency=office.library))):
        sent = {"version": 1, "embargo_days": 90, "follow_reference": True, "prune_again": True}
        shown = caller.patch(f"/{path}/{row.pk}", sent).json()
        assert (shown["embargo_days"], shown["follow_reference"], shown["prune_again"]) == (90, True, True)
        assert caller.patch(f"/{path}/{row.pk}", {"version": 2, "embargo_days": ""}).json()["embargo_days"] is None
        for wrong in (-1, 10**9, 1.5, "ten"):
            fault(caller.patch(f"/{path}/{row.pk}", {"version": 3, "embargo_days": wrong}), 422)


def test_commands(office, desk, settings):
    """The same from the command line."""
    room = run(reading_room.app, "create", "Hall", "--agency", "Library", "--network", "192.0.2.0/24")
    with pytest.raises(InvalidFields, match="networks"):
        run(reading_room.app, "change", room["id"], "--network", "nowhere")
    assert run(reading_room.app, "change", room["id"], "--inactive")["active"] is False
    assert [one["name"] for one in run(reading_room.app, "list")["reading_rooms"]] == ["Hall"]
    run(reading_room.app, "delete", room["id"])
    with pytest.raises(Missing):
        run(access.app, "rules")
    row = desk.harvested(desk.ready(agency=office.library), state=HarvestState.ENDORSED)
    assert run(harvest.app, "display", row.pk, "--hide", "--note", "Asked for.")["display"] is False
    assert not Harvest.objects.get(pk=row.pk).display
    assert run(access.app, "explain", row.pk, "http://www.site.example/")["told"] is False
    assert run(access.app, "compile")["rules"] > 1
    assert run(access.app, "rules")["sequence"] > 0
    started = run(publication.app, "start")
    assert run(publication.app, "show", started["id"])["state"] == "waiting"
    assert [one["id"] for one in run(publication.app, "list")["publications"]] == [started["id"]]
    assert run(publication.app, "next")["running"] == started["id"]


def test_fields_by_commands(office, desk):
    """Embargo and review switches of targets and groups."""
    ours, together = desk.ready(agency=office.library), desk.group(agency=office.library)
    options = ("--embargo-days", "30", "--follow-reference", "--prune-again")
    assert run(target.app, "change", ours.pk, *options)["embargo_days"] == 30
    assert run(group.app, "change", together.pk, *options)["prune_again"] is True
    assert Target.objects.filter(pk=ours.pk, follow_reference=True).exists()
    run(group.app, "change", together.pk, "--embargo-days", "0")
    assert Group.objects.get(pk=together.pk).embargo_days is None
