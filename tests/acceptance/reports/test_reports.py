"""The reports as pages, files, API and command: the same rows, for whom they are meant."""

import csv
import datetime
import io
import json
from html.parser import HTMLParser

import pytest
from django.test import Client
from typer.testing import CliRunner

from opilio.cli import report as command
from opilio.curation.models import SchedulePattern, State
from opilio.curation.reports.chart import drawn
from opilio.curation.reports.declared import Bar
from opilio.curation.reports.times import BadSpan, span
from opilio.kernel.clock import SYSTEM
from opilio.people.actions.account import create_token
from opilio.people.actor import Via
from opilio.people.models import SignInSession
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries.account import actor_for

REPORTER = {Privilege.SYSTEM_REPORT_LEVEL_1: Scope.AGENCY, Privilege.MODIFY_OWN_CREDENTIALS: Scope.NONE}
HOSTILE = '=HYPERLINK("http://evil.example")<script>alert(1)</script>'


class Tags(HTMLParser):
    """Counts the tags of a document."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append(tag)


@pytest.fixture
def busy(town, desk):
    """Sign-ins on two days, schedules of approved and of pending targets, and a group; in two agencies."""
    library, museum = town.user("librarian"), town.user("keeper", agency=town.museum)
    for number, (user, days) in enumerate([(library, 1), (library, 2), (museum, 1)]):
        began = SYSTEM.now() - datetime.timedelta(days=days)
        SignInSession(
            session_key=f"s{number}", user=user, username=user.username, real_name=user.real_name, signed_in_at=began,
            last_seen_at=began, signed_out_at=began + datetime.timedelta(hours=number + 1),
            duration_seconds=3_600 * (number + 1), ended="signed out", method="password",
        ).save()  # fmt: skip
    SchedulePattern(number=4, name="Every fair", cron="0 0 9 1 5 ? *", **desk._moments()).save()
    desk.schedule(desk.target(name=HOSTILE, state=State.APPROVED, owner=library), pattern=4)
    desk.schedule(desk.group(name="Festivals", state=State.GROUP_ACTIVE, owner=library), paused=True)
    desk.schedule(desk.target(name="Not yet", owner=library))
    desk.schedule(desk.target(name="Elsewhere", state=State.APPROVED, agency=town.museum, owner=museum))
    return library


@pytest.fixture
def reporter(enter, busy):
    """A browser of somebody who may report on the library."""
    return enter("reporter", privileges=REPORTER)


def rows_of(response):
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


def test_all_reports_are_offered(reporter):
    """With a sentence each."""
    page = reporter.see("/reports")
    for name in ("usage", "activity", "schedules", "summary"):
        assert f"/reports/{name}" in page


def test_usage_tells_sessions_of_the_agency(reporter, django_assert_max_num_queries):
    """Those of others are not seen; the picture shows the hours."""
    with django_assert_max_num_queries(15):
        page = reporter.see("/reports/usage")
    assert page.count("<td>librarian</td>") == 4  # as user name and as name
    assert "keeper" not in page
    assert 'role="img"' in page
    assert "hours signed in" in page


def test_schedules_tell_what_is_in_force(reporter, django_assert_max_num_queries):
    """Approved targets and active groups, with the schedule in words; markup in names is text."""
    with django_assert_max_num_queries(15):
        page = reporter.see("/reports/schedules")
    assert "Festivals" in page
    assert "Not yet" not in page
    assert "Elsewhere" not in page
    assert "<script>alert(1)" not in page
    assert "Festivals" not in reporter.see("/reports/schedules", kind="target")
    assert "Nothing to report" in reporter.see("/reports/schedules", user="nobody")


def test_the_summary_counts_patterns(reporter):
    """By their names."""
    rows = rows_of(reporter.get("/reports/summary/file.csv"))
    assert rows[1:] == [["written by hand", "0", "1", "1", "1"], ["Every fair", "1", "0", "0", "1"]]


def test_activity_is_cut_to_time_user_and_agency(reporter, town, django_assert_max_num_queries):
    """And says so when nothing happened."""
    with django_assert_max_num_queries(15):
        assert "signin.success" in reporter.see("/reports/activity")
    assert "signin.success" not in reporter.see("/reports/activity", user="librarian")
    assert "Nothing to report" in reporter.see("/reports/activity", since="2001-01-01", until="2001-02-01")
    assert "Nothing to report" in reporter.see("/reports/activity", agency=town.museum.id)


def test_a_csv_has_no_formula(reporter):
    """A name that a spreadsheet would run begins with an apostrophe."""
    rows = rows_of(reporter.get("/reports/schedules/file.csv"))
    assert f"'{HOSTILE}" in [row[2] for row in rows]
    assert rows[0][:3] == ["Number", "Kind", "Name"]


def test_an_html_file_stands_alone(reporter):
    """With its picture, without scripts or anything from elsewhere."""
    response = reporter.get("/reports/usage/file.html")
    text = b"".join(response.streaming_content).decode()
    assert response["Content-Disposition"] == 'attachment; filename="usage.html"'
    assert {"table", "svg", "rect"} <= set(Tags(text).found)
    assert not {"script", "link", "img"} & set(Tags(text).found)
    hostile = b"".join(reporter.get("/reports/schedules/file.html").streaming_content).decode()
    assert "script" not in Tags(hostile).found


@pytest.mark.parametrize(
    "query", [{"since": "yesterday"}, {"since": "2026-02-01", "until": "2026-01-01"}, {"until": "9999-12-31"}]
)
def test_a_time_that_is_none_is_told(reporter, query):
    """On the page, with the form still there."""
    response = reporter.get("/reports/activity", query)
    assert response.status_code == 422
    assert 'role="alert"' in response.content.decode()


def test_odd_parameters_are_harmless(reporter):
    """Numbers beyond all bounds, bytes, markup."""
    for query in ({"agency": "9" * 30}, {"user": "<b>\x00" * 99}, {"kind": "wolf"}, {"agency": "x"}):
        assert reporter.get("/reports/schedules", query).status_code == 200
    assert reporter.get("/reports/nothing").status_code == 404
    assert reporter.get("/reports/usage/file.exe").status_code == 404


def test_reports_are_refused_without_the_privilege(enter, busy):
    """On the page and as a file."""
    browser = enter("curator", privileges={Privilege.CREATE_TARGET: Scope.AGENCY})
    assert browser.get("/reports/usage").status_code == 403
    assert browser.get("/reports/usage/file.csv").status_code == 403


def test_the_api_gives_rows_and_says_whether_there_are_more(town, busy):
    """To whoever may report, in the shape of all errors to others."""
    user = town.user("program", privileges=REPORTER)
    token = create_token(
        actor_for(user.id, via=Via.PAGE, clock=SYSTEM), name="t", scopes=["SYSTEM_REPORT_LEVEL_1"],
        expires=SYSTEM.now() + datetime.timedelta(days=1), longest=datetime.timedelta(days=9),
    )[1]  # fmt: skip
    client = Client(headers={"Authorization": f"Bearer {token}"})
    answer = client.get("/api/v1/reports/usage", {"limit": 1}).json()
    assert (len(answer["rows"]), answer["more"], answer["columns"][0]) == (1, True, "user")
    offered = client.get("/api/v1/reports").json()
    assert [one["name"] for one in offered] == [
        "usage", "activity", "crawling", "quality", "reviewed", "schedules", "summary",
    ]  # fmt: skip
    assert client.get("/api/v1/reports/none").status_code == 404
    assert client.get("/api/v1/reports/usage", {"since": "2026-02-01", "until": "2026-01-01"}).status_code == 422
    assert Client().get("/api/v1/reports/usage").status_code == 401


@pytest.mark.parametrize("form", ["table", "csv", "html", "json"])
def test_the_command_writes_every_format(busy, tmp_path, form):
    """Of all agencies, as the operator sees all."""
    wanted = ["--json"] if form == "json" else ["--format", form]
    done = CliRunner().invoke(command.app, ["usage", *wanted])
    assert done.exception is None, done.exception
    text = json.dumps(json.loads(done.stdout)["rows"]) if form == "json" else done.stdout
    assert "keeper" in text
    if form == "csv":
        CliRunner().invoke(command.app, ["usage", "--format", "csv", "--output", str(tmp_path / "out.csv")])
        assert (tmp_path / "out.csv").read_text(encoding="utf-8-sig").count("\n") == 4


def test_the_command_narrows_and_refuses(busy):
    """By agency and user; a day that is none is said."""
    done = CliRunner().invoke(command.app, ["schedules", "--agency", "Museum", "--json"])
    assert [row["subject"] for row in json.loads(done.stdout)["rows"]] == ["Elsewhere"]
    assert isinstance(CliRunner().invoke(command.app, ["usage", "--since", "soon", "--json"]).exception, BadSpan)


def test_days_are_days_of_the_reader():
    """From midnight to midnight in the zone; 30 days unless told otherwise."""
    zone = datetime.timezone(datetime.timedelta(hours=13))
    since, until = span(None, datetime.date(2026, 1, 30), today=datetime.date(2026, 2, 2), zone=zone)
    assert (since.isoformat(), until.isoformat()) == ("2025-12-31T11:00:00+00:00", "2026-01-30T11:00:00+00:00")


def test_a_picture_escapes_what_it_tells():
    """And is left out where there is nothing to compare."""
    picture = drawn([Bar(label="<b>", value=1), Bar(label="b", value=2.5)], measure="<i>")
    assert "<b>" not in picture
    assert "<i>" not in picture
    assert drawn([Bar(label="a", value=1)], measure="x") == ""
    assert drawn([Bar(label="a", value=0), Bar(label="b", value=0)], measure="x") == ""
