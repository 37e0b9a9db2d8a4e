"""The job that fetches what a result lacks: politely, with the rights of the harvest, in one attempt or several."""

import json

import pytest

from opilio.agents import patches as agent
from opilio.agents.context import Interrupted, Stop
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.view import ResultView
from opilio.curation.actions.missing_urls import add_missing
from opilio.curation.actions.patches import begin_patch, end_patch, import_url
from opilio.curation.models import (
    HarvestState,
    MissingUrl,
    PatchState,
    PermissionExclusion,
    Result,
    ResultState,
    SeedPermission,
)
from opilio.curation.patch_jobs import PatchResult
from opilio.curation.patching import NotPatchable
from opilio.jobs.models import Job
from opilio.kernel.errors import Missing
from opilio.people.errors import InvalidFields, NotAllowed, Stale
from opilio.people.models import Notification
from opilio.people.privileges import Privilege, Scope
from tests.patch_desk import PatchDesk, attempt, run_making, run_patch
from tests.people import Town
from tests.review_desk import at_home, crawled

NEW = {
    "lost.png": "picture",
    "extra.html": "<title>Extra</title><p>Extra owls<img src=/more.svg>",
    "more.svg": "<svg/>",
}


@pytest.fixture
def town(db):
    return Town()


@pytest.fixture
def desk(town):
    return PatchDesk(town)


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


@pytest.fixture
def reviewer(town):
    return town.actor(privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY})


@pytest.fixture(autouse=True)
def seen(monkeypatch):
    """The crawl asks beside its own thread, which sees nothing of a test's transaction."""
    monkeypatch.setattr(agent.query, "goes_on", lambda result: True)


def wanted(reviewer, row, *paths):
    add_missing(reviewer, result_id=row.pk, text="\n".join(crawled().url(path) for path in paths))


def patched(reviewer, row, *paths, **more):
    wanted(reviewer, row, *paths)
    return begin_patch(reviewer, result_id=row.pk, note="Pictures were lost.", **more)


def view_of(home, row):
    return ResultView(ResultsFolder(home / "harvests" / str(row.harvest_id)), row.number)


def states(row):
    rows = MissingUrl.objects.filter(harvest=row.harvest_id).order_by("id")
    return [(one.url.partition(str(crawled().port))[2], one.state, one.patched_in) for one in rows]


def test_what_was_missing_is_in_the_new_result(desk, home, reviewer):
    """Only the URLs of the list are crawled, with what their pages embed; each has its outcome."""
    first = desk.patchable(home)
    row = patched(reviewer, first, "/lost.png", "/extra.html", "/nowhere.html")
    first.harvest.refresh_from_db()
    assert (row.number, row.state, first.harvest.state) == (2, ResultState.CRAWLING, HarvestState.PATCHING)
    assert [state for _, state, _ in states(row)] == [PatchState.TAKEN] * 3
    with crawled().served(**NEW) as server:
        run_patch(row, desk.town.clock)
        asked = {entry.target for entry in server.log()}
    assert asked == {"/robots.txt", "/lost.png", "/extra.html", "/more.svg", "/nowhere.html"}
    assert row.state == ResultState.MODIFYING
    assert states(row) == [
        ("/lost.png", "fetched", 2),
        ("/extra.html", "fetched", 2),
        ("/nowhere.html", "failed", None),
    ]
    assert "404" in MissingUrl.objects.get(state=PatchState.FAILED).outcome
    run_making(row, desk.town.clock)
    first.harvest.refresh_from_db()
    assert (row.state, first.harvest.state) == (ResultState.UNASSESSED, HarvestState.HARVESTED)
    with view_of(home, row) as view:
        assert view.resource(crawled().url("/lost.png")).outcome == "fetched"
        assert view.resource(crawled().url("/more.svg")).outcome == "fetched"
        assert view.resource(crawled().url("/extra.html")).title == "Extra"
        assert view.resource(crawled().url("/owls.html")).title == "Owls"


def test_embeds_stay_behind_when_nobody_wants_them(desk, home, reviewer):
    """The page comes alone."""
    row = patched(reviewer, desk.patchable(home), "/extra.html", embeds=False)
    with crawled().served(**NEW):
        run_patch(row, desk.town.clock)
    run_making(row, desk.town.clock)
    with view_of(home, row) as view:
        assert view.resource(crawled().url("/extra.html")) is not None
        assert view.resource(crawled().url("/more.svg")) is None


@pytest.mark.parametrize(("existing", "title"), [("keep", "Owls"), ("if-failed", "Owls"), ("replace", "Newer")])
def test_what_is_there_gives_way_as_wished(desk, home, reviewer, existing, title):
    """A page that was fetched is replaced only where that is wanted."""
    row = patched(reviewer, desk.patchable(home), "/owls.html", "/extra.html", existing=existing)
    with crawled().served(**{**NEW, "owls.html": "<title>Newer</title>"}):
        run_patch(row, desk.town.clock)
    run_making(row, desk.town.clock)
    with view_of(home, row) as view:
        assert view.resource(crawled().url("/owls.html")).title == title


def test_a_patch_that_brings_nothing_fails_with_its_reason(desk, home, reviewer):
    """The harvest waits for review again, the list says why, whoever wanted it is told."""
    first = desk.patchable(home)
    row = patched(reviewer, first, "/nowhere.html")
    with crawled().served():
        run_patch(row, desk.town.clock)
    first.harvest.refresh_from_db()
    assert (row.state, first.harvest.state) == (ResultState.ABORTED, HarvestState.HARVESTED)
    assert "Nothing of it could be fetched" in row.reason
    assert [state for _, state, _ in states(row)] == ["failed"]
    assert Notification.objects.filter(kind="result-failed", user=reviewer.user).count() == 1


def test_robots_txt_counts_for_patches(desk, home, reviewer):
    """What the site forbids is not fetched, and the list says so."""
    row = patched(reviewer, desk.patchable(home), "/private.html", "/extra.html")
    with crawled().served(**{**NEW, "private.html": "<p>secret"}):
        run_patch(row, desk.town.clock)
    assert states(row)[0][:2] == ("/private.html", "failed")
    assert "robots-denied" in MissingUrl.objects.get(state="failed").outcome


def test_what_lies_outside_of_the_scope_is_refused(desk, home, reviewer):
    """A reviewer cannot collect another site under the rights of this one."""
    first = desk.patchable(home)
    add_missing(reviewer, result_id=first.pk, text=f"http://other.example/\n{crawled().url('/extra.html')}")
    row = begin_patch(reviewer, result_id=first.pk, note="More.", embeds=False)
    with crawled().served(**NEW):
        run_patch(row, desk.town.clock)
    failed = MissingUrl.objects.get(url="http://other.example/")
    assert (failed.state, "not in the scope" in failed.outcome) == ("failed", True)


def test_a_plan_that_cannot_be_carried_out_fails_at_once(desk, home, reviewer):
    """It is not tried again and again."""
    first = desk.patchable(home, manners={"contact": "nobody"})
    row = patched(reviewer, first, "/lost.png")
    run_patch(row, desk.town.clock)
    assert row.state == ResultState.ABORTED
    assert "contact" in row.reason


def test_exclusions_of_today_count(desk, home, reviewer):
    """What a permission excludes since the harvest is not fetched by a patch."""
    first = desk.patchable(home)
    link = SeedPermission.objects.get(seed__target=first.harvest.abstract_target_id)
    PermissionExclusion(
        permission_id=link.permission_id, url=crawled().url("/extra.html"), reason="Withdrawn", **desk._moments()
    ).save()  # fmt: skip
    row = patched(reviewer, first, "/extra.html", "/lost.png")
    with crawled().served(**NEW):
        run_patch(row, desk.town.clock)
    assert [one[:2] for one in states(row)] == [("/extra.html", "failed"), ("/lost.png", "fetched")]


def test_a_right_that_is_gone_stops_the_patch(desk, home, reviewer):
    """Asked when it is wanted and again when it begins."""
    with pytest.raises(NotPatchable, match="permission"):
        patched(reviewer, desk.patchable(home, permission=False), "/lost.png")
    row = patched(reviewer, desk.patchable(home), "/lost.png")
    SeedPermission.objects.all().delete()
    run_patch(row, desk.town.clock)
    assert row.state == ResultState.ABORTED
    assert [state for _, state, _ in states(row)] == [PatchState.WAITING]


@pytest.mark.parametrize("state", [HarvestState.ARCHIVING, HarvestState.ENDORSED, HarvestState.PATCHING])
def test_a_harvest_that_does_not_wait_for_review_is_not_patched(desk, home, reviewer, state):
    """Such as one that is being archived."""
    first = desk.patchable(home)
    first.harvest.state = state
    first.harvest.save(update_fields=["state"])
    with pytest.raises(NotPatchable, match="nothing can be added"):
        patched(reviewer, first, "/lost.png")


def test_who_may_not_endorse_may_not_patch(desk, home, town):
    """Nor may somebody who looked at an older version."""
    first = desk.patchable(home)
    looker = town.actor(privileges={Privilege.MODIFY_TARGET: Scope.AGENCY})
    with pytest.raises(NotAllowed):
        begin_patch(looker, result_id=first.pk, note="More.")
    reviewer = town.actor(privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY})
    with pytest.raises(Stale):
        begin_patch(reviewer, result_id=first.pk, note="More.", version=99)
    with pytest.raises(InvalidFields, match="No URL"):
        begin_patch(reviewer, result_id=first.pk, note="More.")
    wanted(reviewer, first, "/lost.png")
    with pytest.raises(InvalidFields, match="Say why"):
        begin_patch(reviewer, result_id=first.pk, note="  ")
    with pytest.raises(InvalidFields, match="none of"):
        begin_patch(reviewer, result_id=first.pk, note="More.", existing="perhaps")


def test_a_patch_is_given_up(desk, home, reviewer, monkeypatch):
    """Before an agent has it its job is withdrawn; while one crawls, what it fetched goes; the URLs wait again."""
    first = desk.patchable(home)
    row = end_patch(reviewer, result_id=patched(reviewer, first, "/lost.png").pk)
    first.harvest.refresh_from_db()
    assert (row.state, first.harvest.state) == (ResultState.ABORTED, HarvestState.HARVESTED)
    assert [state for _, state, _ in states(row)] == [PatchState.WAITING]
    assert not Job.objects.filter(kind="curation.patch_result", state="waiting").exists()
    with pytest.raises(NotPatchable, match="no patch to give up"):
        end_patch(reviewer, result_id=row.pk)

    again = begin_patch(reviewer, result_id=first.pk, note="Once more.")
    monkeypatch.setattr(agent._Patch, "_crew", _given_up_while_crawling(agent._Patch._crew))
    with crawled().served(**NEW):
        run_patch(again, desk.town.clock)
    assert not (home / "harvests" / str(first.harvest_id) / "patches" / "3").exists()


def _given_up_while_crawling(crew):
    def changed(self, plan, begun):
        self._given_up = True
        return crew(self, plan, begun)

    return changed


def test_an_attempt_that_was_cut_off_goes_on(desk, home, reviewer, monkeypatch):
    """Killed after the crawl and before the hand-over, the next attempt fetches nothing twice."""
    first = desk.patchable(home)
    row = patched(reviewer, first, "/lost.png")

    def killed(*args, **kwargs):
        raise KeyboardInterrupt

    with crawled().served(**NEW), monkeypatch.context() as patch:
        patch.setattr(agent._Patch, "_hand_over", killed)
        with pytest.raises(KeyboardInterrupt):
            run_patch(row, desk.town.clock)
    desk.town.clock.advance(300)
    run_patch(row, desk.town.clock)  # the site is down by now
    assert row.state == ResultState.MODIFYING
    run_making(row, desk.town.clock)
    with view_of(home, row) as view:
        assert view.resource(crawled().url("/lost.png")).outcome == "fetched"


def test_an_agent_that_leaves_gives_the_patch_back(desk, home, reviewer):
    """Nothing is decided by an agent that was told to stop."""
    row = patched(reviewer, desk.patchable(home), "/lost.png")
    context = attempt(desk.town.clock, "curation.patch_result")
    context.tell(Stop.DRAIN)
    with crawled().served(**NEW), pytest.raises(Interrupted):
        agent.patch_result(PatchResult(result=row.pk), context)
    row.refresh_from_db()
    assert row.state == ResultState.CRAWLING


def test_files_elsewhere_are_told(desk, home, reviewer):
    """An agent on another machine says so, and the reason stands with the result."""
    first = desk.patchable(home)
    row = patched(reviewer, first, "/lost.png")
    (home / "harvests" / str(first.harvest_id)).rename(home / "away")
    with pytest.raises(Missing, match="not here"):
        run_patch(row, desk.town.clock)
    row.refresh_from_db()
    assert "not here" in row.reason


def test_a_url_is_fetched_now_and_stands_for_another(desk, home, reviewer):
    """The content is kept under the other URL, and the record says where it came from."""
    first = desk.patchable(home)
    there = crawled().url("/gone.html")
    row = import_url(reviewer, result_id=first.pk, url=crawled().url("/extra.html"), stands_for=there, note="It moved.")
    with crawled().served(**NEW):
        run_patch(row, desk.town.clock)
    run_making(row, desk.town.clock)
    with view_of(home, row) as view:
        assert (view.resource(there).title, view.resource(there).outcome) == ("Extra", "fetched")
        assert view.resource(crawled().url("/extra.html")) is None


def test_lost_jobs_are_given_anew(desk, home, reviewer):
    """A chore finds patches that no job works for, and removes what others left."""
    first = desk.patchable(home)
    row = patched(reviewer, first, "/lost.png")
    Job.objects.all().delete()
    (home / "harvests" / str(first.harvest_id) / "patches" / "9").mkdir(parents=True)
    left = desk.result(first.harvest, 9, state=ResultState.ABORTED, change=json.loads('{"patch": {}}'))

    class Turn:
        clock = desk.town.clock

        def should_stop(self):
            return False

    agent.look_after_patches(Turn())
    row.refresh_from_db()
    assert Job.objects.get(kind="curation.patch_result").id == row.job
    assert not (home / "harvests" / str(first.harvest_id) / "patches" / str(left.number)).exists()
    assert Result.objects.get(pk=row.pk).state == ResultState.CRAWLING
