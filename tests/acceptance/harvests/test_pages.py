"""The pages of harvests: the list, one harvest with its parts, what people tell it."""

import datetime
import html

import pytest

from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.actions.harvest_running import File, begin, finish, keep
from opilio.curation.actions.harvest_running import figures as write_figures
from opilio.curation.models import Harvest, HarvestEvent, HarvestOrder, HarvestState, Snapshot, SnapshotPart
from opilio.people.actor import system
from opilio.people.parameters import value
from opilio.people.privileges import Privilege, Scope
from tests.harvest_desk import NETWORK

MANAGE = {Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY}
LAUNCH = {Privilege.LAUNCH_TARGET_INSTANCE_IMMEDIATE: Scope.AGENCY}
HOSTILE = "<script>alert(1)</script> \u202eabc 🕷 " + "x" * 200


@pytest.fixture
def curator(enter):
    """Manages and launches harvests of the library."""
    return enter("curator", privileges={**MANAGE, **LAUNCH})


@pytest.fixture
def running(desk):
    """A harvest that an agent has begun."""
    made = desk.harvest(desk.ready(name="Owls"))
    launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    agent = system(name="agent", clock=desk.town.clock)
    begin(agent, harvest_id=made.pk, agent="barn#1")
    write_figures(made.pk, {"urls_down": 1234, "data_amount": 5_000_000, "elapsed": 125, "updated_at": desk.now})
    return Harvest.objects.get(pk=made.pk)


def test_the_list_shows_running_harvests_first(desk, curator, running):
    """In the order of states, with figures, agent and how many there are of each."""
    desk.harvest(desk.ready(name="Herons"), scheduled_at=desk.now - datetime.timedelta(days=9))
    page = curator.see("/harvests")
    assert page.index("Owls") < page.index("Herons")
    assert "1,234" in page
    assert "5 MB" in page
    assert "2 min 05 s" in page
    assert "barn" in page
    assert "Running 1" in page
    assert "Scheduled 1" in page


def test_the_list_is_filtered_by_state_and_flag(desk, curator, running):
    """Only what was asked for is left."""
    held = desk.harvest(desk.ready(name="Herons"), held=True)
    assert "Herons" not in curator.see("/harvests", state="running")
    page = curator.see("/harvests", flag="held")
    assert "Herons" in page
    assert f"/harvests/{running.pk}" not in page
    assert f"/harvests/{held.pk}" in page


def test_the_list_asks_few_questions(desk, curator, running, django_assert_max_num_queries):
    """However many harvests there are."""
    for _ in range(5):
        desk.harvest()
    with django_assert_max_num_queries(20):
        curator.see("/harvests")


def test_harvests_of_another_agency_are_hidden(desk, curator, town):
    """As if they did not exist."""
    made = desk.harvest(desk.ready(name="Foxes", agency=town.museum))
    assert "Foxes" not in curator.see("/harvests")
    for part in ("", "/log", "/snapshot", "/files", "/notes", "/limits", "/launch", "/move/pause"):
        assert curator.get(f"/harvests/{made.pk}{part}").status_code == 404


def test_the_overview_says_where_it_stands(desk, curator, running, django_assert_max_num_queries):
    """State, since when, what comes next, figures, and buttons with their sentences."""
    with django_assert_max_num_queries(15):
        page = curator.see(f"/harvests/{running.pk}")
    assert "running" in page
    assert "It ends by itself, at a limit, or when it is stopped." in page
    assert "Ask for nothing more until it goes on." in page
    assert "1,234" in page
    assert "Pause" in page


def test_a_held_harvest_says_what_a_person_must_do(desk, curator):
    """The reason stands beside it."""
    made = desk.harvest(held=True, reason="It has no profile.")
    page = curator.see(f"/harvests/{made.pk}")
    assert "It has no profile." in page
    assert "A person decides" in page


def test_a_late_harvest_is_marked(desk, curator):
    """As long as its state should be over."""
    made = desk.harvest(state=HarvestState.QUEUED, expected_until=desk.now - datetime.timedelta(hours=1))
    assert 'badge-bad">late' in curator.see(f"/harvests/{made.pk}")


def test_a_launch_on_a_chosen_agent(desk, curator):
    """The form offers living agents; the harvest is frozen and waits for that one."""
    desk.registered("barn")
    made = desk.harvest()
    assert "barn" in curator.see(f"/harvests/{made.pk}/launch")
    assert curator.send(f"/harvests/{made.pk}/launch", {"agent": "barn"}).status_code == 302
    made.refresh_from_db()
    assert (made.state, made.wanted_agent, made.launched) == ("queued", "barn", True)
    assert "The agent barn takes it" in curator.see(f"/harvests/{made.pk}")


def test_a_launch_without_a_right_tells_why(desk, curator):
    """Nothing is changed."""
    target = desk.target(state=5, name="Bare")
    desk.seed(target)
    made = desk.harvest(target)
    answer = curator.send(f"/harvests/{made.pk}/launch", {"agent": ""})
    assert answer.status_code == 409
    assert "may not run now" in html.unescape(answer.content.decode())
    made.refresh_from_db()
    assert made.state == "scheduled"


def test_a_harvest_now(desk, curator):
    """By the name of a target, without a schedule."""
    desk.ready(name="Owls")
    answer = curator.send("/harvests/now", {"holder": "owls", "agent": ""})
    made = Harvest.objects.get()
    assert answer["Location"] == f"/harvests/{made.pk}"
    assert made.state == "queued"


def test_a_harvest_now_of_what_is_not_there(desk, curator):
    """Is told beside the field."""
    for holder in ("nobody", HOSTILE[:255], "99999999999999999999", ""):
        answer = curator.send("/harvests/now", {"holder": holder, "agent": ""})
        assert answer.status_code == 422
        assert "<script>alert" not in answer.content.decode()
    assert not Harvest.objects.exists()


def test_a_harvest_now_of_a_pending_target_is_refused(desk, curator):
    """And leaves no planned harvest behind."""
    desk.approvable(name="Owls")
    assert curator.send("/harvests/now", {"holder": "Owls", "agent": ""}).status_code == 409
    assert not Harvest.objects.exists()


def test_a_move_is_ordered(curator, running):
    """The order waits for the agent; the page tells so."""
    for verb in ("pause", "stop", "abort"):
        assert curator.see(f"/harvests/{running.pk}/move/{verb}")
        assert curator.send(f"/harvests/{running.pk}/move/{verb}").status_code == 302
        assert HarvestOrder.objects.latest("id").what == verb
    assert curator.see(f"/harvests/{running.pk}").count(">waits<") == 3


def test_a_move_that_the_state_does_not_have(desk, curator):
    """Is refused with what is possible; an unknown one does not exist."""
    made = desk.harvest()
    assert curator.send(f"/harvests/{made.pk}/move/pause").status_code == 409
    assert curator.send(f"/harvests/{made.pk}/move/explode").status_code == 404


def test_limits_delay_and_exclusions_are_ordered(curator, running):
    """Each by its form, within the rules."""
    curator.send(f"/harvests/{running.pk}/limits", {"pages": "10", "bytes_": "", "seconds": "0"})
    curator.send(f"/harvests/{running.pk}/delay", {"seconds": "2.5"})
    curator.send(f"/harvests/{running.pk}/exclude", {"patterns": "/calendar/\n\\?sort=", "urls": "http://a.example/x"})
    found = [(order.what, order.arguments) for order in HarvestOrder.objects.order_by("id")]
    assert found == [
        ("limits", {"pages": 10, "seconds": 0}),
        ("delay", {"seconds": 2.5}),
        ("exclude", {"patterns": ["/calendar/", "\\?sort="], "urls": ["http://a.example/x"]}),
    ]


BAD_ORDERS = (
    ("limits", {}, "at least one limit"),
    ("limits", {"pages": "-1"}, "greater than or equal to 0"),
    ("limits", {"pages": HOSTILE}, "whole number"),
    ("delay", {"seconds": "nan"}, "number"),
    ("delay", {"seconds": "999999"}, "less than or equal"),
    ("exclude", {"patterns": "("}, "is no expression"),
    ("exclude", {"patterns": "(?=x)"}, "is no expression"),
    ("exclude", {}, "Give an expression or a URL"),
    ("exclude", {"patterns": "a\n" * 501}, "at most 500 lines"),
)


def test_orders_that_cannot_be_used(curator, running):
    """Are told beside the field, and nothing is ordered."""
    for path, data, word in BAD_ORDERS:
        answer = curator.send(f"/harvests/{running.pk}/{path}", data)
        assert answer.status_code == 422, (path, data)
        assert word in html.unescape(answer.content.decode()), (path, data)
    assert not HarvestOrder.objects.exists()


def test_orders_to_a_harvest_that_does_not_run(desk, curator):
    """Are refused with its state."""
    made = desk.harvest()
    answer = curator.send(f"/harvests/{made.pk}/delay", {"seconds": "1"})
    assert answer.status_code == 409
    assert "scheduled" in answer.content.decode()


def test_a_share_of_the_line_needs_its_privilege(desk, enter, curator):
    """Whoever manages harvests only is refused."""
    made = desk.harvest()
    assert curator.send(f"/harvests/{made.pk}/bandwidth", {"percent": "20", "version": "1"}).status_code == 403
    manager = enter("manager", privileges={Privilege.MANAGE_WEB_HARVESTER: Scope.AGENCY})
    assert manager.send(f"/harvests/{made.pk}/bandwidth", {"percent": "20", "version": "1"}).status_code == 302
    made.refresh_from_db()
    assert made.bandwidth_percent == 20
    stale = manager.send(f"/harvests/{made.pk}/bandwidth", {"percent": "30", "version": "1"})
    assert stale.status_code == 409
    assert "Two versions" in stale.content.decode()


def test_the_log_tells_what_happened(curator, running):
    """Each event with its state, oldest first."""
    page = curator.see(f"/harvests/{running.pk}/log")
    assert page.index("Launch now") < page.index("Begin")
    assert "barn#1" in page


def test_the_snapshot_is_readable_and_stays(desk, curator, running):
    """What the harvest was run with, whatever is edited later."""
    target = running.abstract_target
    before = curator.see(f"/harvests/{running.pk}/snapshot")
    assert "http://www.site.example/" in before
    assert "Later edits" in before
    assert Snapshot.objects.get().digest in before
    target.name = "Renamed"
    target.save()
    assert "Owls" in curator.see(f"/harvests/{running.pk}/snapshot").partition("Where it stands")[0]


def test_a_changed_snapshot_is_told(curator, running):
    """Its digest is checked at each look."""
    SnapshotPart.objects.filter(key="software").update(value='{"opilio":"9"}')
    page = curator.see(f"/harvests/{running.pk}/snapshot")
    assert "not what was frozen" in page
    assert ">checked<" not in page


def test_a_harvest_that_was_not_queued_has_no_snapshot(desk, curator):
    """The page says when there will be one."""
    assert "Nothing is frozen yet" in curator.see(f"/harvests/{desk.harvest().pk}/snapshot")


def test_files_are_listed(desk, curator, running):
    """With size and digest, once it is sealed."""
    assert "They are listed when" in curator.see(f"/harvests/{running.pk}/files")
    agent = system(name="agent", clock=desk.town.clock)
    finish(agent, harvest_id=running.pk, agent="barn#1", reason="")
    kept = File(name="a.warc.gz", size=2_000_000, digest="sha256:ab", compressed=True)
    keep(agent, harvest_id=running.pk, agent="barn#1", reason="", files=[kept])
    page = curator.see(f"/harvests/{running.pk}/files")
    assert "a.warc.gz" in page
    assert "2 MB" in page
    assert "sha256:ab" in page


def test_notes_are_pinned(desk, curator, running):
    """By the panel that all rows have."""
    curator.send(f"/rows/harvest/{running.pk}/notes", {"note": "Look at the calendar.", "next": "/harvests"})
    assert "Look at the calendar." in curator.see(f"/harvests/{running.pk}/notes")


def test_bulk_actions_do_what_can_be_done(desk, curator, running):
    """What could not be done is told; the rest is done."""
    waiting = desk.harvest()
    chosen = {"row": [running.pk, waiting.pk], "confirmed": "yes", "query": ""}
    curator.send("/harvests", {"action": "pause", **chosen})
    assert [order.harvest_id for order in HarvestOrder.objects.all()] == [running.pk]
    assert "cannot be moved" in curator.see("/harvests")
    curator.send("/harvests", {"action": "flag", **chosen})
    assert Harvest.objects.filter(flagged=True).count() == 2
    curator.send("/harvests", {"action": "delete", **chosen})
    assert list(Harvest.objects.values_list("pk", flat=True)) == [running.pk]


def test_a_flag_is_set_and_removed(desk, curator):
    """And the log tells both."""
    made = desk.harvest()
    curator.send(f"/harvests/{made.pk}/flag/set")
    assert "flagged" in curator.see("/harvests", flag="flagged")
    curator.send(f"/harvests/{made.pk}/flag/remove")
    assert list(HarvestEvent.objects.values_list("name", flat=True)) == ["flagged", "unflagged"]
    assert curator.send(f"/harvests/{made.pk}/flag/wave").status_code == 404


def test_the_queue_is_paused_by_its_switch(desk, administrator, curator):
    """By whoever manages agents of the whole installation; everybody sees it."""
    assert "Pause the queue" not in curator.see("/harvests")
    assert curator.send("/harvests/queue", {"paused": "yes"}).status_code == 403
    administrator.send("/harvests/queue", {"paused": "yes"})
    assert value("harvest_queue_paused") is True
    assert "The queue is paused." in curator.see("/harvests")
    assert "The queue is paused" in curator.see(f"/harvests/{desk.harvest().pk}")
    administrator.send("/harvests/queue", {"paused": "no"})
    assert value("harvest_queue_paused") is False


def test_hostile_text_is_shown_as_text(desk, curator):
    """Names and reasons from outside break no page."""
    made = desk.harvest(desk.ready(name=HOSTILE), reason=HOSTILE * 15, agent_name=HOSTILE, wanted_agent=HOSTILE[:64])
    for path in ("/harvests", f"/harvests/{made.pk}", f"/harvests/{made.pk}/log", f"/harvests/{made.pk}/snapshot"):
        assert "<script>alert" not in curator.see(path)


def test_filters_that_cannot_be_used(desk, curator):
    """Give no rows and a word beside the filter."""
    desk.harvest()
    for query in ({"state": "nothing"}, {"flag": HOSTILE[:90]}, {"from": "yesterday"}):
        assert "No harvest matches" in curator.see("/harvests", **query)


def test_the_list_as_csv(desk, curator, running):
    """All columns that are shown."""
    answer = curator.get("/harvests", {"format": "csv"})
    text = b"".join(answer.streaming_content).decode()
    assert "Owls" in text
    assert "running" in text


def test_the_search_box_finds_harvests(desk, curator, running):
    """By the name of what is harvested."""
    assert f"/harvests/{running.pk}" in curator.see("/search", q="Owls")
