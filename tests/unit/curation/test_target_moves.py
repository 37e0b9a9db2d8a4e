"""The states of targets: which moves there are, who makes them, and what follows."""

import dataclasses
import datetime

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opilio.curation.actions import target_moves, targets
from opilio.curation.actions.rejection_reasons import create_reason
from opilio.curation.models import Approval, Harvest, PermissionStatus, State, Target
from opilio.curation.targeting import NotApprovable, moved, resumable, settled
from opilio.curation.workflow import TARGETS, NoSuchMove
from opilio.people.acting import Act
from opilio.people.actions.rows import delete_row
from opilio.people.errors import InvalidFields, NotAllowed
from opilio.people.models import AuditEntry, Notification, Task
from opilio.people.privileges import Grant, Grants, Privilege, Scope
from tests.curation import Desk

PENDING, REINSTATED, NOMINATED, REJECTED, APPROVED, CANCELLED, COMPLETED = list(State)[:7]

#: Written down apart from the product: what a person may do, from where, to where, with which privilege.
MOVES = {
    ("nominate", PENDING): (NOMINATED, Privilege.MODIFY_TARGET),
    ("nominate", REINSTATED): (NOMINATED, Privilege.MODIFY_TARGET),
    ("approve", PENDING): (APPROVED, Privilege.APPROVE_TARGET),
    ("approve", REINSTATED): (APPROVED, Privilege.APPROVE_TARGET),
    ("approve", NOMINATED): (APPROVED, Privilege.APPROVE_TARGET),
    ("reject", PENDING): (REJECTED, Privilege.APPROVE_TARGET),
    ("reject", REINSTATED): (REJECTED, Privilege.APPROVE_TARGET),
    ("reject", NOMINATED): (REJECTED, Privilege.APPROVE_TARGET),
    ("cancel", APPROVED): (CANCELLED, Privilege.CANCEL_TARGET),
    ("reinstate", REJECTED): (REINSTATED, Privilege.REINSTATE_TARGET),
    ("reinstate", CANCELLED): (REINSTATED, Privilege.REINSTATE_TARGET),
    ("reinstate", COMPLETED): (REINSTATED, Privilege.REINSTATE_TARGET),
}
BY_SYSTEM = {
    ("complete", APPROVED): COMPLETED,
    ("return", APPROVED): NOMINATED,
    ("resume", COMPLETED): APPROVED,
}
NEEDS = {verb: privilege for (verb, _), (_, privilege) in MOVES.items()}
VERBS = sorted(NEEDS)
HELD = sorted({*NEEDS.values()})


@pytest.fixture
def desk(db):
    return Desk()


def _act(desk):
    """The system at work, which has asked."""
    act = Act(actor=desk.town.system, name="test")
    act.require_that(True, "test", "")
    return act


def _tasks(target):
    return Task.objects.filter(kind="approve-target", resource_type="target", resource_id=target.pk)


def _planned(target):
    return Harvest.objects.filter(abstract_target_id=target.pk)


def test_the_machine_holds_just_these_moves():
    """No other move exists."""
    by_people = {(m.name, m.source): (m.target, m.privilege) for m in TARGETS.moves if m.privilege is not None}
    by_system = {(m.name, m.source): m.target for m in TARGETS.moves if m.privilege is None}
    assert by_people == MOVES
    assert by_system == BY_SYSTEM


def test_every_verb_of_people_has_an_action():
    """What the machine allows to people, the faces can call."""
    assert {*target_moves.PLAIN, "reject"} == set(VERBS)


@st.composite
def steps(draw):
    """What somebody tries: a verb or an edit, with some privileges, each with a scope, or as the owner."""
    verb = draw(st.sampled_from([*VERBS, "edit", "complete"]))
    held = draw(st.dictionaries(st.sampled_from(HELD), st.sampled_from([Scope.ALL, Scope.AGENCY, Scope.OWNER])))
    return verb, held, draw(st.booleans()), draw(st.booleans())


class Walk:
    """A target that is moved about, and what is expected of it."""

    def __init__(self, desk, reason):
        self.desk, self.town = desk, desk.town
        self.owner = self.town.user(agency=self.town.library)
        self.strangers = {False: self.town.actor(agency=self.town.library), True: self.town.actor(self.owner)}
        self.reason = reason
        self.target = desk.approvable(owner=self.owner)
        self.group = desk.group(self.target)
        desk.schedule(self.target)
        self.first_approval, self.approvals = None, 0

    def actor(self, held, owns, here):
        agency = self.town.library.id if here else self.town.museum.id
        grants = Grants(Grant(privilege=code, scope=scope, agency=agency) for code, scope in held.items())
        return dataclasses.replace(self.strangers[owns], grants=grants)

    def may(self, privilege, held, owns, here):
        scope = held.get(privilege)
        return scope == Scope.ALL or (here and (scope == Scope.AGENCY or (scope == Scope.OWNER and owns)))

    def step(self, verb, held, owns, here):
        self.town.clock.advance(60)
        state, entries = State(self.target.state), AuditEntry.objects.count()
        became = self.try_it(verb, self.actor(held, owns, here), self.expected(verb, state, held, owns, here))
        self.target = Target.objects.get(pk=self.target.pk)
        assert self.target.state == became
        assert (AuditEntry.objects.count() > entries) == (became != state or self.edited)
        self.check()

    def expected(self, verb, state, held, owns, here):
        """The state afterwards, or the error."""
        if verb == "complete":
            return COMPLETED if state == APPROVED else NoSuchMove
        if not self.may(Privilege.MODIFY_TARGET if verb == "edit" else NEEDS[verb], held, owns, here):
            return NotAllowed
        if verb == "edit":
            returns = state == APPROVED and not self.may(Privilege.APPROVE_TARGET, held, owns, here)
            return NOMINATED if returns else state
        return MOVES[verb, state][0] if (verb, state) in MOVES else NoSuchMove

    def try_it(self, verb, actor, expected):
        self.edited = verb == "edit" and expected is not NotAllowed
        if not isinstance(expected, State):
            with pytest.raises(expected):
                self.call(verb, actor)
            return State(self.target.state)
        self.call(verb, actor)
        if verb == "approve":
            self.approvals += 1
            self.first_approval = self.first_approval or self.town.clock.now()
        return expected

    def call(self, verb, actor):
        if verb == "edit":
            note = f"Seen at {self.town.clock.now():%H:%M:%S.%f}"
            targets.update_target(actor, target_id=self.target.pk, version=None, evaluation_note=note)
        elif verb == "complete":
            with transaction.atomic():
                moved(_act(self.desk), Target.objects.get(pk=self.target.pk), "complete")
        else:
            target_moves.move_target(actor, target_id=self.target.pk, verb=verb, reason_id=self.reason.id)

    def check(self):
        state = State(self.target.state)
        assert _tasks(self.target).count() == (1 if state == NOMINATED else 0)
        assert _planned(self.target).exists() == (state in (APPROVED, COMPLETED))
        assert self.target.selection_date == self.first_approval
        assert Approval.objects.filter(target=self.target).count() == self.approvals
        self.group.refresh_from_db()
        active = state in (APPROVED, COMPLETED)
        assert self.group.state == (State.GROUP_ACTIVE if active else State.GROUP_PENDING)


def test_no_walk_leaves_the_table(desk):
    """Whoever tries whatever, in any order: only the moves of the table are made, with all that follows."""
    reason = create_reason(desk.town.system, agency_id=desk.town.library.id, name="Out of scope")

    @given(st.lists(steps(), min_size=1, max_size=8))
    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    def walk(tried):
        with transaction.atomic():
            one = Walk(desk, reason)
            for step in tried:
                one.step(*step)
            transaction.set_rollback(True)

    walk()


def test_a_nomination_waits_for_those_who_approve(desk):
    """The task names the target and goes with its approval."""
    approver = desk.town.actor(privileges={Privilege.APPROVE_TARGET: Scope.AGENCY})
    target = desk.approvable()
    target_moves.nominate_target(desk.town.system, target_id=target.pk)
    task = _tasks(target).get()
    assert (task.privilege, task.agency_id) == ("APPROVE_TARGET", target.agency_id)
    assert target.name in task.subject
    target_moves.approve_target(approver, target_id=target.pk)
    assert not _tasks(target).exists()


def test_the_first_approval_sets_the_selection_date(desk):
    """A second one is kept in the history only."""
    target = desk.approvable()
    for verb in ("approve", "cancel", "reinstate", "approve"):
        desk.town.clock.advance(3_600)
        target_moves.move_target(desk.town.system, target_id=target.pk, verb=verb)
    target.refresh_from_db()
    first, second = target.approvals.order_by("at")
    assert target.selection_date == first.at < second.at


def test_a_harvest_runs_one_minute_after_approval(desk):
    """If the target asks for it."""
    target = desk.approvable(run_on_approval=True)
    target_moves.approve_target(desk.town.system, target_id=target.pk)
    assert _planned(target).get().scheduled_at == desk.now + datetime.timedelta(minutes=1)


def test_approval_names_every_problem(desk):
    """No link here, a refused permission there."""
    target = desk.target(seeds=["http://one.example/", "http://two.example/"])
    refused = desk.permission("http://two.example/*", status=PermissionStatus.REJECTED)
    desk.link(target.seeds.get(url="http://two.example/"), refused)
    with pytest.raises(NotApprovable) as caught:
        target_moves.approve_target(desk.town.system, target_id=target.pk)
    assert len(caught.value.problems) == 2
    for url in ("http://one.example/", "http://two.example/"):
        assert url in str(caught.value)


def test_a_target_without_seeds_is_not_approved(desk):
    """There would be nothing to collect."""
    with pytest.raises(NotApprovable, match="no active seed"):
        target_moves.approve_target(desk.town.system, target_id=desk.target().pk)


@pytest.mark.parametrize("status", [PermissionStatus.PENDING, PermissionStatus.REQUESTED])
def test_a_permission_that_is_not_answered_yet_does_not_block(desk, status):
    """The harvest waits for it, not the approval."""
    target = desk.target()
    desk.link(desk.seed(target), desk.permission("http://www.site.example/*", status=status))
    assert target_moves.approve_target(desk.town.system, target_id=target.pk).state == APPROVED


def test_a_rejection_needs_a_reason_meant_for_targets(desk):
    """None, one for harvests only, or another agency's are refused."""
    target, town = desk.target(), desk.town
    harvests = create_reason(town.system, agency_id=town.library.id, name="Broken", for_targets=False)
    foreign = create_reason(town.system, agency_id=town.museum.id, name="Theirs")
    for reason_id in (None, harvests.id, foreign.id, 999):
        with pytest.raises(InvalidFields):
            target_moves.reject_target(town.system, target_id=target.pk, reason_id=reason_id)
    own = create_reason(town.system, agency_id=town.library.id, name="Out of scope")
    done = target_moves.reject_target(town.system, target_id=target.pk, reason_id=own.id, note="Look again in May.")
    assert (done.state, done.rejection_reason, done.rejection_note) == (REJECTED, own, "Look again in May.")


def test_an_approval_ends_an_earlier_rejection(desk):
    """The audit log remembers it, the target no longer shows it."""
    target, town = desk.approvable(), desk.town
    reason = create_reason(town.system, agency_id=town.library.id, name="Out of scope")
    target_moves.reject_target(town.system, target_id=target.pk, reason_id=reason.id, note="Not now.")
    target_moves.reinstate_target(town.system, target_id=target.pk)
    done = target_moves.approve_target(town.system, target_id=target.pk)
    assert (done.rejection_reason, done.rejection_note) == (None, "")


def test_the_owner_is_told_what_somebody_else_decided(desk):
    """But not of what the owner did."""
    owner = desk.town.user(privileges={Privilege.CANCEL_TARGET: Scope.OWNER})
    target = desk.approvable(owner=owner)
    target_moves.approve_target(desk.town.system, target_id=target.pk)
    assert Notification.objects.get(user=owner).resource_id == target.pk
    target_moves.cancel_target(desk.town.actor(owner), target_id=target.pk)
    assert Notification.objects.filter(user=owner).count() == 1


def test_a_target_with_nothing_ahead_is_completed(desk):
    """A schedule without end keeps it approved."""
    target = desk.approvable(state=APPROVED)
    schedule = desk.schedule(target)
    assert not settled(_act(desk), target)
    schedule.end = schedule.start
    schedule.save()
    assert settled(_act(desk), target)
    assert Target.objects.get(pk=target.pk).state == COMPLETED


@pytest.mark.parametrize("kind", ["schedule", "harvest"])
def test_deleting_the_last_plan_completes_a_target(desk, kind):
    """Be it the schedule, or a single harvest that was asked for."""
    target = desk.approvable(run_on_approval=kind == "harvest")
    schedule = desk.schedule(target) if kind == "schedule" else None
    target_moves.approve_target(desk.town.system, target_id=target.pk)
    row = schedule or _planned(target).get()
    delete_row(desk.town.system, kind_name=kind, row_id=row.id)
    assert Target.objects.get(pk=target.pk).state == COMPLETED


def test_only_who_could_reinstate_and_approve_resumes(desk):
    """Either privilege alone is not enough."""
    target = desk.approvable(state=COMPLETED)
    one = {Privilege.APPROVE_TARGET: Scope.AGENCY}
    both = {**one, Privilege.REINSTATE_TARGET: Scope.AGENCY}
    assert not resumable(Act(actor=desk.town.actor(privileges=one), name="test"), target)
    assert resumable(Act(actor=desk.town.actor(privileges=both), name="test"), target)


def test_a_deleted_target_leaves_its_groups_true(desk):
    """An emptied group is pending again."""
    target = desk.target()
    group = desk.group(target, state=State.GROUP_ACTIVE)
    delete_row(desk.town.system, kind_name="target", row_id=target.pk)
    group.refresh_from_db()
    assert group.state == State.GROUP_PENDING
    assert not group.members.exists()
