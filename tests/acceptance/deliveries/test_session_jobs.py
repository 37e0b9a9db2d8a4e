"""Sessions that agents run: by a button, by the clock, one at a time."""

import json
from datetime import timedelta

import pytest

from opilio.agents import delivery_sessions
from opilio.agents.context import Interrupted, RunContext, Stop
from opilio.agents.delivery_sessions import run_session, run_what_is_due
from opilio.agents.periodic import Turn
from opilio.cli.main import main
from opilio.jobs import claims
from opilio.jobs.models import Job
from opilio.jobs.payload import from_json
from opilio.jobs.states import JobState
from opilio.people.errors import InvalidFields
from opilio.tracker import session_jobs
from opilio.tracker.actions.sessions import start_session
from opilio.tracker.clerk import Clerk, SessionRuns
from opilio.tracker.models import Centre, Delivery, DeliverySession, Offering
from tests.hub import NAME

LEASE = timedelta(seconds=60)


@pytest.fixture
def agent(hub, settings, monkeypatch):
    """What claims the next job and runs it, with the sources and the profile of the hub."""
    monkeypatch.setattr(delivery_sessions.profiles, "named", lambda name: hub.profile)

    def run():
        (claimed,) = claims.claim(owner="a#1", limit=1, now=hub.clock.now(), lease=LEASE)
        context = RunContext(claimed, clock=hub.clock, lease=LEASE)
        run_session(from_json(claimed.kind, claimed.document), context)
        return context

    return run


def turn(hub, settings):
    """A turn of the chore."""
    run_what_is_due(Turn(held=None, clock=hub.clock, settings=settings.OPILIO, should_stop=lambda: False))


def test_an_agent_runs_a_session_that_somebody_started(hub, agent):
    """Whoever started it stands in the history; a second one is refused while it waits."""
    hub.lay()
    start_session(hub.town.system, profile="impc", downloaders=3)
    with pytest.raises(SessionRuns):
        start_session(hub.town.system)
    agent()
    assert hub.stands() == ("INTEGRITY", "DONE")
    assert hub.last_session().by == hub.town.system.username
    assert Job.objects.get().payload["downloaders"] == 3


def test_a_session_waits_for_one_that_runs(hub, agent):
    """The job is put off without the loss of an attempt."""
    start_session(hub.town.system)
    clerk = Clerk(owner="somebody", clock=hub.clock, lease=LEASE)
    assert agent().finished
    clerk.close()
    row = Job.objects.get()
    assert row.state == JobState.READY
    assert row.run_after > hub.clock.now()
    assert not DeliverySession.objects.exists()


def test_an_agent_that_ends_gives_the_session_back(hub, agent, monkeypatch):
    """Nothing is half done; the next attempt goes on."""
    hub.lay()
    start_session(hub.town.system)
    look = delivery_sessions.sessions.run

    def told(wishes):
        told.context.tell(Stop.DRAIN)
        return look(wishes)

    (claimed,) = claims.claim(owner="a#1", limit=1, now=hub.clock.now(), lease=LEASE)
    told.context = RunContext(claimed, clock=hub.clock, lease=LEASE)
    monkeypatch.setattr(delivery_sessions.sessions, "run", told)
    with pytest.raises(Interrupted):
        run_session(from_json(claimed.kind, claimed.document), told.context)
    assert hub.fetched == []
    assert hub.last_session().figures["stopped"] is True
    hub.run()
    assert hub.stands() == ("INTEGRITY", "DONE")


def test_the_clock_starts_sessions(hub, settings):
    """Every so many hours, for each profile of an active centre; never while the parameter is 0."""
    turn(hub, settings)
    assert not Job.objects.exists()
    hub.town.parameter("delivery_hours", "6")
    turn(hub, settings)
    turn(hub, settings)
    assert [row.payload["profile"] for row in Job.objects.all()] == ["impc"]
    assert Job.objects.get().payload["by"] == "schedule"
    Job.objects.all().delete()
    hub.run()  # an hour passes
    turn(hub, settings)
    assert not Job.objects.exists()
    hub.clock.advance(5 * 3_600)
    turn(hub, settings)
    assert Job.objects.count() == 1


def test_a_profile_that_waits_longer_comes_first(hub):
    """So that each has its turn."""
    hub.town.parameter("delivery_hours", "6")
    hub.run()
    Centre.objects.filter(short_name="H").update(profile="csv-manifest")
    hub.clock.advance(6 * 3_600)
    assert list(session_jobs.due(hub.clock.now())) == ["csv-manifest", "impc"]
    Centre.objects.filter(short_name="H").update(active=False)
    assert list(session_jobs.due(hub.clock.now())) == ["impc"]


def test_a_dry_run_says_what_would_be_fetched_and_changes_nothing(hub):
    """New, changed and refused deliveries are told; no row of theirs is made."""
    hub.lay()
    hub.lay("J.2024-02-31.1.impc.zip")
    ended = hub.run(dry_run=True)
    assert {line.name: line.became.value for line in ended.account.lines} == {
        NAME: "wanted", "J.2024-02-31.1.impc.zip": "refused",
    }  # fmt: skip
    assert not Delivery.objects.exists()
    assert hub.fetched == []
    assert hub.last_session().dry_run
    hub.run()
    assert hub.stands() == ("INTEGRITY", "DONE")
    before = list(Offering.objects.values_list("mark", "looks", "looked_at"))
    assert {line.became.value for line in hub.run(dry_run=True).account.lines} == {"here", "refused"}
    hub.lay(at=2e9)
    assert {line.became.value for line in hub.run(dry_run=True).account.lines} == {"wanted", "refused"}
    assert list(Offering.objects.values_list("mark", "looks", "looked_at")) == before


def test_numbers_out_of_range_are_refused(hub):
    """Pools have from one to 64 members."""
    for field in ("downloaders", "validators"):
        with pytest.raises(InvalidFields):
            start_session(hub.town.system, **{field: 0})


def test_exit_codes_of_a_session(hub, capsys, settings):
    """0: all went well; 1: some files failed; 2: it could not be done; 3: another one runs."""
    assert main(["delivery", "run", "--json"]) == 0
    hub.lay("J.2024-02-31.1.impc.zip")
    capsys.readouterr()
    assert main(["delivery", "run", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["offered"][0]["became"] == "refused"
    clerk = Clerk(owner="somebody", clock=hub.clock, lease=timedelta(days=36_500))
    assert main(["delivery", "run"]) == 3
    clerk.close()
    assert main(["delivery", "run", "--profile", "none-of-this-name"]) == 2
    folder = settings.OPILIO.home / "deliveries"
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    if folder.is_dir():
        folder.rmdir()
    folder.write_text("in the way")
    try:
        assert main(["delivery", "run"]) == 2
    finally:
        folder.unlink()


def test_the_command_asks_an_agent(hub, capsys):
    """With the job that will do it."""
    assert main(["delivery", "start", "--json"]) == 0
    assert int(json.loads(capsys.readouterr().out)["job"]) == Job.objects.get().pk
    assert main(["delivery", "start"]) == 3


@pytest.mark.parametrize("text", ["6", "h", "0h", "1.5h", "-1h", "99999h", "٣h"])
def test_a_length_of_time_that_is_none(hub, text, capsys):
    """It is refused before anything is visited."""
    assert main(["delivery", "run", "--every", text]) == 2
    assert "6h" in capsys.readouterr().err
