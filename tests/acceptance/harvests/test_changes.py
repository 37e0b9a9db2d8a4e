"""What harvests found changed, on pages, by the API and by commands."""

import dataclasses
import json

import pytest
from typer.testing import CliRunner

from opilio.cli import group as group_commands
from opilio.cli import harvest as harvest_commands
from opilio.cli import target as target_commands
from opilio.curation.models import HarvestState
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege, Scope
from tests.changed_site import harvested
from tests.harvest_desk import HarvestDesk

MODIFY = {Privilege.MODIFY_TARGET: Scope.AGENCY}
HOSTILE = "<script>alert(1)</script>\u202e🕷"


@pytest.fixture(autouse=True)
def home(settings, tmp_path):
    """A home of the test's own."""
    settings.OPILIO = dataclasses.replace(settings.OPILIO, home=tmp_path)
    return tmp_path


def _run(app, *arguments):
    done = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    if isinstance(done.exception, OpilioError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def test_the_page_of_a_target_tells_how_often_to_harvest(desk, enter, home):
    """With its evidence: by harvest and by page, and compared with its schedule."""
    row = desk.ready(name="Owls")
    desk.schedule(row, cron="0 0 21 1 * ? *")
    made = harvested(desk, row, home, name=HOSTILE)
    page = enter("curator", privileges=MODIFY).get(f"/targets/{row.pk}/changes")
    text = page.content.decode()
    assert "It is harvested more rarely than its pages change; every third day is suggested." in text
    assert "5 comparisons of harvests; 50 checks of pages found 15 changes" in text
    assert "Share of pages that had changed, by harvest" in text
    assert f'href="/harvests/{made[-1].pk}/changes"' in text
    assert "<script>alert(1)" not in text


def test_pages_of_a_target_are_filtered_and_downloaded(desk, enter, home):
    """The filter is taken as it is; the file has every page, and no formula."""
    row = desk.ready(name="Owls")
    harvested(desk, row, home, pages=3, often=1)
    curator = enter("curator", privileges=MODIFY)
    text = curator.get(f"/targets/{row.pk}/changes?q=page-1").content.decode()
    assert ("page-1" in text, "site.example/page-2" in text) == (True, False)
    assert "No page with that in its URL" in curator.get(f"/targets/{row.pk}/changes?q=%25").content.decode()
    answer = curator.get(f"/targets/{row.pk}/changes/pages.csv")
    lines = b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()
    assert len(lines) == 4
    assert lines[1].startswith("http://www.site.example/page-0,True,")
    stranger = enter("stranger", privileges=MODIFY, agency=desk.town.museum)
    assert stranger.get(f"/targets/{row.pk}/changes/pages.csv").status_code == 404


def test_pages_without_evidence_say_so(desk, enter, home):
    """A target that was never harvested, and one whose history is on another machine."""
    curator = enter("curator", privileges=MODIFY)
    row = desk.ready(name="Owls")
    assert "Nothing to compare yet" in curator.get(f"/targets/{row.pk}/changes").content.decode()
    harvested(desk, row, home, weeks=2)
    for file in (home / "changes").iterdir():
        file.unlink()
    text = curator.get(f"/targets/{row.pk}/changes").content.decode()
    assert "not enough evidence" in text
    assert "opilio harvest changes --rebuild" in text
    assert curator.get(f"/targets/{row.pk}/changes/pages.csv").status_code == 404


def test_the_page_of_a_harvest_tells_what_changed(desk, enter, home):
    """Compared with the one before; the first is compared with nothing."""
    row = desk.ready(name="Owls")
    first, *_, last = harvested(desk, row, home)
    curator = enter("curator", privileges={**MODIFY, Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY})
    text = curator.get(f"/harvests/{last.pk}/changes").content.decode()
    assert "7 days earlier: of 10 pages that were there both times, 3 changed" in text
    assert "nothing to compare it with" in curator.get(f"/harvests/{first.pk}/changes").content.decode()
    running = desk.harvest(row, state=HarvestState.RUNNING)
    assert "counted when the harvest has ended" in curator.get(f"/harvests/{running.pk}/changes").content.decode()


def test_programs_are_told_the_same(yard, office, home):
    """Identifiers are strings; what is not known is null or 404."""
    row = yard.ready(name="Owls")
    made = harvested(yard, row, home)
    caller = office.caller(privileges={**MODIFY, Privilege.MANAGE_TARGET_INSTANCES: Scope.AGENCY})
    told = caller.get(f"/targets/{row.pk}/changes").json()
    assert (told["comparisons"], told["suggestion"]["name"], told["scheduled"]) == (5, "every third day", None)
    assert told["rate"]["low"] <= told["rate"]["per_day"] <= told["rate"]["high"]
    assert [one["changed"] for one in told["harvests"]] == [3, 3, 3, 3, 3, 0]
    one = caller.get(f"/harvests/{made[-1].pk}/changes").json()
    assert (one["harvest"], one["since"], one["share"]) == (str(made[-1].pk), str(made[-2].pk), 0.3)
    pages = caller.get(f"/targets/{row.pk}/changes/pages?limit=2&offset=2").json()
    assert [page["url"][-6:] for page in pages] == ["page-2", "page-3"]
    assert (pages[0]["changes"], pages[1]["rate"]["high"] > 0) == (5, True)
    assert caller.get(f"/harvests/{yard.harvest(row).pk}/changes").status_code == 404
    assert caller.get(f"/targets/{row.pk}/changes/pages?limit=0").status_code == 422
    foreign = yard.ready(agency=office.museum)
    assert caller.get(f"/targets/{foreign.pk}/changes").status_code == 404
    assert caller.get(f"/targets/{yard.ready().pk}/changes/pages").status_code == 404


def test_commands_tell_the_same(db, home):
    """Of a harvest and of a target; in words too."""
    desk = HarvestDesk()
    row = desk.ready(name="Owls")
    made = harvested(desk, row, home)
    assert _run(harvest_commands.app, "changes", made[-1].pk)["changed"] == 3
    told = _run(target_commands.app, "changes", "Owls", "--limit", 2)
    assert (told["suggestion"]["name"], len(told["pages"]), told["pages_missing"]) == ("every third day", 2, "")
    words = CliRunner().invoke(target_commands.app, ["changes", "Owls"]).output
    assert "Every third day: a fifth of the pages has changed after" in words
    with pytest.raises(NotFound, match="--rebuild"):
        _run(harvest_commands.app, "changes", desk.harvest(row).pk)
    with pytest.raises(InvalidInput):
        _run(harvest_commands.app, "changes")
    with pytest.raises(InvalidInput):
        _run(harvest_commands.app, "changes", made[0].pk, "--rebuild")


def test_groups_have_a_page_of_their_own(desk, enter, home):
    """Of the harvests that a group is harvested in as one, with a file; strangers find nothing."""
    row = desk.group(name="Birds")
    made = harvested(desk, row, home, pages=3, often=1)
    curator = enter("curator", privileges=MODIFY)
    text = curator.see(f"/groups/{row.pk}/changes")
    assert f'href="/harvests/{made[-1].pk}/changes"' in text
    assert f'action="/groups/{row.pk}/changes"' in text
    assert f'href="/groups/{row.pk}/changes"' in curator.see(f"/groups/{row.pk}")
    lines = b"".join(curator.get(f"/groups/{row.pk}/changes/pages.csv").streaming_content).decode("utf-8-sig")
    assert len(lines.splitlines()) == 4
    assert _run(group_commands.app, "changes", "Birds")["comparisons"] == 5
    stranger = enter("stranger", privileges=MODIFY, agency=desk.town.museum)
    for path in ("changes", "changes/pages.csv"):
        assert stranger.get(f"/groups/{row.pk}/{path}").status_code == 404


def test_programs_are_told_of_groups(yard, office, home):
    """As of targets."""
    row = yard.group(name="Birds")
    harvested(yard, row, home, pages=3, often=1)
    caller = office.caller(privileges=MODIFY)
    assert caller.get(f"/groups/{row.pk}/changes").json()["comparisons"] == 5
    assert len(caller.get(f"/groups/{row.pk}/changes/pages").json()) == 3
    assert caller.get(f"/groups/{yard.group(agency=office.museum).pk}/changes").status_code == 404
