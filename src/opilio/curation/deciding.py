"""What follows when a permission is granted or refused, by a person or by the authorising agent's own answer."""

from opilio.curation import rights_watch, webhook_news
from opilio.curation.invitations import revoke_open
from opilio.curation.models import Communication, Permission, PermissionStatus, Seed
from opilio.curation.workflow import PERMISSIONS
from opilio.people.acting import Act
from opilio.people.intray import Category, Resource, close_tasks, notify, send_task
from opilio.people.privileges import Privilege

SEEK = "request-approval"
APPROVE, REJECT = "approve", "reject"
_TOLD = {APPROVE: ("permission-approved", "granted"), REJECT: ("permission-denied", "refused")}
_LONGEST_RESPONSE = 32_000


def resource(row: Permission) -> Resource:
    """The permission, as tasks and notifications name it."""
    return Resource(kind="permission", id=row.id)


def decide(act: Act, row: Permission, verb: str, *, response: str = "", version: int | None = None) -> None:
    """Grant or refuse: status, date, answer; the task is done, open forms close, owners of linked targets hear it."""
    move = PERMISSIONS.move(verb, PermissionStatus(row.status))
    now = act.clock.now()
    changes = {
        "status": move.target,
        "decided_at": now,
        "response": added(row.response, response),
        "expiry_told_at": None,
    }
    act.update(row, changes, version=version, message=move.sentence)
    close_tasks(kind=SEEK, resource=resource(row))
    revoke_open(row, now)
    rights_watch.look_at_all(act)
    webhook_news.permission_decided(act, row, granted=verb == APPROVE)
    kind, word = _TOLD[verb]
    notify(
        owners(row) - {act.actor.user}, kind=kind, category=Category.GENERAL,
        subject=f"Permission {word}: {row}",
        message=f"The permission “{row}” for {row.authorisation} was {word}. {response}".strip(),
        sender=act.actor.username, now=now, resource=resource(row),
    )  # fmt: skip


def seek(act: Act, row: Permission, message: str) -> None:
    """Put the permission before those who confirm permissions; once is enough."""
    close_tasks(kind=SEEK, resource=resource(row))
    send_task(
        act.actor, kind=SEEK, subject=f"Seek approval for permission: {row}", message=message,
        privilege=Privilege.CONFIRM_PERMISSION, agency=row.agency_id, resource=resource(row),
    )  # fmt: skip


def owners(row: Permission) -> set[int]:
    """Who owns a target that relies on the permission."""
    seeds = Seed.objects.filter(links__permission=row, target__deleted=False)
    return set(seeds.values_list("target__owner_id", flat=True))


def log(
    act: Act, row: Permission, *, channel: str, outgoing: bool, subject: str, text: str, address: str = ""
) -> Communication:
    """Keep what was said."""
    made = Communication(
        permission=row, at=act.clock.now(), channel=channel, outgoing=outgoing, subject=subject[:255],
        text=text[:_LONGEST_RESPONSE], address=address[:320], by_id=act.actor.user,
    )  # fmt: skip
    made.save()
    return made


def added(response: str, more: str) -> str:
    """What the agent said before, and now."""
    return "\n\n".join(part for part in (response, more.strip()) if part)[-_LONGEST_RESPONSE:]
