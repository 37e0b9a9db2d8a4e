"""Bulk work on targets."""

from opilio.curation.actions.assignments import assign_target
from opilio.curation.actions.target_moves import PLAIN
from opilio.curation.bulk import choosing, steps
from opilio.curation.bulk.arguments import Argument, Control, day
from opilio.curation.bulk.verbs import Noun, Verb, each
from opilio.curation.foresight import foresee_approvals
from opilio.curation.models import Target
from opilio.curation.sight import seen
from opilio.curation.workflow import TARGETS as MACHINE
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege

_MODIFY = (Privilege.MODIFY_TARGET,)
_MEMBERS = (Privilege.ADD_TARGET_TO_GROUP,)
_NOTE = Argument(name="note", label="Note", control=Control.PARAGRAPH, required=False)


def _move(name: str, done: str, icon: str, privilege: Privilege, *, danger: bool = False) -> Verb:
    move = next(one for one in MACHINE.moves if one.name == name)
    return Verb(name=name, label=move.label, done=done, warning=move.sentence, icon=icon, privileges=(privilege,),
                danger=danger, begin=each(PLAIN[name], "target_id"),
                foresee=foresee_approvals if name == "approve" else None)  # fmt: skip


TARGETS = Noun(
    name="target", words=("target", "targets"), path="/targets",
    rows=lambda actor: seen(Target.objects.all(), actor),
    filters={
        "q": choosing.words("name", "reference"),
        "agency": choosing.named("agency", "agency__name"),
        "owner": choosing.named("owner", "owner__username"),
        "group": choosing.named("group", "memberships__parent__name"),
        "profile": choosing.named("profile", "profile__name"),
        "state": choosing.state("state", {state.label.casefold(): state for state in MACHINE.states}),
    },
    verbs=(
        _move("nominate", "nominated", "lightbulb", Privilege.MODIFY_TARGET),
        _move("approve", "approved", "circle-check", Privilege.APPROVE_TARGET),
        Verb(
            name="reject", label="Reject", done="rejected", icon="circle-x", danger=True,
            privileges=(Privilege.APPROVE_TARGET,), warning="Do not collect them, for a reason from the list.",
            arguments=(steps.REASON, _NOTE), begin=steps.reject,
        ),
        _move("cancel", "cancelled", "ban", Privilege.CANCEL_TARGET, danger=True),
        _move("reinstate", "reinstated", "rotate-ccw", Privilege.REINSTATE_TARGET),
        Verb(
            name="owner", label="Change owner", done="given to the owner", icon="user-round-check",
            privileges=(Privilege.GIVE_OWNERSHIP, Privilege.TAKE_OWNERSHIP), arguments=(steps.OWNER,),
            warning="The new owner and the former ones are told.", begin=steps.give("target"),
        ),
        Verb(
            name="assign", label="Assign", done="assigned", icon="clipboard-list", privileges=_MODIFY,
            warning="The user finds them in the in-tray.",
            arguments=(
                steps.USER, Argument(name="due", label="Until", control=Control.DAY, required=False, read=day), _NOTE,
            ),
            begin=steps.with_user(assign_target, "target_id"),
        ),
        Verb(
            name="profile", label="Change profile", done="given the profile", icon="gauge", privileges=_MODIFY,
            warning="They are harvested with it from the next time on. The profile of each agency with this name is "
                    "taken.",
            arguments=(steps.PROFILE,), begin=steps.target_profile,
        ),
        Verb(
            name="access", label="Change access", done="given the access", icon="eye", privileges=_MODIFY,
            warning="Who may read what was collected, and whether it is shown at all.",
            arguments=(steps.ZONE, steps.EMBARGO, steps.DISPLAY, steps.DISPLAY_REASON), begin=steps.target_access,
        ),
        Verb(
            name="add-to-group", label="Add to group", done="added to the group", icon="folder-plus",
            privileges=_MEMBERS, warning="They stay in the other groups that they are in.",
            arguments=(steps.group("group", "Group"),), begin=steps.join, after=steps.tell_joined,
        ),
        Verb(
            name="remove-from-group", label="Remove from group", done="taken out of the group", icon="folder-minus",
            privileges=_MEMBERS, warning="They stay in the other groups that they are in.",
            arguments=(steps.group("group", "Group"),), begin=steps.leave, after=steps.tell_left,
        ),
        Verb(
            name="move-to-group", label="Move to group", done="moved to the group", icon="folder-input",
            privileges=_MEMBERS, warning="They leave the one group and join the other.",
            arguments=(steps.group("source", "Out of"), steps.group("into", "Into")), begin=steps.move,
            after=steps.tell_moved,
        ),
        Verb(
            name="delete", label="Delete", done="deleted", icon="trash-2", danger=True,
            privileges=(Privilege.DELETE_TARGET,),
            warning="Only pending targets that were never harvested can be deleted. They can be restored.",
            begin=each(delete_row, "row_id", kind_name="target"),
        ),
    ),
)  # fmt: skip
