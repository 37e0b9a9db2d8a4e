"""The pages of what a harvest collected and has before it, and of one URL's story."""

import json
from dataclasses import replace
from urllib.parse import urlencode

import pytest

from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.actions.harvest_running import begin
from opilio.curation.models import Harvest, HarvestOrder, HarvestState
from opilio.people.privileges import Privilege, Scope
from opilio.web import record_page
from opilio.works import harvest_records
from tests.harvest_desk import NETWORK
from tests.harvest_folders import HOSTILE, START, collected

MANAGE = {Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY}
LOOK = {Privilege.MODIFY_TARGET: Scope.AGENCY}
BARN = "https://owls.example/barn/0"


@pytest.fixture
def home(tmp_path, settings):
    settings.OPILIO = replace(settings.OPILIO, home=tmp_path)
    return tmp_path


@pytest.fixture
def curator(enter):
    return enter("curator", privileges=MANAGE)


@pytest.fixture
def running(desk, home):
    """A harvest that runs: its start page is there, the rest waits."""
    made = desk.harvest(desk.ready(name="Owls"))
    launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    begin(desk.town.system, harvest_id=made.pk, agent="barn#1")
    collected(home / "harvests" / str(made.pk), rounds=1)
    return Harvest.objects.get(pk=made.pk)


@pytest.fixture
def ended(desk, home):
    """A harvest that was sealed."""
    made = desk.harvest(desk.ready(name="Herons"), state=HarvestState.HARVESTED)
    collected(home / "harvests" / str(made.pk), rounds=3, sealed=True)
    return made


def streamed(response):
    assert response.status_code == 200
    return b"".join(response.streaming_content)


def test_resources_of_a_running_harvest(curator, running):
    """What is there so far, with the place of its record and a way to its story."""
    page = curator.see(f"/harvests/{running.pk}/resources")
    assert START in page
    assert "collector.warc" in page
    assert f"/harvests/{running.pk}/story?{urlencode({'url': START})}" in page
    assert BARN not in page


def test_resources_of_a_sealed_harvest(curator, ended):
    """Filtered by every filter."""
    path = f"/harvests/{ended.pk}/resources"
    assert "sealed result" in curator.see(path)
    assert "8 fetched" in curator.see(path)
    assert "/gone" not in curator.see(path, status="2xx")
    gone = curator.see(path, status="404", outcome="gone", q="GONE", host="owls.example", type="html")
    assert "https://owls.example/gone" in gone
    assert BARN not in gone
    assert "No resource fits these filters" in curator.see(path, host="nobody.example")


def test_hostile_urls_are_shown_as_text(curator, ended):
    """Nothing of them becomes markup."""
    page = curator.see(f"/harvests/{ended.pk}/resources", q="<script>alert(1)</script>")
    assert "<script>alert(1)" not in page
    assert HOSTILE.replace("'", "&#x27;") in curator.see(f"/harvests/{ended.pk}/resources")


def test_long_lists_come_in_pages(curator, ended, monkeypatch):
    """Each resource on one of them."""
    monkeypatch.setattr("opilio.web.views.harvest_records.SHOWN", 6)
    path = f"/harvests/{ended.pk}/resources"
    first = curator.see(path)
    second = curator.see(path, after="5")
    assert 'rel="next"' in first
    assert "after=5" in first
    assert 'rel="next"' not in second
    assert first.count("/story?") + second.count("/story?") == 10


def test_a_long_look_tells_where_to_go_on(curator, ended, monkeypatch):
    """Instead of making the page wait."""
    monkeypatch.setattr(harvest_records, "_WINDOW", 2)
    monkeypatch.setattr(harvest_records, "_WINDOWS", 1)
    page = curator.see(f"/harvests/{ended.pk}/resources", q="nothing like it")
    assert "Go on looking" in page


def test_exports(curator, ended, running):
    """All that the filter lets through, as CSV and JSON."""
    path = f"/harvests/{ended.pk}/resources"
    sheet = streamed(curator.get(path, {"format": "csv", "q": "/barn/"})).decode("utf-8-sig").splitlines()
    assert sheet[0].startswith("number,url,host,outcome")
    assert len(sheet) == 5
    rows = json.loads(streamed(curator.get(path, {"format": "json", "status": "404"})))
    assert [(row["url"], row["warc_file"], row["length"]) for row in rows] == [
        ("https://owls.example/gone", "collector.warc", 100)
    ]
    waiting = json.loads(streamed(curator.get(f"/harvests/{running.pk}/queue", {"format": "json"})))
    assert len(waiting) == 9
    assert waiting[0]["found_on"] == START


def test_filters_that_mean_nothing(curator, ended):
    """Are told, and nothing breaks."""
    for query in ({"status": "abc"}, {"outcome": "x"}, {"after": "x"}, {"q": "x" * 2_001}, {"after": "1.2"}):
        response = curator.get(f"/harvests/{ended.pk}/resources", query)
        assert response.status_code == 422, query
    assert curator.get(f"/harvests/{ended.pk}/resources", {"status": "abc", "format": "csv"}).status_code == 422


def test_htmx_gets_the_rows_alone(curator, ended):
    """Without the frame of the page."""
    response = curator.get(
        f"/harvests/{ended.pk}/resources", headers={"HX-Request": "true", "HX-Target": "results"}
    )  # fmt: skip
    assert b"<html" not in response.content
    assert START.encode() in response.content


def test_the_queue(curator, running):
    """What waits, in the order of turns, with buttons for those who may steer."""
    page = curator.see(f"/harvests/{running.pk}/queue")
    assert BARN in page
    assert "Sooner" in page
    assert "https://herons.example/reed" not in curator.see(f"/harvests/{running.pk}/queue", host="owls.example")


def test_the_queue_without_the_right_to_steer(enter, running):
    """Is shown without buttons, and orders are refused."""
    reader = enter("reader", privileges=LOOK)
    assert "Sooner" not in reader.see(f"/harvests/{running.pk}/queue")
    response = reader.send(f"/harvests/{running.pk}/queue/sooner", {"url": [BARN]})
    assert response.status_code == 403
    assert not HarvestOrder.objects.exists()


def test_the_queue_of_a_harvest_that_ended(curator, ended):
    """Leads to what never had its turn."""
    assert f"/harvests/{ended.pk}/resources?outcome=over-limit" in curator.see(f"/harvests/{ended.pk}/queue")


@pytest.mark.parametrize(("verb", "priority"), [("sooner", -100), ("usual", 0), ("later", 100)])
def test_chosen_urls_are_moved(curator, running, verb, priority):
    """By an order to the harvest."""
    response = curator.send(f"/harvests/{running.pk}/queue/{verb}", {"url": [BARN, HOSTILE]})
    assert response["Location"] == f"/harvests/{running.pk}/queue"
    order = HarvestOrder.objects.get()
    assert (order.what, order.arguments) == ("priority", {"priority": priority, "urls": [BARN, HOSTILE]})


def test_chosen_urls_are_left_out(curator, running):
    """By the order that leaves URLs out; one comes back to the same part of the queue."""
    back = f"/harvests/{running.pk}/queue?host=owls.example"
    response = curator.send(f"/harvests/{running.pk}/queue/exclude", {"url": [BARN], "next": back})
    assert response["Location"] == back
    assert HarvestOrder.objects.get().arguments["urls"] == [BARN]


def test_nothing_chosen(curator, running):
    """Changes nothing, and says so."""
    curator.send(f"/harvests/{running.pk}/queue/sooner", {})
    assert not HarvestOrder.objects.exists()
    assert "Choose URLs first" in curator.see(f"/harvests/{running.pk}/queue")


def test_no_such_button(curator, running):
    """Is not found."""
    assert curator.send(f"/harvests/{running.pk}/queue/dance", {"url": [BARN]}).status_code == 404


def test_all_that_match_are_moved(curator, running):
    """By a form that is filled in from the filter."""
    page = curator.see(f"/harvests/{running.pk}/queue", q="/barn/", host="owls.example")
    query = urlencode({"pattern": record_page.pattern_of({"q": "/barn/", "host": "owls.example"})})
    assert f"/harvests/{running.pk}/priority?{query}" in page.replace("&amp;", "&")
    form = curator.see(f"/harvests/{running.pk}/priority?{query}")
    assert "owls" in form
    sent = {"priority": "-7", "hosts": "owls.example\n", "patterns": "/barn/", "urls": ""}
    assert curator.send(f"/harvests/{running.pk}/priority", sent).status_code == 302
    arguments = {"priority": -7, "patterns": ["/barn/"], "hosts": ["owls.example"]}
    assert HarvestOrder.objects.get().arguments == arguments


@pytest.mark.parametrize(
    "sent",
    [
        {"priority": "1"},
        {"priority": "x", "hosts": "a.example"},
        {"priority": "99999", "hosts": "a.example"},
        {"priority": "1", "patterns": "("},
        {"priority": "1", "urls": "no url at all"},
        {"priority": "1", "hosts": "\n".join(["a"] * 501)},
    ],
)
def test_moves_that_cannot_be_made(curator, running, sent):
    """Are told in the form."""
    assert curator.send(f"/harvests/{running.pk}/priority", sent).status_code == 422
    assert not HarvestOrder.objects.exists()


def test_an_order_to_a_harvest_that_just_ended(curator, running):
    """Is refused with the state that it is in now."""
    Harvest.objects.filter(pk=running.pk).update(state=HarvestState.HARVESTED)
    response = curator.send(f"/harvests/{running.pk}/queue/sooner", {"url": [BARN]})
    assert response.status_code == 409
    assert "harvested" in response.content.decode().lower()


def test_the_story_of_a_url(curator, ended, running):
    """How it was reached and what became of it, with a way back along its parents."""
    page = curator.see(f"/harvests/{ended.pk}/story", url="https://owls.example/gone")
    assert "The server said that the page does not exist" in page
    assert f"/harvests/{ended.pk}/story?{urlencode({'url': START})}" in page
    assert "waiting" in curator.see(f"/harvests/{running.pk}/story", url=BARN)
    assert "never accepted" in curator.see(f"/harvests/{running.pk}/story", url="https://owls.example/never")
    assert "Which URL?" in curator.see(f"/harvests/{running.pk}/story")


def test_stories_that_cannot_be_told(curator, running):
    """Are refused with what to do."""
    for url in ("no url", "javascript:alert(1)", "https://owls.example/" + "x" * 9_000):
        response = curator.get(f"/harvests/{running.pk}/story", {"url": url})
        assert response.status_code == 422, url


def test_a_folder_on_another_machine(desk, curator, home):
    """Is said, with the agent that has it; a harvest that has not begun says that."""
    away = desk.harvest(desk.ready(name="Away"), state=HarvestState.HARVESTED, agent_name="far-barn")
    waits = desk.harvest(desk.ready(name="Waits"))
    for part in ("resources", "queue", "story?url=https://owls.example/"):
        assert "far-barn" in curator.see(f"/harvests/{away.pk}/{part}")
        assert "has not begun" in curator.see(f"/harvests/{waits.pk}/{part}")
    assert "far-barn" in curator.see(f"/harvests/{away.pk}/resources", format="csv")


def test_other_agencies_harvests_are_not_there(desk, enter, home, town):
    """Neither list nor story."""
    theirs = desk.harvest(desk.ready(name="Theirs", agency=town.museum), state=HarvestState.HARVESTED)
    collected(home / "harvests" / str(theirs.pk), rounds=2, sealed=True)
    curator = enter("stranger", privileges=MANAGE)
    for part in ("resources", "queue", "story", "resources?format=csv"):
        assert curator.get(f"/harvests/{theirs.pk}/{part}").status_code == 404
