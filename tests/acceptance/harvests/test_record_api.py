"""What a harvest collected and has before it, by the API."""

from dataclasses import replace

import pytest

from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.actions.harvest_running import begin
from opilio.curation.models import Harvest, HarvestOrder, HarvestState
from opilio.people.privileges import Privilege, Scope
from tests.harvest_desk import NETWORK
from tests.harvest_folders import START, collected


@pytest.fixture
def curator(office):
    return office.caller(privileges={Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY})


@pytest.fixture
def home(tmp_path, settings):
    settings.OPILIO = replace(settings.OPILIO, home=tmp_path)
    return tmp_path


@pytest.fixture
def running(yard, home):
    made = yard.harvest(yard.ready(name="Owls"))
    launch_harvest(yard.town.system, harvest_id=made.pk, network=NETWORK)
    begin(yard.town.system, harvest_id=made.pk, agent="barn#1")
    collected(home / "harvests" / str(made.pk), rounds=1)
    return made


@pytest.fixture
def ended(yard, home):
    made = yard.harvest(yard.ready(name="Herons"), state=HarvestState.HARVESTED)
    collected(home / "harvests" / str(made.pk), rounds=3, sealed=True)
    return made


def test_resources_come_in_pages(curator, ended):
    """Each once, with the place of its record."""
    first = curator.get(f"/harvests/{ended.pk}/resources", limit=6).json()
    second = curator.get(f"/harvests/{ended.pk}/resources", limit=6, cursor=first["next"]).json()
    assert [item["number"] for item in first["items"] + second["items"]] == list(range(10))
    assert second["next"] is None
    assert first["sealed"]
    assert first["outcomes"] == {"fetched": 8, "gone": 1, "robots-denied": 1}
    start = first["items"][0]
    assert (start["url"], start["warc_file"], start["offset"], start["length"], start["compressed"]) == (
        START, "collector.warc", 0, 100, False,
    )  # fmt: skip


def test_resources_are_filtered(curator, ended):
    """By every filter."""
    query = {"q": "GONE", "status": "4xx", "outcome": "gone", "type": "html", "host": "owls.example"}
    items = curator.get(f"/harvests/{ended.pk}/resources", **query).json()["items"]
    assert [item["url"] for item in items] == ["https://owls.example/gone"]


@pytest.mark.parametrize(
    "query", [{"status": "40"}, {"outcome": "x"}, {"q": "x" * 2_001}, {"cursor": "x"}, {"limit": "501"}]
)
def test_filters_that_mean_nothing(curator, ended, query):
    """Are refused."""
    assert curator.get(f"/harvests/{ended.pk}/resources", **query).status_code == 422


def test_the_queue(curator, running, ended):
    """What waits; nothing once the harvest is sealed."""
    path = f"/harvests/{running.pk}/queue"
    first = curator.get(path, limit=5).json()
    second = curator.get(path, limit=5, cursor=first["next"]).json()
    urls = [item["url"] for item in first["items"] + second["items"]]
    assert len(set(urls)) == 9
    assert first["items"][0]["found_on"] == START
    assert [item["url"] for item in curator.get(path, host="herons.example").json()["items"]] == [
        "https://herons.example/reed"
    ]
    assert curator.get(f"/harvests/{ended.pk}/queue").json() == {
        "items": [], "next": None, "whole": True, "sealed": True,
    }  # fmt: skip


def test_the_story_of_a_url(curator, ended, fault):
    """With all facts; what is no URL is refused."""
    told = curator.get(f"/harvests/{ended.pk}/story", url="https://owls.example/gone").json()
    assert (told["state"], told["facts"]["status"], told["facts"]["parents"]) == ("recorded", 404, [START])
    assert curator.get(f"/harvests/{ended.pk}/story", url="no url").status_code == 422
    assert curator.get(f"/harvests/{ended.pk}/story").status_code == 422


def test_urls_are_moved(curator, running):
    """By an order to the harvest."""
    body = {"priority": -5, "hosts": ["owls.example"]}
    assert curator.post(f"/harvests/{running.pk}/priority", body).status_code == 200
    assert HarvestOrder.objects.get().arguments == body


@pytest.mark.parametrize(
    "body",
    [
        {"priority": -5},
        {"priority": 40_000, "hosts": ["a"]},
        {"priority": "1", "hosts": ["a"]},
        {"priority": 1, "patterns": ["("]},
        {"priority": 1, "urls": ["no url"]},
        {"priority": 1, "hosts": [""]},
        {"hosts": ["a"]},
        {"priority": 1, "hosts": ["a"], "more": 1},
    ],
)
def test_moves_that_cannot_be_made(curator, running, body):
    """Are refused, and nothing is ordered."""
    assert curator.post(f"/harvests/{running.pk}/priority", body).status_code == 422
    assert not HarvestOrder.objects.exists()


def test_an_order_to_a_harvest_that_just_ended(curator, running):
    """Conflicts, and names its state."""
    Harvest.objects.filter(pk=running.pk).update(state=HarvestState.HARVESTED)
    response = curator.post(f"/harvests/{running.pk}/priority", {"priority": 1, "hosts": ["a"]})
    assert response.status_code == 409
    assert "harvested" in response.json()["error"]["message"].lower()


def test_a_folder_on_another_machine(curator, yard, home):
    """Is not found, with what to do."""
    away = yard.harvest(yard.ready(name="Away"), state=HarvestState.HARVESTED, agent_name="far-barn")
    for part in ("resources", "queue", "story?url=https://owls.example/"):
        response = curator.get(f"/harvests/{away.pk}/{part}")
        assert response.status_code == 404
        assert "far-barn" in response.json()["error"]["remedy"]
