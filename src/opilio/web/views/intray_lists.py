"""The lists of the in-tray."""

from typing import TYPE_CHECKING

from django.db.models import Q

from opilio.people.actions import intray as doing
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.intray import agency_tasks, notifications, tasks
from opilio.web.links import path_of
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Button, Buttons, Cell, Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New, Tab
from opilio.web.lists.filters import Day, Exact, States, Words

if TYPE_CHECKING:
    from opilio.people.models import Notification, Task

_CLAIM = Bulk(
    name="claim", label="Claim", icon="hand", done="claimed", warning="The others no longer see them.",
    run=lambda actor, row: doing.claim_task(actor, task_id=row.id),
)  # fmt: skip
_RELEASE = Bulk(
    name="release", label="Release", icon="undo-2", done="released", warning="The others see them again.",
    run=lambda actor, row: doing.release_task(actor, task_id=row.id),
)  # fmt: skip
_COMPLETE = Bulk(
    name="complete", label="Complete", icon="check", done="completed",
    warning="Completed tasks leave the in-tray; the audit log keeps them.",
    run=lambda actor, row: doing.complete_task(actor, task_id=row.id),
)  # fmt: skip
_DELETE = Bulk(
    name="delete", label="Delete", icon="trash-2", done="deleted", danger=True, privilege=Privilege.DELETE_TASK,
    warning="Nobody will be asked to do them any more. This cannot be undone.",
    run=lambda actor, row: doing.delete_task(actor, task_id=row.id),
)  # fmt: skip
_READ = Bulk(
    name="read", label="Mark as read", icon="check", done="marked as read", warning="They stay in the list.",
    run=lambda actor, row: doing.read_notifications(actor, notification_ids=[row.id]),
)  # fmt: skip
_REMOVE = Bulk(
    name="delete", label="Delete", icon="trash-2", done="deleted", danger=True, warning="This cannot be undone.",
    run=lambda actor, row: doing.delete_notifications(actor, notification_ids=[row.id]),
)  # fmt: skip
ASSIGNED = "/in-tray/assigned"
_SEND = New(label="New task", path="/in-tray/new", privilege=Privilege.MANAGE_USERS)
_ANNOUNCE = New(label="New announcement", path="/in-tray/announce", privilege=Privilege.MANAGE_USERS)


def tabs(actor: Actor, here: str) -> tuple[Tab, ...]:
    """Tasks, assignments, notifications, and for those who tidy up all tasks of the agency."""
    paths = [("Tasks", "/in-tray"), ("Assigned to me", ASSIGNED), ("Notifications", "/in-tray/notifications")]
    if actor.holds(Privilege.DELETE_TASK):
        paths.append(("All tasks", "/in-tray/all"))
    return tuple(Tab(label=label, path=path, here=path == here) for label, path in paths)


def tasks_page(actor: Actor) -> "ListPage[Task]":
    """Tasks that the asker has claimed or could claim."""
    columns: tuple[Column[Task], ...] = (
        Column(name="subject", label="Task", cell=_subject, sort="subject"),
        Column(name="state", label="State", cell=_own_state),
        *_task_columns(),
        Column(name="buttons", label="", cell=lambda row: _buttons(row, actor), exported=False),
    )
    states = {"mine": ("Claimed by me", Q(claimed_by_id=actor.user)), "free": ("Unclaimed", Q(claimed_by=None))}
    return ListPage(
        name="tasks", path="/in-tray", title="In-tray", words=("task", "tasks"), rows=tasks, columns=columns,
        intro="Tasks that you have claimed, and tasks that somebody with your roles should claim.",
        order=("-sent_at", "-id"), bulk=(_CLAIM, _RELEASE, _COMPLETE, _DELETE), new=_SEND, tabs=tabs(actor, "/in-tray"),
        filters=(Words(columns=("subject", "message")), States(name="state", label="State", states=states)),
        empty=Empty(title="All done", text="Nothing waits for you. New tasks appear here by themselves.", icon="check"),
    )  # fmt: skip


def all_tasks_page(actor: Actor) -> "ListPage[Task]":
    """Tasks of the asker's agencies, claimed by whomever."""
    columns: tuple[Column[Task], ...] = (
        Column(name="subject", label="Task", cell=_subject, sort="subject"),
        Column(name="state", label="Claimed by", cell=_claimed_by),
        *_task_columns(),
    )
    states = {"claimed": ("Claimed", Q(claimed_by__isnull=False)), "free": ("Unclaimed", Q(claimed_by=None))}
    return ListPage(
        name="all-tasks", path="/in-tray/all", title="In-tray", words=("task", "tasks"), rows=agency_tasks,
        intro="All tasks of your agency, whoever has claimed them.", columns=columns, order=("-sent_at", "-id"),
        bulk=(_DELETE,), new=_SEND, tabs=tabs(actor, "/in-tray/all"),
        filters=(
            Words(columns=("subject", "message")), States(name="state", label="State", states=states),
            Exact(name="by", label="Claimed by", column="claimed_by__username"),
        ),
        empty=Empty(title="No task", text="Nothing waits for anybody in your agency.", icon="check"),
    )  # fmt: skip


def notifications_page(actor: Actor) -> "ListPage[Notification]":
    """What the asker was told."""
    columns: tuple[Column[Notification], ...] = (
        Column(name="subject", label="Notification", cell=_notice, sort="subject"),
        Column(name="category", label="Category", cell=_category),
        Column(name="sent", label="Sent", cell=lambda row: Moment(at=row.sent_at), sort="sent_at"),
        Column(name="sender", label="From", cell=lambda row: Text(text=row.sender, quiet=True)),
        Column(name="read", label="Read", cell=lambda row: Moment(at=row.read_at, never="unread")),
        Column(name="buttons", label="", cell=_notice_buttons, exported=False),
    )
    states = {"unread": ("Unread", Q(read_at=None)), "read": ("Read", Q(read_at__isnull=False))}
    return ListPage(
        name="notifications", path="/in-tray/notifications", title="In-tray", words=("notification", "notifications"),
        intro="What you were told. Your account page says which notifications you receive.", rows=notifications,
        columns=columns, order=("-sent_at", "-id"), bulk=(_READ, _REMOVE), tabs=tabs(actor, "/in-tray/notifications"),
        new=_ANNOUNCE,
        filters=(
            Words(columns=("subject", "message")), States(name="state", label="State", states=states),
            Day(name="from", label="From", column="sent_at"), Day(name="to", label="To", column="sent_at", until=True),
        ),
        empty=Empty(title="No notifications", text="Your account page says what you want to hear of.", icon="bell"),
    )  # fmt: skip


def _task_columns() -> "tuple[Column[Task], ...]":
    return (
        Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name)),
        Column(name="sent", label="Sent", cell=lambda row: Moment(at=row.sent_at), sort="sent_at"),
        Column(name="sender", label="From", cell=lambda row: Text(text=row.sender, quiet=True)),
        Column(name="privilege", label="Needs", cell=lambda row: Text(text=row.privilege, code=True), shown=False),
    )


def _subject(row: "Task") -> Cell:
    return Link(text=row.subject, url=path_of(row.resource_type, row.resource_id), note=row.message[:300])


def _own_state(row: "Task") -> Cell:
    return Badge(text="claimed by you", tone="info") if row.claimed_by_id else Badge(text="unclaimed", tone="warn")


def _claimed_by(row: "Task") -> Cell:
    return Text(text=str(row.claimed_by)) if row.claimed_by else Badge(text="unclaimed", tone="warn")


def _buttons(row: "Task", actor: Actor) -> Cell:
    base = f"/in-tray/tasks/{row.id}"
    if row.claimed_by_id:
        found = [
            Button(label="Complete", url=f"{base}/complete", icon="check", tone="primary"),
            Button(label="Release", url=f"{base}/release", icon="undo-2"),
        ]
    else:
        found = [Button(label="Claim", url=f"{base}/claim", icon="hand", tone="primary")]
    if actor.may(Privilege.DELETE_TASK, Subject(agency=row.agency_id)):
        found.append(Button(label="Delete", url=f"{base}/delete", icon="trash-2"))
    return Buttons(buttons=tuple(found))


def _notice(row: "Notification") -> Cell:
    mark = "" if row.read_at else "circle-dot"
    return Link(text=row.subject, url=path_of(row.resource_type, row.resource_id), note=row.message[:300], mark=mark)


def _category(row: "Notification") -> Cell:
    return Badge(text=row.category, tone="warn" if row.category == "warning" else "quiet")


def _notice_buttons(row: "Notification") -> Cell:
    base = f"/in-tray/notifications/{row.id}"
    read = () if row.read_at else (Button(label="Mark as read", url=f"{base}/read", icon="check"),)
    return Buttons(buttons=(*read, Button(label="Delete", url=f"{base}/delete", icon="trash-2")))
