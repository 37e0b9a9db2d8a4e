"""Crawler activity: harvests whose run lies in a time told to the second, as pages, files, API and command."""

import csv
import datetime
import io
import json

import pytest
from typer.testing import CliRunner

from opilio.cli import report as command
from opilio.curation.actions.harvest_running import figures
from opilio.curation.models import HarvestState
from opilio.curation.reports.times import BadSpan, given, span
from opilio.people.privileges import Privilege, Scope
from tests.harvest_desk import HarvestDesk

REPORTER = {Privilege.SYSTEM_REPORT_LEVEL_1: Scope.AGENCY}
NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
MINUTE = datetime.timedelta(minutes=1)
HOSTILE = "=cmd()<script>alert(1)</script>\u202e"


@pytest.fixture
def desk(town):
    return HarvestDesk(town)


@pytest.fixture
def ran(desk, town):
    """Harvests around noon: one that ended, one that still runs, one elsewhere, one that never began."""
    owner = town.user("librarian")
    ended = desk.harvest(
        desk.ready(name=HOSTILE, owner=owner), state=HarvestState.HARVESTED, started_at=NOON, agent_name="barn#1",
        ended_at=NOON + 90 * MINUTE,
    )  # fmt: skip
    figures(ended.pk, {"data_amount": 5_000_000, "urls_down": 321, "updated_at": NOON})
    desk.harvest(desk.ready(name="Still at it"), state=HarvestState.RUNNING, started_at=NOON + 60 * MINUTE)
    desk.harvest(desk.ready(name="Foxes", agency=town.museum), state=HarvestState.ABORTED, started_at=NOON,
                 ended_at=NOON + MINUTE)  # fmt: skip
    desk.harvest(desk.ready(name="Not yet"), state=HarvestState.QUEUED)
    return ended


def _rows(browser, **query):
    response = browser.get("/reports/crawling/file.csv", query)
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def _names(browser, **query):
    return [row["Target"] for row in _rows(browser, **query)]


def test_runs_that_overlap_the_time_are_told(enter, ran):
    """With start, end, seconds, bytes and agent; one that runs has no end."""
    browser = enter("reporter", privileges=REPORTER)
    first, second = _rows(browser, since="2026-03-01", until="2026-03-01")
    assert (first["Harvest"], first["Target"]) == (str(ran.pk), f"'{HOSTILE}")
    assert (first["State"], first["Seconds"], first["Bytes"], first["URLs"]) == ("Harvested", "5400", "5000000", "321")
    assert (first["Agent"], first["Owner"]) == ("barn#1", "librarian")
    assert (second["Target"], second["End"], second["State"]) == ("Still at it", "", "Running")


@pytest.mark.parametrize(
    ("since", "until", "found"),
    [
        ("2026-03-01T11:00:00", "2026-03-01T11:59:59", 0),
        ("2026-03-01T11:00:00", "2026-03-01T12:00:00", 1),
        ("2026-03-01T12:59:00", "2026-03-01T13:00:00", 2),
        ("2026-03-01T13:30:00", "2026-03-01T14:00:00", 2),
        ("2026-03-01T13:30:01", "2026-03-01T14:00:00", 1),
        ("2026-03-01T14:30:00+02:00", "2026-03-01T14:40:00+02:00", 1),
    ],
)
def test_the_time_is_told_to_the_second(enter, ran, since, until, found):
    """Both ends belong to it."""
    browser = enter("reporter", privileges=REPORTER)
    assert len(_rows(browser, since=since, until=until)) == found


def test_the_page_asks_for_moments_and_draws(enter, desk, ran, django_assert_max_num_queries):
    """Markup in names is text; few questions whatever the number of harvests."""
    desk.harvest(
        desk.ready(name="Third"), state=HarvestState.HARVESTED, started_at=NOON - 1_440 * MINUTE, ended_at=NOON
    )
    browser = enter("reporter", privileges=REPORTER)
    with django_assert_max_num_queries(15):
        page = browser.see("/reports/crawling", since="2026-02-01", until="2026-03-02T00:00:00")
    assert 'type="datetime-local" step="1" name="since" value="2026-02-01T00:00:00"' in page
    assert 'value="2026-03-02T00:00:00"' in page
    assert 'role="img"' in page
    assert "<script>alert" not in page
    assert "Foxes" not in page


def test_it_is_cut_to_user_and_agency(enter, town, ran):
    """Those of other agencies are never seen."""
    browser = enter("reporter", privileges=REPORTER)
    assert _names(browser, since="2026-03-01", user="LIBRARIAN") == [f"'{HOSTILE}"]
    assert _names(browser, since="2026-03-01", agency=town.museum.id) == []
    assert browser.get("/reports/crawling", {"since": "noon"}).status_code == 422


def test_the_command_tells_the_same(ran):
    """Of all agencies."""
    done = CliRunner().invoke(command.app, [
        "crawling", "--since", "2026-03-01T12:00:00", "--until", "2026-03-01T12:00:30", "--json"])  # fmt: skip
    assert done.exception is None, done.exception
    assert [row["target"] for row in json.loads(done.stdout)["rows"]] == [HOSTILE, "Foxes"]
    assert isinstance(CliRunner().invoke(command.app, ["crawling", "--until", "24:00", "--json"]).exception, BadSpan)


@pytest.mark.parametrize(
    "text",
    ["2026-13-01", "2026-01-01T25:00:00", "20260101", "2026-W01-1", "now", "2026-01-01T10", "٢٠٢٦-٠١-٠١", "x" * 9_999],
)
def test_what_is_neither_day_nor_moment(text):
    """Is refused with the form that can be used."""
    with pytest.raises(BadSpan, match="2026-01-31"):
        given(text, "since")


def test_spans_have_an_order_and_an_end():
    """A moment counts with its second; nothing before its beginning, nothing longer than a century."""
    zone = datetime.timezone(datetime.timedelta(hours=2))
    day = datetime.date(2026, 1, 31)
    begin, end = span(given("2026-01-31T14:00", ""), given("2026-01-31 14:00:09", ""), today=day, zone=zone)
    assert (begin.isoformat(), end.isoformat()) == ("2026-01-31T12:00:00+00:00", "2026-01-31T12:00:10+00:00")
    for first, last in (("2026-01-31T14:00", "2026-01-31T13:00"), ("1900-01-01", "2026-01-01"), ("", "9999-12-31")):
        with pytest.raises(BadSpan):
            span(given(first, ""), given(last, ""), today=day, zone=zone)
