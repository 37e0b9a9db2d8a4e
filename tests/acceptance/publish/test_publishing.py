"""Endorsed results flow into the next generation; what is withdrawn leaves it; trouble is told."""

import datetime
import shutil

import pytest

from opilio.agents.context import Interrupted
from opilio.agents.publish import publish_generation, set_sources
from opilio.agents.publish_chores import leave_working_index, publish_when_due
from opilio.curation.actions.publications import AlreadyPublishing, start_publication
from opilio.curation.models import Harvest, HarvestState, Publication, Result, ResultState, Target
from opilio.curation.publishing import PublishGeneration
from opilio.jobs.models import Job
from opilio.kernel.access import PUBLIC
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import OpilioError
from opilio.kernel.locks import locked
from opilio.people.actions.parameters import set_parameters
from opilio.people.models import AuditEntry, Notification
from opilio.search.request import Request
from opilio.works.build_index import working_index
from opilio.works.followed_crawls import FollowedCrawl
from opilio.works.index_sources import IndexSource, SourcesFile
from opilio.works.search_setup import search_home
from tests.acceptance.publish.conftest import Attempt
from tests.review_desk import crawled

pytestmark = pytest.mark.only_on("sqlite")  # the rows are plain; what is tried lies on the disk


def found(shelf, words="hunt night"):
    shelf.fresh()
    return {hit.url for hit in shelf.search.ask(Request(query=words), PUBLIC).hits}


def test_readers_find_what_is_endorsed(shelf):
    """The endorsed result is found; one that waits for review, one under embargo and a rejected one are not."""
    shelf.endorsed()
    shelf.desk.sealed(shelf.home, shelf.target())
    row = shelf.published()
    assert (row.state, row.failure, row.results, row.added, row.dropped) == ("done", "", 1, 1, 0)
    assert {one["outcome"] for one in row.details["nodes"]} == {"switched"}
    assert found(shelf) == {crawled().url("/owls.html")}


def test_a_result_of_its_own_number_is_published(shelf):
    """Of a harvest with several results readers find the endorsed one: what was pruned from it is not there."""
    made = shelf.desk.sealed(shelf.home, shelf.target(), results=2, state=HarvestState.ENDORSED)
    Result.objects.filter(harvest=made, number=2).update(state=ResultState.ENDORSED)
    Result.objects.filter(harvest=made, number=1).update(state=ResultState.REJECTED)
    assert shelf.published().details["results"] == {str(made.pk): 2}
    assert found(shelf, "hunt night") == {crawled().url("/owls.html")}
    assert found(shelf, "stand reed") == set()


def test_what_is_withdrawn_leaves(shelf):
    """It is closed at once by the rules, and gone from the next generation; with nothing left, nothing is built."""
    first, second = shelf.endorsed(), shelf.endorsed()
    shelf.published()
    Harvest.objects.filter(pk=first.pk).update(state=HarvestState.HARVESTED)
    row = shelf.published()
    assert (row.results, row.added, row.dropped) == (1, 0, 1)
    sources = [each.harvest for each in SourcesFile(shelf.home / "index" / "sources.json").all()]
    assert sources == [str(second.pk)]
    Harvest.objects.filter(pk=second.pk).update(state=HarvestState.REJECTED)
    row = shelf.published()
    assert (row.state, row.results, row.generation) == ("done", 0, "")
    assert "closed to readers" in row.details["note"]
    assert found(shelf) == set()


def test_crawls_that_an_operator_added_stay(shelf, tmp_path):
    """They are open to readers as before, and publishing harvests leaves them in."""
    shutil.copytree(crawled().folder, tmp_path / "own")
    home = search_home(shelf.settings.OPILIO)
    home.sources.add([IndexSource(name="harvest-tools", folder=str(tmp_path / "own"))])
    shelf.endorsed(shelf.target(access_status="Embargoed"))
    row = shelf.published()
    assert row.state == "done"
    assert {each.name for each in home.sources.all()} >= {"harvest-tools"}
    set_sources(home.sources, [])
    assert [each.name for each in home.sources.all()] == ["harvest-tools"]


def test_a_result_that_cannot_be_read_is_left_out(shelf):
    """The others are published all the same, and the page says which is missing and why."""
    good, gone, torn = shelf.endorsed(), shelf.endorsed(), shelf.endorsed()
    shutil.rmtree(shelf.home / "harvests" / str(gone.pk))
    (shelf.home / "harvests" / str(torn.pk) / "results" / "result-1.db").write_bytes(b"torn")
    row = shelf.published()
    assert (row.state, row.details["harvests"]) == ("done", [good.pk])
    assert {int(one["harvest"]) for one in row.details["left_out"]} == {gone.pk, torn.pk}
    assert all(one["why"] for one in row.details["left_out"])


def test_purged_harvests_are_not_asked_for(shelf):
    """Their files are gone by design; nothing is told as missing."""
    shelf.endorsed()
    purged = shelf.endorsed(purged=True)
    row = shelf.published()
    assert purged.pk not in row.details["harvests"]
    assert row.details["left_out"] == []


def test_what_nobody_may_read_yet_does_not_stand_before_what_all_may(shelf):
    """A harvest that is kept back or under embargo stays out, so that readers find an older one of the same pages."""
    target = shelf.target()
    older = shelf.endorsed(target, started_at=SYSTEM.now() - datetime.timedelta(days=90))
    newer = shelf.endorsed(target, started_at=SYSTEM.now() - datetime.timedelta(days=2))
    Target.objects.filter(pk=target.pk).update(embargo_days=30)
    assert shelf.published().details["harvests"] == [older.pk]
    Target.objects.filter(pk=target.pk).update(embargo_days=1)
    assert shelf.published().details["harvests"] == [older.pk, newer.pk]
    Harvest.objects.filter(pk=newer.pk).update(display=False)
    assert shelf.published().details["harvests"] == [older.pk]


def test_trouble_is_told(shelf, monkeypatch):
    """A build that fails is told to whoever asked for it; readers keep the generation that they have."""
    shelf.endorsed()
    shelf.published()
    person = shelf.town.user("archivist")
    row = start_publication(shelf.town.system)
    Publication.objects.filter(pk=row.pk).update(by="archivist")
    monkeypatch.setattr("opilio.agents.publish.build_generation", _full)
    publish_generation(PublishGeneration(publication=row.pk), Attempt())
    row.refresh_from_db()
    assert (row.state, "no space" in row.failure) == ("failed", True)
    assert Notification.objects.get(user=person).kind == "publication-failed"
    assert found(shelf) == {crawled().url("/owls.html")}
    assert AuditEntry.objects.filter(action="publication.end").count() == 2


def test_another_builder_is_waited_for(shelf):
    """The job is put off, and loses no attempt."""
    shelf.endorsed()
    row = start_publication(shelf.town.system)
    attempt = Attempt()
    generations = search_home(shelf.settings.OPILIO).generations
    generations.root.mkdir(parents=True)
    with generations.changing("building a generation"):
        publish_generation(PublishGeneration(publication=row.pk), attempt)
    assert len(attempt.moments) == 1
    assert Publication.objects.get(pk=row.pk).ended_at is None


def test_a_killed_agent_is_taken_over(shelf, monkeypatch):
    """What was built is not built again, and a publication that ended is left alone."""
    shelf.endorsed()
    row = start_publication(shelf.town.system)
    with monkeypatch.context() as patch:
        patch.setattr("opilio.agents.publish._Publishing._served", _killed)
        with pytest.raises(KeyboardInterrupt):
            publish_generation(PublishGeneration(publication=row.pk), Attempt())
    built = Publication.objects.get(pk=row.pk)
    assert (built.state, bool(built.generation)) == ("publishing", True)
    publish_generation(PublishGeneration(publication=row.pk), Attempt())
    ended = Publication.objects.get(pk=row.pk)
    assert (ended.state, ended.generation) == ("done", built.generation)
    publish_generation(PublishGeneration(publication=row.pk), Attempt())
    assert Publication.objects.get(pk=row.pk).ended_at == ended.ended_at


def test_an_agent_that_ends_leaves_cleanly(shelf, monkeypatch):
    """Told to stop while it builds, it leaves nothing half done, and the job is done by another."""
    shelf.endorsed()
    row = start_publication(shelf.town.system)
    attempt = Attempt()
    monkeypatch.setattr(attempt, "check", _told_to_stop)
    with pytest.raises(Interrupted):
        publish_generation(PublishGeneration(publication=row.pk), attempt)
    assert list((shelf.home / "index" / "generations").glob(".building-*")) == []
    publish_generation(PublishGeneration(publication=row.pk), Attempt())
    assert Publication.objects.get(pk=row.pk).state == "done"


def test_one_at_a_time(shelf):
    """A second one is refused while the first is under way; one that nothing works on any more is given up."""
    first = start_publication(shelf.town.system)
    with pytest.raises(AlreadyPublishing, match="already"):
        start_publication(shelf.town.system)
    Job.objects.filter(pk=first.job).update(state="dead")
    second = start_publication(shelf.town.system)
    first.refresh_from_db()
    assert (first.state, second.state) == ("failed", "waiting")
    assert second.job != first.job


def test_it_is_published_by_itself(shelf, turn):
    """Once something changed and the last time is long enough ago; never when the hours are 0."""
    publish_when_due(turn())
    assert not Publication.objects.exists()
    harvest = shelf.endorsed()
    publish_when_due(turn())
    row = Publication.objects.get()
    publish_when_due(turn())
    assert Publication.objects.count() == 1, "one is under way"
    publish_generation(PublishGeneration(publication=row.pk), Attempt())
    publish_when_due(turn(hours=25))
    assert Publication.objects.count() == 1, "nothing changed"
    Harvest.objects.filter(pk=harvest.pk).update(state=HarvestState.HARVESTED)
    publish_when_due(turn(hours=1))
    assert Publication.objects.count() == 1, "too soon"
    set_parameters(shelf.town.system, texts={"publish_hours": "0"}, versions={"publish_hours": 1})
    publish_when_due(turn(hours=25))
    assert Publication.objects.count() == 1, "only by hand"
    set_parameters(shelf.town.system, texts={"publish_hours": "24"}, versions={"publish_hours": 2})
    publish_when_due(turn(hours=25))
    assert Publication.objects.count() == 2


def test_the_working_index_follows(shelf, turn):
    """A rejected harvest leaves what reviewers search; one that waits for review stays."""
    kept, rejected = shelf.desk.sealed(shelf.home), shelf.desk.sealed(shelf.home)
    home = search_home(shelf.settings.OPILIO)
    with working_index(home) as index:
        for row in (kept, rejected):
            folder = shelf.home / "harvests" / str(row.pk)
            index.follow(FollowedCrawl(name=f"harvest-{row.pk}", folder=str(folder), harvest=str(row.pk)))
    Harvest.objects.filter(pk=rejected.pk).update(state=HarvestState.REJECTED)
    with locked(home.working_folder / "writer.lock", purpose="writing the working index"):
        leave_working_index(turn())
    assert len(home.followed.all()) == 2, "another process writes it"
    leave_working_index(turn())
    assert [each.name for each in home.followed.all()] == [f"harvest-{kept.pk}"]


@pytest.fixture
def turn(shelf):
    """A turn of a chore, so many hours from now."""

    class Turn:
        settings = shelf.settings.OPILIO

        def __init__(self, hours):
            self.clock = Later(hours)

    return lambda hours=0: Turn(hours)


class Later:
    """The system's clock, ahead."""

    def __init__(self, hours):
        self._ahead = datetime.timedelta(hours=hours)

    def now(self):
        return SYSTEM.now() + self._ahead

    def monotonic(self):
        return SYSTEM.monotonic()


def _full(*_, **__):

    raise OpilioError("there is no space left", where="index", remedy="Make room.")


def _killed(*_):
    raise KeyboardInterrupt


def _told_to_stop():
    raise Interrupted("The runner stopped: the agent ends", where="job 1")
