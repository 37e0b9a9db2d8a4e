"""The pages of one user, side by side."""

from typing import TYPE_CHECKING

from opilio.people.actor import Actor
from opilio.people.kinds import USER
from opilio.people.privileges import Privilege
from opilio.web.lists.declared import Tab

if TYPE_CHECKING:
    from opilio.people.models import User

_PAGES = (("", "Details"), ("roles", "Roles"), ("access", "Access"), ("notes", "Notes"), ("history", "History"))


def user_tabs(actor: Actor, row: "User", here: str) -> list[Tab]:
    """The tabs; the history is for those who may read the audit log."""
    base = f"/admin/users/{row.id}"
    audited = actor.may(Privilege.VIEW_AUDIT, USER.subject(row))
    return [
        Tab(label=label, path=f"{base}/{name}".rstrip("/"), here=name == here)
        for name, label in _PAGES
        if name != "history" or audited
    ]
