"""Bulk work: prepared, tried, done row by row, stopped; a refused row stops no other."""

import os
from datetime import timedelta

import pytest

from opilio.agents.bulk import run_bulk
from opilio.agents.context import Interrupted, RunContext, Stop
from opilio.curation.actions.rejection_reasons import create_reason
from opilio.curation.bulk import actions as bulk
from opilio.curation.bulk import forgetting, running
from opilio.curation.bulk.errors import NothingSelected, NotStartable, TooManyRows
from opilio.curation.bulk.performing import counts
from opilio.curation.models import BulkItem, BulkRun, BulkState, Outcome, Seed, State, Target
from opilio.jobs import claims
from opilio.jobs.models import Job
from opilio.people.errors import InvalidFields, NotAllowed, NotFound
from opilio.people.models import AuditEntry, Notification, User
from opilio.people.privileges import Privilege, Scope
from tests.curation import Desk

LEASE = timedelta(seconds=60)
APPROVES = {Privilege.APPROVE_TARGET: Scope.AGENCY, Privilege.MODIFY_TARGET: Scope.AGENCY}
COUNT = 1_000 if float(os.environ.get("OPILIO_TEST_PROOF_SCALE", "1")) > 1 else 120


@pytest.fixture
def desk(town):
    return Desk(town)


@pytest.fixture
def archivist(town):
    return town.actor(privileges=APPROVES)


def prepared(actor, verb, rows, noun="target"):
    return bulk.prepare_rows(actor, noun=noun, verb=verb, ids=[row.pk for row in rows])


def claimed(clock):
    (found,) = claims.claim(owner="a#1", limit=1, now=clock.now(), lease=LEASE, kinds=["curation.run_bulk"])
    return RunContext(found, clock=clock, lease=LEASE)


def test_each_row_is_done_by_its_own_action(desk, archivist):
    """Good rows are approved, each with its own entry; the refused one says why."""
    good = [desk.approvable(state=State.NOMINATED) for _ in range(3)]
    bad = desk.target(state=State.NOMINATED, name="Without seeds")
    run = prepared(archivist, "approve", [*good, bad])
    run = bulk.run_now(archivist, bulk.start(archivist, run_id=run.id))
    assert run.state == BulkState.DONE
    assert counts(run) == {"waiting": 0, "changed": 3, "unchanged": 0, "refused": 1, "unreadable": 0}
    refused = run.items.get(outcome=Outcome.REFUSED)
    assert refused.name == "Without seeds"
    assert "seed" in refused.told
    assert AuditEntry.objects.filter(action="target.approve", subject_id__in=[row.id for row in good]).count() >= 3
    assert Target.objects.filter(state=State.APPROVED).count() == 3


def test_a_preview_tells_and_changes_nothing(desk, archivist):
    """What would change is told column by column, what is refused with its reason, and nothing stays of it."""
    good, bad = desk.approvable(state=State.NOMINATED), desk.target(state=State.NOMINATED)
    run = prepared(archivist, "approve", [good, bad])
    before = AuditEntry.objects.count()
    tried = bulk.describe(archivist, run, {}, most=50)
    assert [one.outcome for one in tried] == [Outcome.CHANGED, Outcome.REFUSED]
    assert "state: Nominated → Approved" in tried[0].told
    assert AuditEntry.objects.count() == before
    assert not Target.objects.filter(state=State.APPROVED).exists()


def test_a_preview_of_many_is_spread_over_all(desk, archivist):
    """The first and the last are among those that are tried."""
    owner = desk.town.user()
    rows = [desk.target(owner=owner) for _ in range(30)]
    run = prepared(archivist, "nominate", rows)
    tried = bulk.describe(archivist, run, {}, most=5)
    assert [one.position for one in tried] == [1, 8, 15, 22, 30]


def test_a_trial_of_all_rows_can_be_run_for_good(desk, archivist):
    """A trial settles every row and takes it back; then it is started again."""
    rows = [desk.approvable(state=State.NOMINATED), desk.target(state=State.NOMINATED)]
    run = prepared(archivist, "approve", rows)
    run = bulk.run_now(archivist, bulk.start(archivist, run_id=run.id, dry_run=True))
    assert counts(run)["changed"] == counts(run)["refused"] == 1
    assert not Target.objects.filter(state=State.APPROVED).exists()
    run = bulk.run_now(archivist, bulk.start(archivist, run_id=run.id))
    assert Target.objects.filter(state=State.APPROVED).count() == 1
    with pytest.raises(NotStartable):
        bulk.start(archivist, run_id=run.id)


def test_many_rows_are_done_by_a_job(desk, town, archivist):
    """The job shows how far it is, survives an interruption, and repeats nothing."""
    owner = town.user()
    rows = [desk.target(name=f"Target {number:04}", owner=owner) for number in range(COUNT)]
    run = bulk.start(archivist, run_id=prepared(archivist, "nominate", rows).id)
    assert not bulk.at_once(run)
    context = claimed(town.clock)
    told = []

    def leave(done, of):
        told.append((done, of))
        if done == 50:
            context.tell(Stop.DRAIN)

    with pytest.raises(Interrupted):
        running.work(run.id, clock=town.clock, report=leave, check=context.check)
    assert Target.objects.filter(state=State.NOMINATED).count() == 50
    run_bulk(running.RunBulk(run=run.id), again := RunContext(context.claimed, clock=town.clock, lease=LEASE))
    run.refresh_from_db()
    assert again.finished
    assert run.state == BulkState.DONE
    assert counts(run)["changed"] == COUNT
    assert told[-1] == (50, COUNT)
    assert AuditEntry.objects.filter(action="target.nominate", correlation=f"bulk-{run.id}").count() >= COUNT
    assert Job.objects.get(id=context.claimed.id).progress.endswith(f"of {COUNT:,} rows")


def test_stopped_work_leaves_the_rest(desk, town, archivist):
    """What is done stays done; rows that wait stay as they are."""
    owner = town.user()
    rows = [desk.target(owner=owner) for _ in range(101)]
    run = bulk.start(archivist, run_id=prepared(archivist, "nominate", rows).id)
    bulk.stop(archivist, run_id=run.id)
    run_bulk(running.RunBulk(run=run.id), claimed(town.clock))
    run.refresh_from_db()
    assert run.state == BulkState.STOPPED
    assert counts(run)["waiting"] == 101
    with pytest.raises(NotStartable):
        bulk.stop(archivist, run_id=run.id)


def test_a_job_acts_with_what_the_asker_held_and_still_holds(desk, town):
    """A token that may only nominate does not approve by a job, and somebody who was barred does nothing."""
    user = town.user(privileges=APPROVES)
    narrow = town.actor(user)
    narrow = narrow.__class__(
        **{**narrow.__dict__, "grants": narrow.grants.only(frozenset({Privilege.APPROVE_TARGET}))}
    )
    run = bulk.start(narrow, run_id=prepared(narrow, "approve", [desk.approvable(state=State.NOMINATED)]).id)
    assert run.privileges == ["APPROVE_TARGET"]
    User.objects.filter(id=user.id).update(is_active=False)
    town.clock.advance(600)
    run_bulk(running.RunBulk(run=run.id), claimed(town.clock))
    assert "may not sign in" in run.items.get().told
    assert run.items.get().outcome == Outcome.REFUSED


def test_rows_that_the_asker_may_not_see_cannot_be_chosen(desk, town, archivist):
    """They are left out without a word; when none is left, nothing is prepared."""
    mine, other = desk.target(), desk.target(agency=town.museum)
    assert prepared(archivist, "nominate", [mine, other]).total == 1
    with pytest.raises(NothingSelected):
        prepared(archivist, "nominate", [other])
    assert BulkRun.objects.count() == 1


def test_the_verb_must_be_offered(desk, town, archivist):
    """Whoever lacks its privilege altogether cannot even prepare it; another's work cannot be started."""
    target = desk.target()
    with pytest.raises(NotAllowed):
        prepared(archivist, "delete", [target])
    with pytest.raises(NotFound):
        prepared(archivist, "explode", [target])
    run = prepared(archivist, "nominate", [target])
    for asked in (bulk.start, bulk.stop):
        with pytest.raises(NotFound):
            asked(town.actor(privileges=APPROVES), run_id=run.id)


def test_too_many_rows(desk, archivist, monkeypatch):
    """A set beyond the limit is refused as a whole."""
    monkeypatch.setattr(bulk, "MOST", 2)
    with pytest.raises(TooManyRows):
        prepared(archivist, "nominate", [desk.target() for _ in range(3)])
    assert not BulkItem.objects.exists()


@pytest.mark.parametrize(
    ("verb", "arguments", "field"),
    [
        ("reject", {}, "reason"),
        ("reject", {"reason": "x", "colour": "red"}, "colour"),
        ("assign", {"user": "nobody"}, "user"),
        ("assign", {"user": "curator", "due": "31.1.2026"}, "due"),
        ("access", {"access_zone": "everywhere"}, "access_zone"),
        ("access", {"embargo_days": "-1"}, "embargo_days"),
        ("access", {"embargo_days": "9999999"}, "embargo_days"),
        ("add-to-group", {"group": "-1"}, "group"),
        ("profile", {"profile": "x" * 5_000}, "profile"),
    ],
)
def test_arguments_are_checked_before_anything_is_started(desk, town, verb, arguments, field):
    """Each fault is told beside its argument."""
    run = prepared(town.system, verb, [desk.target()])
    with pytest.raises(InvalidFields) as caught:
        bulk.start(town.system, run_id=run.id, arguments=arguments)
    assert field in caught.value.messages
    assert BulkRun.objects.get().state == BulkState.DRAFT


def run(town, verb, rows, noun="target", **arguments):
    """Start bulk work as the operator and do it."""
    made = prepared(town.system, verb, rows, noun)
    made = bulk.start(town.system, run_id=made.id, arguments=arguments)
    return {item.name: (item.outcome, item.told) for item in bulk.run_now(town.system, made).items.all()}


def test_every_verb_of_targets(desk, town):
    """Each verb does what the action of the same name does."""
    town.user("curator", privileges=APPROVES)
    desk.profile(name="Gentle")
    first, second = desk.group(name="First"), desk.group(name="Second")
    target = desk.target(name="One", seeds=["http://www.site.example/"])
    create_reason(town.system, agency_id=town.library.id, name="Too large")

    def changed(verb, **arguments):
        outcome, told = run(town, verb, [target], **arguments)["One"]
        assert outcome == Outcome.CHANGED, told
        target.refresh_from_db()

    changed("owner", user="curator")
    assert target.owner.username == "curator"
    changed("assign", user="curator", due="2030-01-31", note="Look at it")
    assert target.assigned_note == "Look at it"
    changed("profile", profile="gentle")
    assert target.profile.name == "Gentle"
    changed("access", access_zone="restricted", display="no", display_change_reason="Asked for")
    assert (target.access_zone, target.display) == (2, False)
    changed("access", embargo_days="30")
    assert (target.access_zone, target.embargo_days) == (2, 30)
    changed("add-to-group", group=str(first.id))
    changed("move-to-group", source=str(first.id), into=str(second.id))
    changed("remove-from-group", group=str(second.id))
    changed("nominate")
    changed("reject", reason="too large", note="Too large")
    assert target.rejection_note == "Too large"
    changed("reinstate")
    assert target.state == State.REINSTATED
    assert run(town, "cancel", [target])["One"][0] == Outcome.REFUSED
    assert run(town, "delete", [target])["One"][0] == Outcome.REFUSED
    assert run(town, "access", [target], display="no")["One"][0] == Outcome.UNCHANGED


def test_owners_of_groups_are_told_once_of_many_rows(desk, town):
    """One notice for each group names all that came or left; rows that stay as they are tell nobody."""
    owner = town.user("keeper")
    first, second = desk.group(name="First", owner=owner), desk.group(name="Second", owner=owner)
    rows = [desk.target(name=f"Site {number}") for number in range(3)]
    actor = town.actor(privileges={Privilege.ADD_TARGET_TO_GROUP: Scope.AGENCY})

    def done(verb, chosen, **arguments):
        Notification.objects.all().delete()
        town.clock.advance(60)
        made = bulk.start(actor, run_id=prepared(actor, verb, chosen).id, arguments=arguments)
        bulk.run_now(actor, made)
        running.finish(made.id, town.clock)  # as the job that stands by does
        return sorted(Notification.objects.values_list("user__username", "message"))

    who = actor.username
    told = done("add-to-group", rows, group=str(first.pk))
    assert told == [("keeper", f"{who} added Site 0, Site 1, Site 2 to the group First.")]
    assert done("add-to-group", rows[:1], group=str(first.pk)) == []
    done("add-to-group", rows[:1], group=str(second.pk))
    assert done("move-to-group", rows, source=str(first.pk), into=str(second.pk)) == [
        ("keeper", f"{who} added Site 1, Site 2 to the group Second."),
        ("keeper", f"{who} removed Site 0, Site 1, Site 2 from the group First."),
    ]
    told = done("remove-from-group", rows, group=str(second.pk))
    assert told == [("keeper", f"{who} removed Site 0, Site 1, Site 2 from the group Second.")]


def test_verbs_of_other_nouns(desk, town):
    """Groups, permissions, authorisations, schedules, seeds and users are worked on in the same way."""
    desk.profile(name="Gentle")
    owner = town.user("curator", privileges=APPROVES)
    group = desk.group(name="G")
    assert run(town, "profile", [group], "group", profile="Gentle")["G"][0] == Outcome.CHANGED
    assert run(town, "owner", [group], "group", user="curator")["G"][0] == Outcome.CHANGED
    assert run(town, "delete", [group], "group")["G"][0] == Outcome.CHANGED
    permission = desk.permission("http://www.site.example/*", status=0, display_name="P")
    into = desk.permission("http://www.other.example/*", display_name="Q")
    for verb, arguments in (
        ("approve", {"response": "Yes"}), ("dates", {"end_date": "2040-12-31"}),
        ("transfer", {"into_id": str(into.id)}), ("reject", {}), ("delete", {}),
    ):  # fmt: skip
        outcome, told = run(town, verb, [permission], "permission", **arguments)["P"]
        assert outcome == Outcome.CHANGED, (verb, told)
    rights = desk.authorisation(title="A")
    for verb in ("disable", "enable", "delete"):
        assert run(town, verb, [rights], "authorisation")["A"][0] == Outcome.CHANGED, verb
    schedule = desk.schedule(desk.target(owner=owner))
    for verb, arguments in (("pause", {}), ("go-on", {}), ("zone", {"time_zone": "Asia/Tokyo"}), ("delete", {})):
        (settled,) = run(town, verb, [schedule], "schedule", **arguments).values()
        assert settled[0] == Outcome.CHANGED, (verb, settled)
    seed = Seed.objects.get(id=desk.seed(desk.target()).id)
    for verb in ("deactivate", "activate", "delete"):
        (settled,) = run(town, verb, [seed], "seed").values()
        assert settled[0] == Outcome.CHANGED, (verb, settled)
    for verb in ("deactivate", "activate", "delete"):
        assert run(town, verb, [owner], "user")["curator"][0] != Outcome.UNREADABLE


def test_old_bulk_work_is_forgotten(desk, town, archivist):
    """What was done long ago and what was never started goes; the rest stays."""
    done = prepared(archivist, "nominate", [desk.target()])
    bulk.run_now(archivist, bulk.start(archivist, run_id=done.id))
    draft = prepared(archivist, "nominate", [desk.target()])
    assert forgetting.forget(town.clock.now()) == 0
    town.clock.advance(3 * 86_400)
    while forgetting.forget(town.clock.now()):
        pass
    assert [row.pk for row in BulkRun.objects.all()] == [done.pk]
    assert draft.pk != done.pk
    town.clock.advance(90 * 86_400)
    while forgetting.forget(town.clock.now()):
        pass
    assert not BulkItem.objects.exists()
