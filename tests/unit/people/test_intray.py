"""The in-tray: who sees which task, what the switches do, and who may claim, release, complete and delete."""

import pytest

from opilio.jobs.models import Job
from opilio.people.actions.intray import (
    announce,
    claim_task,
    complete_task,
    create_task,
    delete_notifications,
    delete_task,
    read_notifications,
    release_task,
)
from opilio.people.actions.users import deactivate_user
from opilio.people.errors import InUse, NotAllowed, NotFound
from opilio.people.intray import Resource, close_tasks, notify, send_task
from opilio.people.models import AuditEntry, Notification, OutboxMessage, Task
from opilio.people.models.intray import Category
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries import intray

APPROVE = Privilege.APPROVE_TARGET


def approver(town, *, agency=None, scope=Scope.AGENCY, **fields):
    """Somebody who answers tasks about approving targets."""
    return town.actor(town.user(agency=agency, privileges={APPROVE: scope}, **fields))


def sent(town, *, agency=None, **changes):
    """A task for the approvers of an agency."""
    fields = {"kind": "approve-target", "subject": "Approve Sea charts", "message": "It waits.", "privilege": APPROVE}
    return send_task(town.system, agency=(agency or town.library).id, **(fields | changes))


def told(town, *users, category=Category.GENERAL):
    """A notification to users; how many heard it."""
    return notify(
        [user.id for user in users], kind="harvest-done", category=category, subject="Done", message="All well.",
        sender="system", now=town.clock.now(),
    )  # fmt: skip


def test_a_task_reaches_the_holders_of_its_privilege_in_its_agency(town):
    """Not those who hold it elsewhere, nor those of the agency who lack it; a grant over everything reaches all."""
    here, there = approver(town), approver(town, agency=town.museum)
    everywhere = approver(town, agency=town.museum, scope=Scope.ALL)
    bystander = town.actor()
    task = sent(town)
    seen = {actor.username: list(intray.tasks(actor)) for actor in (here, there, everywhere, bystander)}
    assert seen == {here.username: [task], everywhere.username: [task], there.username: [], bystander.username: []}


def test_a_role_in_another_agency_counts_there(town):
    """Somebody at home in the museum with a role of the library answers the library's tasks only."""
    guest = town.actor(town.user(agency=town.museum, roles=[town.role({APPROVE: Scope.AGENCY})]))
    task = sent(town)
    sent(town, agency=town.museum)
    assert list(intray.tasks(guest)) == [task]


def test_tasks_are_copied_to_those_who_asked_for_e_mail(town):
    """The switch, an address and the privilege are needed; each letter has its job."""
    approver(town, email="with@archive.example", tasks_by_email=True)
    approver(town, email="without@archive.example", tasks_by_email=False)
    approver(town, tasks_by_email=True)
    approver(town, agency=town.museum, email="other@archive.example", tasks_by_email=True)
    town.user(email="bystander@archive.example", tasks_by_email=True)
    sent(town, subject="Approve\r\nSea charts")
    (letter,) = OutboxMessage.objects.all()
    assert (letter.to, letter.subject, letter.sent_at) == ("with@archive.example", "Approve Sea charts", None)
    assert "It waits." in letter.body
    assert Job.objects.get().payload == {"message": letter.id}


def test_a_deactivated_user_gets_no_e_mail(town):
    """Whoever may not sign in is not written to."""
    user = town.user(privileges={APPROVE: Scope.AGENCY}, email="gone@archive.example", tasks_by_email=True)
    deactivate_user(town.system, user_id=user.id)
    sent(town)
    assert not OutboxMessage.objects.exists()


def test_the_claimed_task_is_hidden_from_the_others(town):
    """The claimer keeps it, the others no longer see it, and only its release brings it back."""
    mine, other = approver(town), approver(town)
    task = sent(town)
    claim_task(mine, task_id=task.id)
    assert list(intray.tasks(mine)) == [task]
    assert list(intray.tasks(other)) == []
    with pytest.raises(InUse) as caught:
        claim_task(other, task_id=task.id)
    assert mine.username in caught.value.what
    release_task(mine, task_id=task.id)
    assert list(intray.tasks(other)) == [task]
    assert Task.objects.get().claimed_at is None


def test_a_task_claimed_twice_by_the_same_user_stays_theirs(town):
    """A second click changes and tells nothing."""
    mine = approver(town)
    task = sent(town)
    claim_task(mine, task_id=task.id)
    since = Task.objects.get().claimed_at
    town.clock.advance(60)
    claim_task(mine, task_id=task.id)
    assert Task.objects.get().claimed_at == since
    assert AuditEntry.objects.filter(action="task.claim").count() == 1


def test_only_the_audience_may_claim(town):
    """Knowing a task's number is not enough."""
    task = sent(town)
    for stranger in (town.actor(), approver(town, agency=town.museum)):
        with pytest.raises(NotAllowed):
            claim_task(stranger, task_id=task.id)
    assert Task.objects.get().claimed_by is None


@pytest.mark.parametrize("verb", [release_task, complete_task])
def test_only_the_claimer_may_release_or_complete(town, verb):
    """An unclaimed task must be claimed first, another's is left alone."""
    mine, other = approver(town), approver(town)
    task = sent(town)
    with pytest.raises(NotAllowed):
        verb(mine, task_id=task.id)
    claim_task(mine, task_id=task.id)
    with pytest.raises(NotAllowed):
        verb(other, task_id=task.id)
    assert Task.objects.get().claimed_by_id == mine.user


def test_a_completed_task_is_gone_and_told(town):
    """The audit log says who did it."""
    mine = approver(town)
    task = sent(town)
    claim_task(mine, task_id=task.id)
    complete_task(mine, task_id=task.id)
    assert not Task.objects.exists()
    entry = AuditEntry.objects.get(action="task.complete")
    assert (entry.user_id, entry.agency_id) == (mine.user, town.library.id)
    with pytest.raises(NotFound):
        complete_task(mine, task_id=task.id)


def test_deleting_needs_the_privilege_in_the_task_s_agency(town):
    """The audience alone may not, nor a holder elsewhere."""
    task = sent(town)
    holders = [approver(town), town.holder(Privilege.DELETE_TASK, Scope.AGENCY, agency=town.museum)]
    for actor in holders:
        with pytest.raises(NotAllowed):
            delete_task(actor, task_id=task.id)
    delete_task(town.holder(Privilege.DELETE_TASK, Scope.AGENCY), task_id=task.id)
    assert not Task.objects.exists()


def test_a_task_that_somebody_else_claimed_cannot_be_deleted(town):
    """Its holder must release it first."""
    mine, remover = approver(town), town.holder(Privilege.DELETE_TASK, Scope.AGENCY)
    task = sent(town)
    claim_task(mine, task_id=task.id)
    assert list(intray.agency_tasks(remover)) == [task]
    with pytest.raises(InUse):
        delete_task(remover, task_id=task.id)
    release_task(mine, task_id=task.id)
    delete_task(remover, task_id=task.id)
    assert not Task.objects.exists()


def test_a_deactivated_user_s_tasks_go_back(town):
    """What they had claimed is seen by the others again."""
    mine, other = approver(town), approver(town)
    task = sent(town)
    claim_task(mine, task_id=task.id)
    deactivate_user(town.system, user_id=mine.user)
    assert list(intray.tasks(other)) == [task]


def test_a_task_written_by_hand_needs_the_privilege_there(town):
    """Whoever manages an agency's users may send its people tasks, and not another's."""
    sender = town.holder(Privilege.MANAGE_USERS, Scope.AGENCY)
    task = create_task(
        sender, subject="Look", message="Please.", privilege=APPROVE, agency_id=town.library.id,
        resource=Resource(kind="user", id=5),
    )  # fmt: skip
    assert (task.sender, task.resource_type, task.resource_id) == (sender.username, "user", 5)
    with pytest.raises(NotAllowed):
        create_task(sender, subject="Look", message="", privilege=APPROVE, agency_id=town.museum.id)


def test_tasks_about_a_thing_close_together(town):
    """However it was done, the tasks about it are gone, and others stay."""
    sent(town, resource=Resource(kind="target", id=1))
    sent(town, resource=Resource(kind="target", id=1), agency=town.museum)
    other = sent(town, resource=Resource(kind="target", id=2))
    assert close_tasks(kind="approve-target", resource=Resource(kind="target", id=1)) == 2
    assert list(Task.objects.all()) == [other]


def test_the_switches_drop_categories(town):
    """General notifications unless switched off, warnings only when switched on."""
    usual = town.user()
    quiet = town.user(notify_on_general=False)
    watchful = town.user(notify_on_warnings=True)
    assert told(town, usual, quiet, watchful) == 2
    assert told(town, usual, quiet, watchful, category=Category.WARNING) == 1
    rows = Notification.objects.values_list("user__username", "category")
    assert sorted(rows) == sorted([
        (usual.username, "general"), (watchful.username, "general"), (watchful.username, "warning"),
    ])  # fmt: skip


def test_notifications_are_copied_to_those_who_asked_for_e_mail(town):
    """What the switches drop is not mailed either; a user named twice is told once."""
    wants = town.user(email="wants@archive.example", notifications_by_email=True)
    dropped = town.user(email="drops@archive.example", notifications_by_email=True, notify_on_general=False)
    plain = town.user(email="plain@archive.example")
    assert told(town, wants, wants, dropped, plain) == 2
    assert list(OutboxMessage.objects.values_list("to", flat=True)) == ["wants@archive.example"]


def test_a_deactivated_user_is_not_notified(town):
    """Nobody is there to read it."""
    user = town.user()
    deactivate_user(town.system, user_id=user.id)
    assert told(town, user) == 0


def test_people_read_and_remove_their_own_notifications_only(town):
    """Another's identifier in the list changes nothing."""
    mine, other = town.user(), town.user()
    told(town, mine, other)
    ids = list(Notification.objects.values_list("id", flat=True))
    actor = town.actor(mine)
    assert intray.waiting(actor) == 1
    assert read_notifications(actor, notification_ids=ids) == 1
    assert intray.waiting(actor) == 0
    assert read_notifications(actor, notification_ids=ids) == 0
    assert delete_notifications(actor, notification_ids=ids) == 1
    assert [row.user_id for row in Notification.objects.all()] == [other.id]
    assert Notification.objects.get().read_at is None


def test_an_announcement_needs_the_privilege_there(town):
    """Managing users of the agency lets one write to its users."""
    user, sender = town.user(), town.holder(Privilege.MANAGE_USERS, Scope.AGENCY)
    assert announce(sender, agency_id=town.library.id, users=[user.id], subject="Closed", message="Monday.") == 1
    assert intray.notifications(town.actor(user)).get().sender == sender.username
    with pytest.raises(NotAllowed):
        announce(sender, agency_id=town.museum.id, users=[user.id], subject="Closed", message="Monday.")


def test_a_rolled_back_action_leaves_neither_task_nor_letter(town):
    """Tasks and e-mail belong to the transaction that causes them."""
    approver(town, email="with@archive.example", tasks_by_email=True)
    sender = town.holder(Privilege.MANAGE_USERS, Scope.AGENCY)
    with pytest.raises(NotAllowed):
        create_task(sender, subject="x", message="", privilege=APPROVE, agency_id=town.museum.id)
    assert (Task.objects.count(), OutboxMessage.objects.count(), Job.objects.count()) == (0, 0, 0)


def test_an_announcement_reaches_users_of_that_agency_only(town):
    """Whoever else is named hears nothing."""
    colleague, stranger = town.user(), town.user(agency=town.museum)
    actor = town.holder(Privilege.MANAGE_USERS, Scope.AGENCY)
    heard = announce(
        actor, agency_id=town.library.id, users=[colleague.id, stranger.id], subject="News", message="Closed on Friday."
    )
    assert heard == 1
    assert [row.user_id for row in Notification.objects.all()] == [colleague.id]
