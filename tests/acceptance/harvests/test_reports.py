"""The reports on one harvest as pages, files, API and command: the same rows, running or sealed, here or elsewhere."""

import csv
import dataclasses
import html
import io
import json
import re

import pytest
from typer.testing import CliRunner

from opilio.cli import harvest as command
from opilio.curation.harvest_folders import folder_of
from opilio.curation.models import HarvestState
from opilio.curation.queries import harvest_reports as query
from opilio.kernel.errors import OpilioError
from opilio.people.privileges import Privilege, Scope
from opilio.works.harvest_records import NothingHere
from opilio.works.harvest_reports.all_reports import BY_NAME, REPORTS, BadChoice, NoSuchHarvestReport
from tests.harvest_report_folder import GONE, LONG, OUTSIDE, REPEATED, START, reported

MANAGE = {Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY}
NAMES = sorted(BY_NAME)


@pytest.fixture
def home(settings, tmp_path):
    """A home folder of the test's own: identifiers come again in other tests."""
    settings.OPILIO = dataclasses.replace(settings.OPILIO, home=tmp_path)
    return tmp_path


@pytest.fixture
def curator(enter):
    return enter("curator", privileges=MANAGE)


def _harvest(desk, *, sealed, **fields):
    state = HarvestState.HARVESTED if sealed else HarvestState.RUNNING
    made = desk.harvest(desk.ready(name="Owls"), state=state, started_at=desk.now, **fields)
    reported(folder_of(made.pk).path, sealed=sealed)
    return made


@pytest.fixture
def sealed(desk, home):
    """A harvest with a sealed result on this machine."""
    return _harvest(desk, sealed=True)


@pytest.fixture
def running(desk, home):
    """A harvest with a store, not sealed yet."""
    return _harvest(desk, sealed=False)


def _file(browser, path, **values):
    return b"".join(browser.get(path, values).streaming_content).decode("utf-8-sig")


def test_all_reports_are_offered_with_what_they_count(curator, sealed, django_assert_max_num_queries):
    """Each leads to its page."""
    with django_assert_max_num_queries(15):
        page = curator.see(f"/harvests/{sealed.pk}/reports")
    for one in REPORTS:
        assert f"/harvests/{sealed.pk}/reports/{one.name}" in page
        assert one.sentence in html.unescape(page)
    assert "<strong>1</strong> broken URL<" in page


def test_broken_links_name_the_pages_to_mend(curator, sealed):
    """A URL leads to its story; markup in URLs is text."""
    page = curator.see(f"/harvests/{sealed.pk}/reports/broken-links")
    assert GONE in page
    assert START in page
    assert f"/harvests/{sealed.pk}/story?url=https%3A%2F%2Fowls.example%2Fgone" in page
    assert 'role="img"' in page
    assert "<script>alert" not in curator.see(f"/harvests/{sealed.pk}/reports/sizes")


def test_a_report_of_a_running_harvest_says_so(curator, running):
    """It is counted from what was collected so far."""
    assert "so far" in curator.see(f"/harvests/{running.pk}/reports/hosts")
    assert "not sealed yet" in curator.see(f"/harvests/{running.pk}/reports")


def test_hosts_outside_and_odd_urls_are_told(curator, sealed):
    """With where they are linked, and what repeats itself."""
    base = f"/harvests/{sealed.pk}/reports"
    assert OUTSIDE in curator.see(f"{base}/outside")
    assert "within root" in curator.see(f"{base}/off-scope")
    assert REPEATED in curator.see(f"{base}/repeating-patterns")
    assert "owls.example/blob" in curator.see(f"{base}/unknown-types")


def test_the_length_of_long_urls_is_chosen(curator, sealed):
    """The count is exact for every limit; one that cannot be used is told with the form still there."""
    base = f"/harvests/{sealed.pk}/reports/long-urls"
    assert "<strong>1</strong> URL that is longer" in curator.see(base)
    assert "No URL is that long." in curator.see(base, longer=len(LONG))
    for text in ("soon", "1", "9" * 30, "-5", "<b>", "٣٣٣"):
        answer = curator.get(base, {"longer": text})
        assert answer.status_code == 422
        assert 'name="longer"' in answer.content.decode()


def test_every_report_is_shown_and_kept_as_csv_and_json(curator, sealed):
    """The same rows; no cell begins like a formula."""
    for name, report in BY_NAME.items():
        base = f"/harvests/{sealed.pk}/reports/{name}"
        page = curator.see(base)
        table = list(csv.reader(io.StringIO(_file(curator, f"{base}/file.csv"), newline="")))
        values = json.loads(_file(curator, f"{base}/file.json"))
        assert table[0] == [column.label for column in report.columns]
        assert page.count("<tr>") == len(table) == len(values["rows"]) + 1 > 1, name
        assert not [cell for row in table for cell in row if re.match(r"[=+\-@]", cell)]


def test_a_harvest_without_a_folder_says_what_to_do(desk, home, curator):
    """Not begun, on another machine, removed: each in its own words."""
    told = {
        desk.harvest().pk: "has not begun",
        desk.harvest(state=HarvestState.RUNNING, started_at=desk.now).pk: "not on this machine",
        _harvest(desk, sealed=True, purged=True).pk: "was removed",
    }
    for number, words in told.items():
        assert words in curator.see(f"/harvests/{number}/reports")
        assert words in curator.see(f"/harvests/{number}/reports/hosts")
        assert curator.get(f"/harvests/{number}/reports/hosts/file.csv").status_code == 404


def test_a_result_that_an_earlier_version_sealed(curator, sealed, monkeypatch):
    """Says that this was not counted; what it has is shown."""
    old = query.read(folder_of(sealed.pk), ())
    kept = {name: part for name, part in old.parts.items() if name not in ("long_urls", "by_mime")}
    monkeypatch.setattr(query, "read", lambda folder, names: dataclasses.replace(old, parts=kept))
    base = f"/harvests/{sealed.pk}/reports"
    assert "earlier version" in curator.see(f"{base}/types")
    assert GONE in curator.see(f"{base}/broken-links")
    assert len(_file(curator, f"{base}/types/file.csv").splitlines()) == 1
    assert curator.get(base).status_code == 200


def test_names_that_are_none_and_harvests_of_others(desk, town, curator, sealed):
    """Are not found, on the page and as a file."""
    base = f"/harvests/{sealed.pk}/reports"
    assert curator.get(f"{base}/nothing").status_code == 404
    assert curator.get(f"{base}/hosts/file.exe").status_code == 404
    other = desk.harvest(desk.ready(agency=town.museum), state=HarvestState.RUNNING, started_at=desk.now)
    for part in ("", "/hosts", "/hosts/file.csv", "/hosts/file.json"):
        assert curator.get(f"/harvests/{other.pk}/reports{part}").status_code == 404


def test_the_api_gives_the_same(office, yard, home):
    """To those who may see the harvest; errors have the one shape."""
    caller = office.caller(privileges=MANAGE)
    made = _harvest(yard, sealed=True)
    offered = caller.get(f"/harvests/{made.pk}/reports").json()
    assert {one["name"] for one in offered} == set(NAMES)
    answer = caller.get(f"/harvests/{made.pk}/reports/broken-links").json()
    assert (answer["total"], answer["sealed"], answer["older"]) == (1, True, False)
    assert answer["rows"][0]["linked_from"] == [START]
    assert caller.get(f"/harvests/{made.pk}/reports/long-urls", longer=len(LONG)).json()["total"] == 0
    assert caller.get(f"/harvests/{made.pk}/reports/long-urls", longer="x").status_code == 422
    assert caller.get(f"/harvests/{made.pk}/reports/nothing").status_code == 404
    waiting = yard.harvest()
    assert "has not begun" in str(caller.get(f"/harvests/{waiting.pk}/reports").json())
    assert caller.get(f"/harvests/{waiting.pk}/reports/hosts").status_code == 404
    foreign = _harvest_of(yard, office.museum)
    assert caller.get(f"/harvests/{foreign.pk}/reports/hosts").status_code == 404


def _harvest_of(yard, agency):
    return yard.harvest(yard.ready(agency=agency), state=HarvestState.RUNNING, started_at=yard.now)


def _run(*arguments):
    done = CliRunner().invoke(command.app, ["report", *map(str, arguments)])
    if isinstance(done.exception, OpilioError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def test_the_command_shows_lists_and_writes(desk, sealed, tmp_path):
    """As a table, as JSON, as CSV to the screen or a file."""
    assert {one["name"] for one in json.loads(_run(sealed.pk, "--json"))["reports"]} == set(NAMES)
    document = json.loads(_run(sealed.pk, "status-codes", "--json"))
    assert {row["status"]: row["answers"] for row in document["rows"]}[404] == 1
    assert "broken-links" in _run(sealed.pk)
    assert "gone" in _run(sealed.pk, "broken-links")
    assert GONE in _run(sealed.pk, "broken-links", "--csv")
    _run(sealed.pk, "broken-links", "--output", tmp_path / "out.csv")
    assert GONE in (tmp_path / "out.csv").read_text("utf-8-sig")


def test_the_command_refuses_what_cannot_be_made(desk, sealed):
    """Each with what to do."""
    with pytest.raises(NoSuchHarvestReport, match="no report"):
        _run(sealed.pk, "nothing")
    with pytest.raises(BadChoice):
        _run(sealed.pk, "long-urls", "--longer", "soon")
    with pytest.raises(NothingHere, match="has not begun"):
        _run(desk.harvest().pk)
