"""Bulk work on groups."""

from opilio.curation.bulk import choosing, steps
from opilio.curation.bulk.verbs import Noun, Verb, each
from opilio.curation.models import Group
from opilio.curation.sight import seen
from opilio.curation.workflow import GROUP_STATES
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege

_MANAGE = (Privilege.MANAGE_GROUP,)

GROUPS = Noun(
    name="group", words=("group", "groups"), path="/groups", rows=lambda actor: seen(Group.objects.all(), actor),
    filters={
        "q": choosing.words("name", "reference"),
        "agency": choosing.named("agency", "agency__name"),
        "owner": choosing.named("owner", "owner__username"),
        "state": choosing.state("state", {state.label.casefold(): state for state in GROUP_STATES}),
    },
    verbs=(
        Verb(
            name="owner", label="Change owner", done="given to the owner", icon="user-round-check",
            privileges=(Privilege.GIVE_OWNERSHIP, Privilege.TAKE_OWNERSHIP), arguments=(steps.OWNER,),
            warning="The new owner and the former ones are told.", begin=steps.give("group"),
        ),
        Verb(
            name="profile", label="Change profile", done="given the profile", icon="gauge", privileges=_MANAGE,
            warning="They are harvested with it from the next time on. The profile of each agency with this name is "
                    "taken.",
            arguments=(steps.PROFILE,), begin=steps.group_profile,
        ),
        Verb(
            name="add-to-group", label="Add to group", done="added to the group", icon="folder-plus",
            privileges=(Privilege.ADD_TARGET_TO_GROUP,), warning="They become sub-groups of it.",
            arguments=(steps.group("group", "Group"),), begin=steps.join, after=steps.tell_joined,
        ),
        Verb(
            name="delete", label="Delete", done="deleted", icon="trash-2", danger=True, privileges=_MANAGE,
            warning="Their members stay. Groups that were harvested cannot be deleted; others can be restored.",
            begin=each(delete_row, "row_id", kind_name="group"),
        ),
    ),
)  # fmt: skip
