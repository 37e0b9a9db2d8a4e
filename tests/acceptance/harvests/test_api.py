"""Harvests and agents by the API: the same rules as on the pages."""

import pytest

from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.actions.harvest_running import begin
from opilio.curation.models import Harvest, HarvestFile, HarvestOrder, HarvestState, SeedPermission, SnapshotPart
from opilio.jobs.models import Command
from opilio.people.privileges import Privilege, Scope
from tests.harvest_desk import NETWORK

MANAGE, LAUNCH = Privilege.MANAGE_TARGET_INSTANCES, Privilege.LAUNCH_TARGET_INSTANCE_IMMEDIATE


@pytest.fixture
def curator(office):
    """Manages and launches harvests of the library."""
    return office.caller(privileges={MANAGE: Scope.AGENCY, LAUNCH: Scope.AGENCY})


@pytest.fixture
def manager(office):
    """Manages agents of the whole installation."""
    return office.manager(Privilege.MANAGE_WEB_HARVESTER, Scope.ALL)


@pytest.fixture
def running(yard):
    """A harvest that an agent has begun."""
    made = yard.harvest(yard.ready(name="Owls"))
    launch_harvest(yard.town.system, harvest_id=made.pk, network=NETWORK)
    begin(yard.town.system, harvest_id=made.pk, agent="barn#1")
    return Harvest.objects.get(pk=made.pk)


def test_harvests_are_listed_and_filtered(yard, curator, running, office):
    """Only those of one's agencies; identifiers are strings."""
    yard.harvest(yard.ready(name="Foxes", agency=office.museum))
    held = yard.harvest(yard.ready(name="Herons"), held=True)
    items = curator.get("/harvests").json()["items"]
    assert {item["target"]["name"] for item in items} == {"Owls", "Herons"}
    assert [item["id"] for item in curator.get("/harvests", state="running").json()["items"]] == [str(running.pk)]
    assert [item["id"] for item in curator.get("/harvests", held="true").json()["items"]] == [str(held.pk)]
    assert [item["id"] for item in curator.get("/harvests", q="heron").json()["items"]] == [str(held.pk)]
    by_target = curator.get("/harvests", target=str(running.abstract_target_id)).json()["items"]
    assert [item["id"] for item in by_target] == [str(running.pk)]


def test_lists_come_in_pages(yard, curator):
    """Each harvest once."""
    target = yard.ready()
    wanted = {str(yard.harvest(target).pk) for _ in range(3)}
    first = curator.get("/harvests", limit=2).json()
    second = curator.get("/harvests", limit=2, cursor=first["next"]).json()
    assert {item["id"] for item in first["items"] + second["items"]} == wanted
    assert second["next"] is None


def test_filters_that_cannot_be_used(curator, fault):
    """Are told by field."""
    for query in ({"state": "nothing"}, {"target": "x"}, {"held": "perhaps"}, {"q": "x" * 256}):
        fault(curator.get("/harvests", **query), 422)


def test_a_harvest_says_where_it_stands(curator, running):
    """State, since when, why, what comes next; its version as tag."""
    answer = curator.get(f"/harvests/{running.pk}")
    found = answer.json()
    assert answer.headers["ETag"] == f'"{running.version}"'
    assert found["state"] == "running"
    assert found["next_step"] == "It ends by itself, at a limit, or when it is stopped."
    assert found["agent"] == "barn#1"
    assert found["late"] is False


def test_the_parts_of_a_harvest(curator, running):
    """Events without a gap, the snapshot with its digest, files, orders."""
    HarvestFile(harvest=running, name="a.warc.gz", size=7, digest="sha256:ab").save()
    base = f"/harvests/{running.pk}"
    events = curator.get(f"{base}/events").json()["items"]
    assert [(one["number"], one["name"]) for one in events] == [(1, "launch"), (2, "begin")]
    frozen = curator.get(f"{base}/snapshot").json()
    assert frozen["intact"] is True
    assert frozen["sections"]["seeds"][0]["url"] == "http://www.site.example/"
    assert [one["name"] for one in curator.get(f"{base}/files").json()["items"]] == ["a.warc.gz"]
    curator.post(f"{base}/pause")
    assert [(one["what"], one["done_at"]) for one in curator.get(f"{base}/orders").json()["items"]] == [("pause", None)]
    SnapshotPart.objects.filter(key="seeds").update(value="[]")
    assert curator.get(f"{base}/snapshot").json()["intact"] is False


def test_a_harvest_that_is_not_frozen_has_no_snapshot(yard, curator, fault):
    """Not found, with when there will be one."""
    assert "queued" in fault(curator.get(f"/harvests/{yard.harvest().pk}/snapshot"), 404)["remedy"]


def test_a_launch(yard, curator, fault):
    """On a chosen agent; what stands against it is a conflict."""
    made = yard.harvest()
    found = curator.post(f"/harvests/{made.pk}/launch", {"agent": "barn"}).json()
    assert (found["state"], found["wanted_agent"]) == ("queued", "barn")
    fault(curator.post(f"/harvests/{made.pk}/launch", {}), 409)
    other = yard.harvest()
    SeedPermission.objects.all().delete()
    assert "may not run now" in fault(curator.post(f"/harvests/{other.pk}/launch", {}), 409)["message"]
    fault(curator.post(f"/harvests/{other.pk}/launch", {"agent": "x" * 65}), 422)


def test_a_harvest_now(yard, curator, fault):
    """Of a target, without a schedule."""
    target = yard.ready()
    answer = curator.post("/harvests", {"target": str(target.pk)})
    assert answer.status_code == 201
    assert answer.json()["launched"] is True
    fault(curator.post("/harvests", {"target": "7"}), 404)
    fault(curator.post("/harvests", {"target": str(yard.approvable().pk)}), 409)


def test_moves_are_ordered(curator, running):
    """The agent carries them out."""
    for verb in ("pause", "stop", "abort"):
        assert curator.post(f"/harvests/{running.pk}/{verb}").status_code == 200
        assert HarvestOrder.objects.latest("id").what == verb


def test_a_move_from_the_wrong_state(curator, running, fault):
    """Says what is possible instead."""
    assert "pause" in fault(curator.post(f"/harvests/{running.pk}/resume"), 409)["remedy"]


def test_orders_with_values(curator, running):
    """Limits, delay, exclusion."""
    base = f"/harvests/{running.pk}"
    assert curator.post(f"{base}/limits", {"pages": 9, "bytes": 0}).status_code == 200
    assert curator.post(f"{base}/delay", {"seconds": 1.5}).status_code == 200
    assert curator.post(f"{base}/exclude", {"patterns": ["/calendar/"]}).status_code == 200
    found = [(one.what, one.arguments) for one in HarvestOrder.objects.order_by("id")]
    assert found == [
        ("limits", {"pages": 9, "bytes": 0}),
        ("delay", {"seconds": 1.5}),
        ("exclude", {"patterns": ["/calendar/"], "urls": []}),
    ]


BAD_ORDERS = (
    ("limits", {}),
    ("limits", {"pages": -1}),
    ("limits", {"pages": "9"}),
    ("limits", {"bytes": 10**16}),
    ("delay", {}),
    ("delay", {"seconds": -1}),
    ("delay", {"seconds": "soon"}),
    ("exclude", {}),
    ("exclude", {"patterns": [""]}),
    ("exclude", {"patterns": ["("]}),
    ("exclude", {"patterns": ["x" * 2_001]}),
    ("exclude", {"patterns": "x"}),
    ("launch", {"nothing": 1}),
)


def test_orders_that_cannot_be_used(curator, running, fault):
    """Are refused as they stand."""
    for path, body in BAD_ORDERS:
        fault(curator.post(f"/harvests/{running.pk}/{path}", body), 422)
    assert not HarvestOrder.objects.exists()


def test_a_share_of_the_line(yard, manager, curator, fault):
    """From a version, by those who manage the line."""
    made = yard.harvest()
    path = f"/harvests/{made.pk}/bandwidth"
    fault(curator.put(path, {"percent": 20, "version": 1}), 403)
    assert manager.put(path, {"percent": 20, "version": 1}).json()["bandwidth_percent"] == 20
    fault(manager.put(path, {"percent": 30, "version": 1}), 409)
    fault(manager.put(path, {"percent": 30}), 422)
    fault(manager.put(path, {"percent": 101, "version": 2}), 422)
    assert manager.put(path, {"percent": None, "version": 2}).json()["bandwidth_percent"] is None


@pytest.mark.parametrize("start", ["24:00", "8:30", "08:30Z", "08:30:00.5", "٠٨:٣٠", "08:30\n", 30600, ["08:30"], ""])
def test_a_time_of_the_day_is_read_strictly(manager, fault, start):
    """Without zone and fraction, as it is shown."""
    body = {"day": 0, "start": start, "end": "17:00", "limit": 100}
    fault(manager.post("/bandwidth", body), 422)
    assert manager.post("/bandwidth", {**body, "start": "08:30"}).json()["start"] == "08:30:00"


def test_flags_and_deletion(yard, curator, running, fault):
    """What never began can be deleted."""
    made = yard.harvest()
    assert curator.put(f"/harvests/{made.pk}/flag", {"flagged": True}).json()["flagged"] is True
    assert curator.delete(f"/harvests/{made.pk}").status_code == 204
    fault(curator.get(f"/harvests/{made.pk}"), 404)
    fault(curator.delete(f"/harvests/{running.pk}"), 409)


def test_the_queue_is_paused(yard, curator, manager, fault):
    """By those who manage agents of the whole installation."""
    yard.harvest()
    fault(curator.put("/harvests/queue", {"paused": True}), 403)
    assert manager.put("/harvests/queue", {"paused": True}).json()["paused"] is True
    assert curator.get("/harvests/queue").json() == {"paused": True, "counts": {"scheduled": 1}}
    assert "paused" in curator.get("/harvests").json()["items"][0]["next_step"]


def test_harvests_of_others_are_hidden(yard, curator, office, fault):
    """As if they did not exist; whoever holds nothing is refused."""
    made = yard.harvest(yard.ready(agency=office.museum), state=HarvestState.RUNNING)
    nobody = office.caller()
    for path in ("", "/events", "/snapshot", "/files", "/orders"):
        fault(curator.get(f"/harvests/{made.pk}{path}"), 404)
        fault(nobody.get(f"/harvests/{made.pk}{path}"), 403)


def test_harvests_of_others_take_no_orders(yard, curator, office):
    """Whatever is sent."""
    made = yard.harvest(yard.ready(agency=office.museum), state=HarvestState.RUNNING)
    body = {"limits": {"pages": 1}, "delay": {"seconds": 1}, "exclude": {"urls": ["http://a.example/"]}, "launch": {}}
    for verb in ("launch", "pause", "resume", "stop", "abort", "limits", "delay", "exclude"):
        assert curator.post(f"/harvests/{made.pk}/{verb}", body.get(verb)).status_code == 404
    assert not HarvestOrder.objects.exists()


def test_agents_and_their_rules(yard, manager, office, fault):
    """List, rule, command."""
    agent = yard.registered("barn")
    (found,) = manager.get("/agents").json()["items"]
    assert (found["name"], found["state"], found["rule"]) == ("barn", "working", None)
    rule = manager.put("/agents/rules", {"name": "barn", "agencies": [str(office.museum.id)], "note": "theirs"}).json()
    assert [one["name"] for one in rule["agencies"]] == ["Museum"]
    assert manager.get(f"/agents/{agent.id}").json()["rule"] == rule
    assert manager.get("/agents/rules").json()["items"] == [rule]
    assert manager.post(f"/agents/{agent.id}/pause").json()["told"] == ["pause"]
    assert Command.objects.get().what == "pause"
    assert manager.delete(f"/agents/rules/{rule['id']}").status_code == 204
    assert manager.get("/agents/rules").json()["items"] == []
    fault(manager.put("/agents/rules", {"name": "", "agencies": []}), 422)
    fault(manager.put("/agents/rules", {"name": "barn", "agencies": ["7"]}), 422)
    fault(manager.post("/agents/7/drain"), 404)


def test_agents_are_for_those_who_manage_them(yard, curator, office, fault):
    """And told only by those who do so for the whole installation."""
    agent = yard.registered("barn")
    fault(curator.get("/agents"), 403)
    local = office.manager(Privilege.MANAGE_WEB_HARVESTER)
    assert local.get("/agents").status_code == 200
    fault(local.post(f"/agents/{agent.id}/drain"), 403)
    fault(local.put("/agents/rules", {"name": "barn"}), 403)
