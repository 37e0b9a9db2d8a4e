"""What can be done to any curated row: delete it and restore it."""

from opilio.catalogue.curated import Curated
from opilio.people import grants
from opilio.people.acting import Act, action
from opilio.people.actions.sessions import end_sessions
from opilio.people.errors import InUse
from opilio.people.kinds import Kind, kind_named
from opilio.people.models import Agency, Role, User
from opilio.people.models.signin import Ended


@action("row.delete", "Delete a row so that it can be restored.")
def delete_row(act: Act, /, *, kind_name: str, row_id: int, version: int | None = None) -> Curated:
    """Hides the row everywhere but on the page of deleted rows; what others still need is refused."""
    kind = kind_named(kind_name)
    row: Curated = act.fetch(kind, row_id)
    _require(act, kind, row, "delete")
    _refuse_needed(act, kind, row)
    act.update(row, {"deleted": True}, version=version, message=f"Deleted {kind.label.lower()} {row}.")
    _follow(act, kind, row)
    return row


@action("row.restore", "Restore a deleted row.")
def restore_row(act: Act, /, *, kind_name: str, row_id: int) -> Curated:
    """The row is as it was; another that took its name meanwhile stands in the way."""
    kind = kind_named(kind_name)
    row: Curated = act.fetch(kind, row_id, deleted=True)
    _require(act, kind, row, "restore")
    act.update(row, {"deleted": False}, message=f"Restored {kind.label.lower()} {row}.")
    _follow(act, kind, row)
    return row


def _require(act: Act, kind: Kind, row: Curated, verb: str) -> None:
    subject, what = kind.subject(row), f"{verb} {kind.label.lower()} {row}"
    if kind.owner_may and subject.owner is not None and subject.owner == act.actor.user:
        act.require_that(True, what, "")
    else:
        act.require(kind.privilege_of(row), subject, what)


def _refuse_needed(act: Act, kind: Kind, row: Curated) -> None:
    reason = kind.needed(row)
    if reason:
        raise InUse(f"{kind.label} {row} cannot be deleted: {reason}", where=act.name, remedy="Change that first.")
    if isinstance(row, User):
        act.require_that(row.id != act.actor.user, "delete themselves", "Ask another administrator.")
    if isinstance(row, Agency):
        users = User.objects.filter(agency=row).count()
        if users:
            raise InUse(
                f"Agency {row.name} still has {users} users", where=act.name, remedy="Move or delete them first."
            )


def _follow(act: Act, kind: Kind, row: Curated) -> None:
    """What hangs on the row: grants of holders, sessions of a deleted user, whatever its kind names."""
    kind.follow(act, row)
    if isinstance(row, Role):
        grants.mark_holders(row.id)
    elif isinstance(row, Agency):
        grants.mark_agency(row.id)
    elif isinstance(row, User) and row.deleted:
        end_sessions(row.id, act.clock.now(), Ended.BARRED)
