"""Bulk work on users."""

from opilio.curation.bulk import choosing
from opilio.curation.bulk.verbs import Noun, Verb, each
from opilio.people.actions.rows import delete_row
from opilio.people.actions.users import activate_user, deactivate_user
from opilio.people.privileges import Privilege
from opilio.people.queries import people

_MANAGE = (Privilege.MANAGE_USERS,)

USERS = Noun(
    name="user", words=("user", "users"), path="/admin/users", rows=people.users,
    filters={
        "q": choosing.words("username", "first_name", "last_name", "email"),
        "agency": choosing.named("agency", "agency__name"),
        "state": choosing.state("is_active", {"active": True, "deactivated": False}),
    },
    verbs=(
        Verb(
            name="deactivate", label="Deactivate", icon="lock", done="deactivated", danger=True, privileges=_MANAGE,
            warning="They are signed out at once and cannot sign in; their claimed tasks go back to the others.",
            begin=each(deactivate_user, "user_id"),
        ),
        Verb(
            name="activate", label="Activate", icon="lock-open", done="activated", privileges=_MANAGE,
            warning="They can sign in again, with the roles they had.", begin=each(activate_user, "user_id"),
        ),
        Verb(
            name="delete", label="Delete", icon="trash-2", done="deleted", danger=True, privileges=_MANAGE,
            warning="They are signed out at once. Deleted users can be restored.",
            begin=each(delete_row, "row_id", kind_name="user"),
        ),
    ),
)  # fmt: skip
