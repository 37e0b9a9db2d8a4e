"""A harvest as it goes: the page, its stream, screenshots, the API and the command."""

import datetime
import html
import json
import re

import pytest
from typer.testing import CliRunner

from opilio.agents.harvest_sheet import HarvestSheet
from opilio.archive.screenshots.pictures import Picture, PictureKind
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.cli import harvest as commands
from opilio.cli import harvest_watch
from opilio.crawl.frontier.rows import Counts
from opilio.crawl.plan import Limits
from opilio.crawl.report.live import HostLook, Look, UrlLook
from opilio.curation.actions import harvest_live
from opilio.curation.actions.harvest_orders import order_move
from opilio.curation.actions.harvest_queue import launch_harvest
from opilio.curation.actions.harvest_running import begin, give_up
from opilio.curation.actions.harvest_running import figures as write_figures
from opilio.curation.models import Harvest, HarvestLive, HarvestState
from opilio.curation.queries.harvest_live import live_of
from opilio.people.privileges import Privilege, Scope
from opilio.web.live import desk as live_desk
from opilio.web.live import source as live_source
from opilio.web.live.board import Board
from opilio.web.live.source import CatalogueSource, shown_of
from opilio.works.run_harvest import HarvestFolder
from tests.harvest_desk import NETWORK

MANAGE = {Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY}
URL = "http://owls.example/a?b=1&c=2"
HOSTILE = "http://owls.example/<script>alert(1)</script>\u202e\x1b[2J🕷" + "x" * 4_000


@pytest.fixture
def curator(enter):
    """Manages harvests of the library."""
    return enter("curator", privileges=MANAGE)


def _running(desk):
    made = desk.harvest(desk.ready(name="Owls"))
    launch_harvest(desk.town.system, harvest_id=made.pk, network=NETWORK)
    begin(desk.town.system, harvest_id=made.pk, agent="barn#1")
    return Harvest.objects.get(pk=made.pk)


@pytest.fixture
def running(desk):
    """A harvest that an agent has begun."""
    return _running(desk)


def _look(at, *, pages=100, url=URL):
    return Look(
        at=at, limits=Limits(pages=1_000),
        counts=Counts(pages=pages, counted=pages, bytes=pages * 1_000, waiting=40, hosts=2, seconds=60.0,
                      outcomes={"fetched": pages}, statuses={200: pages}, types={"html": pages}),
        hosts=[HostLook(name="owls.example", due=12.0, resting=12.0, delay=3.0, failures=2, errors=7, pages=pages)],
        recent=[
            UrlLook(url=url, outcome="fetched", reason="", status=200, size=5_120, ms=80, at=at - 3),
            UrlLook(url=f"{url}9", outcome="permanent-error", reason="dns", status=None, size=0, ms=9, at=at - 4),
        ],
    )  # fmt: skip


def _written(desk, row, tmp_path, *, url=URL):
    """Two sheets of its agent, two seconds apart."""
    folder = HarvestFolder(path=tmp_path / "harvests" / str(row.pk))
    folder.crawl.log.parent.mkdir(parents=True, exist_ok=True)
    folder.crawl.log.write_text(f"2026-01-01T00:00:00Z 200 {url}\n")
    sheet = HarvestSheet(row.pk, folder)
    write_figures(row.pk, {
        "urls_down": 1_204, "urls_failed": 7, "urls_waiting": 40, "data_amount": 5_000_000, "elapsed": 125,
        "average_urls": 9.6, "average_kb": 40.0, "updated_at": desk.now,
    })  # fmt: skip
    start = desk.now.timestamp()
    for number in range(2):
        sheet.write(_look(start + 2 * number, pages=100 + 10 * number, url=url), desk.now)
    return sheet


def _told(page):
    """The text that a reader sees."""
    return html.unescape(re.sub(r"<[^>]+>", " ", page))


def test_the_page_shows_how_a_harvest_goes(desk, curator, running, tmp_path):
    """Figures, pace with its plot, hosts, last URLs with a way to their story, log, and the buttons of orders."""
    _written(desk, running, tmp_path)
    page = curator.see(f"/harvests/{running.pk}/live")
    words = " ".join(_told(page).split())
    assert "URLs collected 1,204" in words
    assert "Now 5.0 URLs/s, 5 kB/s" in words
    assert "Next limit of pages, in 2 min 58 s" in words
    assert "owls.example in 12 s 12 s" in words
    assert f"{URL} fetched 200 5.12 kB 80 ms 3.0 s" in words
    assert "permanent error dns –" in words
    assert page.count('<path class="live-line') == 2
    assert f"/harvests/{running.pk}/story?url=http%3A%2F%2Fowls.example%2Fa%3Fb%3D1%26c%3D2" in page
    assert f'data-live="/harvests/{running.pk}/live/stream"' in page
    for way in ("move/pause", "move/stop", "move/abort", "limits", "delay", "exclude"):
        assert f"/harvests/{running.pk}/{way}?next=/harvests/{running.pk}/live" in page
    assert f'href="/harvests/{running.pk}/queue"' in page


def test_a_harvest_that_did_not_begin_says_so(desk, curator):
    """And what will come."""
    made = desk.harvest(desk.ready(name="Owls"))
    page = curator.see(f"/harvests/{made.pk}/live")
    assert "It has not begun." in page
    assert "No host was asked yet." in page
    assert "data-live=" in page


def test_a_button_leads_back_to_the_live_page(curator, running):
    """Where it was pressed; never to another site."""
    base = f"/harvests/{running.pk}"
    assert curator.send(f"{base}/move/pause?next={base}/live")["Location"] == f"{base}/live"
    assert curator.send(f"{base}/delay?next={base}/live", {"seconds": "2"})["Location"] == f"{base}/live"
    assert f'href="{base}/live"' in curator.see(f"{base}/move/stop", next=f"{base}/live")
    assert curator.send(f"{base}/delay?next=//evil.example/", {"seconds": "3"})["Location"] == base


def test_hostile_urls_stay_text(desk, curator, running, tmp_path):
    """On the page and in the stream nothing of them is markup, moves the cursor or turns the line around."""
    _written(desk, running, tmp_path, url=HOSTILE)
    event = shown_of(live_of([running.pk])[running.pk]).event.decode()
    for text in (curator.see(f"/harvests/{running.pk}/live"), event):
        assert "<script>alert" not in text
        assert "\u202e" not in text
        assert "\x1b" not in text
    assert event.count("\n") == 4  # id, event, data, and the empty line that ends it
    told = json.loads(event.split("data: ", 1)[1])
    assert "&lt;script&gt;alert" in told["parts"]["recent"]


class _Now:
    """Tells the board what the catalogue says now; asked in the test's own thread, whose changes nobody else sees."""

    def __init__(self, *ids):
        self.states = {number: shown_of(live) for number, live in live_of(ids).items()}

    def ask(self, harvests):
        return self.states

    def close(self):
        pass


@pytest.fixture
def board(monkeypatch):
    """Puts a board in the place of the process's own."""

    def put(source, **options):
        made = Board(source, every=0.01, **options)
        monkeypatch.setattr(live_desk, "board", lambda: made)
        return made

    return put


def _events(response):
    return b"".join(response.streaming_content).decode()


def test_the_stream_tells_what_changed_until_the_end(desk, curator, running, tmp_path, board):
    """One sheet that is the last one, and that it was; whoever has it already is told the end alone."""
    _written(desk, running, tmp_path)
    give_up(desk.town.system, harvest_id=running.pk, agent="barn#1", reason="It fell.", ordered=True)
    board(_Now(running.pk))
    response = curator.get(f"/harvests/{running.pk}/live/stream")
    assert response["Content-Type"].startswith("text/event-stream")
    assert response["Cache-Control"] == "no-store"
    text = _events(response)
    mark = re.search(r"id: (\S+)", text)[1]
    told = json.loads(re.search(r"data: (\{.+\})", text)[1])
    assert (told["state"], told["over"]) == ("aborted", True)
    assert told["spoken"].startswith("Aborted: 1,204 URLs collected, 7 failed, 40 waiting")
    assert "It fell." in told["parts"]["now"]
    assert text.endswith("event: over\ndata: {}\n\n")
    again = _events(curator.get(f"/harvests/{running.pk}/live/stream", headers={"last-event-id": mark}))
    assert "event: sheet" not in again
    assert again.endswith("event: over\ndata: {}\n\n")


def test_a_full_process_sends_viewers_away(curator, running, board):
    """With a word that a person understands, and a time to come back."""
    board(_Now(running.pk), most=0)
    response = curator.get(f"/harvests/{running.pk}/live/stream")
    assert (response.status_code, response["Retry-After"]) == (503, "30")
    assert "Too many people watch" in response.content.decode()


def test_another_agency_sees_nothing(desk, curator, tmp_path):
    """Neither page nor stream nor picture of a harvest that is not theirs."""
    row = desk.harvest(desk.ready(name="Foxes", agency=desk.town.museum), state=HarvestState.RUNNING)
    for way in ("live", "live/stream", "live/picture"):
        assert curator.get(f"/harvests/{row.pk}/{way}").status_code == 404


def test_the_source_asks_once_for_all(desk, running, django_assert_num_queries):
    """One question, however many harvests are watched; a deleted one is left out."""
    others = [desk.harvest(desk.ready(name=f"Site {number}")).pk for number in range(5)]
    with django_assert_num_queries(1):
        found = live_of([running.pk, *others, 77])
    assert sorted(found) == sorted([running.pk, *others])


def test_a_lost_database_is_told_once(monkeypatch, caplog):
    """Those who watch keep what they have."""
    source = CatalogueSource()

    def lost(ids):
        raise live_source.OperationalError("gone")

    monkeypatch.setattr(live_source, "live_of", lost)
    assert source.ask(frozenset({1})) is None
    assert source.ask(frozenset({1})) is None
    assert sum("live_view_without_database" in record.getMessage() for record in caplog.records) == 1


def test_the_mark_changes_with_sheet_and_state(desk, running, tmp_path):
    """So that nothing is missed and nothing is sent twice."""
    marks = [live_of([running.pk])[running.pk].mark]
    sheet = _written(desk, running, tmp_path)
    marks.append(live_of([running.pk])[running.pk].mark)
    assert marks[-1] == live_of([running.pk])[running.pk].mark
    give_up(desk.town.system, harvest_id=running.pk, agent="barn#1", reason="x", ordered=True)
    marks.append(live_of([running.pk])[running.pk].mark)
    sheet.close(desk.now)
    marks.append(live_of([running.pk])[running.pk].mark)
    assert len(set(marks)) == 4


def test_the_plot_goes_on_with_the_next_agent(desk, running, tmp_path):
    """It reads the sheet of the one before; a damaged one costs only the plot."""
    _written(desk, running, tmp_path)
    later = desk.now + datetime.timedelta(seconds=300)
    again = HarvestSheet(running.pk, HarvestFolder(path=tmp_path / "harvests" / str(running.pk)))
    for number in range(2):
        again.write(_look(later.timestamp() + 2 * number, pages=120 + number), later)
    assert len(live_of([running.pk])[running.pk].document["points"]) == 2
    HarvestLive.objects.update(sheet="{")
    assert live_of([running.pk])[running.pk].document["points"] == []
    HarvestSheet(running.pk, HarvestFolder(path=tmp_path)).write(_look(later.timestamp()), later)
    assert harvest_live.last_sheet(running.pk).startswith('{"at"')


def test_screenshots_are_shown_as_they_come(desk, curator, running, settings, tmp_path):
    """Those that lie beside the harvest on this machine; others are not found."""
    shelf = PictureShelf(settings.OPILIO.home / "harvests" / str(running.pk))
    picture = Picture(url=URL, kind=PictureKind.THUMBNAIL, at=desk.now, data=b"\xff\xd8picture")
    shelf.add([([picture], [])])
    _written(desk, running, settings.OPILIO.home)
    way = f"/harvests/{running.pk}/live/picture?url=http%3A%2F%2Fowls.example%2Fa%3Fb%3D1%26c%3D2"
    assert html.escape(way) in curator.see(f"/harvests/{running.pk}/live")
    response = curator.get(way)
    assert (response.content, response["Content-Type"]) == (b"\xff\xd8picture", "image/jpeg")
    assert curator.get(f"/harvests/{running.pk}/live/picture?url=http://other.example/").status_code == 404


def test_the_api_tells_the_newest_sheet(yard, office, tmp_path):
    """The same document as the page is made of; 404 for others."""
    row = _running(yard)
    _written(yard, row, tmp_path)
    caller = office.caller(privileges=MANAGE)
    found = caller.get(f"/harvests/{row.pk}/live").json()
    assert (found["harvest"], found["state"], found["over"]) == (str(row.pk), "running", False)
    assert found["rates"] == {"urls": 5.0, "bytes": 5000.0}
    assert found["recent"][0]["url"] == URL
    assert found["points"][0][1:] == [2.0, 10.0, 10000.0]
    waiting = yard.harvest(yard.ready(name="Herons"))
    assert caller.get(f"/harvests/{waiting.pk}/live").json()["written"] is None
    foreign = yard.harvest(yard.ready(name="Foxes", agency=office.museum))
    assert caller.get(f"/harvests/{foreign.pk}/live").status_code == 404


def _run(*arguments):
    return CliRunner().invoke(commands.app, ["watch", *map(str, arguments)])


def test_watch_tells_each_change_and_ends_with_the_harvest(desk, running, tmp_path, monkeypatch):
    """One line of JSON for each; code 1 when nothing came of it."""
    _written(desk, running, tmp_path)
    steps = iter([
        lambda: order_move(desk.town.system, harvest_id=running.pk, what="abort"),
        lambda: give_up(desk.town.system, harvest_id=running.pk, agent="barn#1", reason="Aborted.", ordered=True),
    ])  # fmt: skip
    monkeypatch.setattr(harvest_watch, "_pause", lambda seconds: next(steps)())
    done = _run(running.pk, "--json")
    states = [json.loads(line)["state"] for line in done.output.splitlines()]
    assert (states[0], states[-1]) == ("running", "aborted")
    assert done.exit_code == 1


def test_watch_for_people(desk, running, tmp_path):
    """One line where nobody sees the screen; on a screen, bars and tables without surprises."""
    _written(desk, running, tmp_path, url=HOSTILE)
    done = _run(running.pk, "--once")
    assert done.exit_code == 0
    assert "running · 1,204 URLs · 7 failed · 40 waiting" in done.output
    assert harvest_watch.drawn(live_of([running.pk])[running.pk].document)
    assert _run(running.pk + 999, "--once").exit_code != 0
