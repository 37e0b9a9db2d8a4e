"""Bulk work on permissions and authorisations."""

from collections.abc import Mapping
from typing import Any

from opilio.curation.actions.authorisations import switch_authorisation
from opilio.curation.actions.permissions import (
    approve_permission,
    reject_permission,
    transfer_seeds,
    update_permission,
)
from opilio.curation.bulk import choosing
from opilio.curation.bulk.arguments import Argument, Control, day, number
from opilio.curation.bulk.verbs import Noun, Step, Subject, Verb, each
from opilio.curation.models import Authorisation, Permission, PermissionStatus
from opilio.curation.sight import seen
from opilio.people.actions.rows import delete_row
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields, NotFound
from opilio.people.privileges import Privilege

_CONFIRM = (Privilege.CONFIRM_PERMISSION,)
_RESPONSE = Argument(name="response", label="Answer", control=Control.PARAGRAPH, required=False,
                     help="What the authorising agent said; added to each.")  # fmt: skip


def set_dates(actor: Actor, given: Mapping[str, Any]) -> Step:
    """Change first and last day, whichever was given."""
    changes = {name: value for name, value in given.items() if value is not None}
    if not changes:
        raise InvalidFields({"start_date": ["Write a first or a last day."]}, where="arguments")

    def step(subject: Subject) -> object:
        row = seen(Permission.objects.all(), actor).filter(id=subject.row_id or 0).first()
        if row is None:
            raise NotFound(f"There is no permission {subject.row_id} that you may see", remedy="Was it deleted?")
        return update_permission(actor, permission_id=row.id, version=row.version, **changes)

    return step


PERMISSIONS = Noun(
    name="permission", words=("permission", "permissions"), path="/permissions",
    rows=lambda actor: seen(Permission.objects.select_related("agent", "authorisation"), actor),
    filters={
        "q": choosing.words("authorisation__title", "agent__name", "display_name", "file_reference"),
        "agency": choosing.named("agency", "agency__name"),
        "authorisation": choosing.named("authorisation", "authorisation__title"),
        "agent": choosing.named("agent", "agent__name"),
        "state": choosing.state("status", {status.label.casefold(): status for status in PermissionStatus}),
    },
    verbs=(
        Verb(
            name="approve", label="Approve", done="approved", icon="circle-check", privileges=_CONFIRM,
            warning="The authorising agents granted them. Owners of linked targets are told.",
            arguments=(_RESPONSE,), begin=each(approve_permission, "permission_id"),
        ),
        Verb(
            name="reject", label="Reject", done="rejected", icon="circle-x", danger=True, privileges=_CONFIRM,
            warning="The authorising agents refused them. Harvests of linked targets do not run any more.",
            arguments=(_RESPONSE,), begin=each(reject_permission, "permission_id"),
        ),
        Verb(
            name="dates", label="Set dates", done="given the dates", icon="calendar-range",
            privileges=(Privilege.MODIFY_PERMISSION,), warning="What is left empty stays as it is.",
            arguments=(
                Argument(name="start_date", label="First day", control=Control.DAY, required=False, read=day),
                Argument(name="end_date", label="Last day", control=Control.DAY, required=False, read=day),
            ),
            begin=set_dates,
        ),
        Verb(
            name="transfer", label="Transfer seeds", done="relieved of their seeds", icon="arrow-right-left",
            privileges=(Privilege.TRANSFER_LINKED_TARGETS,),
            warning="All seeds that rely on them rely on the other permission from now on.",
            arguments=(Argument(name="into_id", label="To permission", read=number, help="Its number."),),
            begin=each(transfer_seeds, "permission_id"),
        ),
        Verb(
            name="delete", label="Delete", done="deleted", icon="trash-2", danger=True,
            privileges=(Privilege.MODIFY_PERMISSION,),
            warning="Those on which seeds rely stay. Deleted ones can be restored.",
            begin=each(delete_row, "row_id", kind_name="permission"),
        ),
    ),
)  # fmt: skip

AUTHORISATIONS = Noun(
    name="authorisation", words=("authorisation", "authorisations"), path="/authorisations",
    rows=lambda actor: seen(Authorisation.objects.all(), actor),
    filters={
        "q": choosing.words("title", "order_number"),
        "agency": choosing.named("agency", "agency__name"),
        "state": choosing.state("active", {"enabled": True, "disabled": False}),
    },
    verbs=(
        Verb(
            name="enable", label="Enable", done="enabled", icon="toggle-right",
            privileges=(Privilege.ENABLE_DISABLE_SITE,), warning="New seeds may be linked with their permissions.",
            begin=each(switch_authorisation, "authorisation_id", active=True),
        ),
        Verb(
            name="disable", label="Disable", done="disabled", icon="toggle-left", danger=True,
            privileges=(Privilege.ENABLE_DISABLE_SITE,),
            warning="No new seed is linked with their permissions; links that are there stay.",
            begin=each(switch_authorisation, "authorisation_id", active=False),
        ),
        Verb(
            name="delete", label="Delete", done="deleted", icon="trash-2", danger=True,
            privileges=(Privilege.MODIFY_SITE,),
            warning="Those on which seeds rely stay. Deleted ones can be restored.",
            begin=each(delete_row, "row_id", kind_name="authorisation"),
        ),
    ),
)  # fmt: skip
