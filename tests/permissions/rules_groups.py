"""The table of who may do what with groups, ownership and assignments."""

from typing import Any

from opilio.curation.actions import assignments, group_expiry, group_members, groups, ownership
from opilio.people.privileges import Privilege
from tests.curation import Desk
from tests.permissions.table import AGENCY, ALL, OWNER, Place, Rule, open_to, owner_wide

EVERYWHERE = "own same other"


def _group(place: Place, *members: Any, **fields: Any) -> Any:
    return Desk(place.town).group(*members, agency=place.agency, owner=place.user, **fields)


def _target(place: Place, **fields: Any) -> Any:
    return Desk(place.town).target(agency=place.agency, owner=place.user, **fields)


def _in_agency(privilege: Privilege, call: Any) -> Rule:
    """What is made belongs to whoever makes it, in an agency where the privilege is held."""
    reach = {ALL: EVERYWHERE, AGENCY: "own same", OWNER: "own same", None: ""}
    return Rule(privilege=privilege, call=call, reach=reach)


def _worker(place: Place) -> int:
    return place.town.user(agency=place.agency, privileges={Privilege.MODIFY_TARGET: OWNER}).id


def _add(actor: Any, place: Place) -> Any:
    group, member = _group(place), _target(place)
    return group_members.add_members(actor, group_id=group.pk, member_ids=[member.pk])


def _remove(actor: Any, place: Place) -> Any:
    member = _target(place)
    return group_members.remove_members(actor, group_id=_group(place, member).pk, member_ids=[member.pk])


def _move(actor: Any, place: Place) -> Any:
    member = _target(place)
    source, into = _group(place, member, name="From"), _group(place, name="To")
    return group_members.move_members(actor, source_id=source.pk, into_id=into.pk, member_ids=[member.pk])


def _copy(actor: Any, place: Place) -> Any:
    return groups.copy_group(actor, group_id=_group(place).pk, name="Copy")


def _give(actor: Any, place: Place) -> Any:
    user = _worker(place)
    return ownership.give_ownership(actor, kind_name="group", row_id=_group(place).pk, user_id=user)


def _done(actor: Any, place: Place) -> Any:
    return assignments.complete_assignment(actor, target_id=_target(place, assigned_to=place.user).pk)


RULES: dict[str, Rule] = {
    "group.create": _in_agency(
        Privilege.CREATE_GROUP,
        lambda actor, place: groups.create_group(actor, agency_id=place.agency.id, name="Elections"),
    ),
    "group.copy": _in_agency(Privilege.CREATE_GROUP, _copy),
    "group.update": owner_wide(
        Privilege.MANAGE_GROUP,
        lambda actor, place: groups.update_group(actor, group_id=_group(place).pk, version=1, description="New"),
    ),
    "group.add_members": owner_wide(Privilege.ADD_TARGET_TO_GROUP, _add),
    "group.remove_members": owner_wide(Privilege.ADD_TARGET_TO_GROUP, _remove),
    "group.move_members": owner_wide(Privilege.ADD_TARGET_TO_GROUP, _move),
    "group.expire": open_to(lambda actor, place: group_expiry.expire_group(actor, group_id=_group(place).pk), ""),
    "ownership.give": owner_wide(Privilege.GIVE_OWNERSHIP, _give),
    "ownership.take": owner_wide(
        Privilege.TAKE_OWNERSHIP,
        lambda actor, place: ownership.take_ownership(actor, kind_name="target", row_id=_target(place).pk),
    ),
    "assignment.give": owner_wide(
        Privilege.MODIFY_TARGET,
        lambda actor, place: assignments.assign_target(actor, target_id=_target(place).pk, user_id=_worker(place)),
    ),
    "assignment.withdraw": owner_wide(
        Privilege.MODIFY_TARGET,
        lambda actor, place: assignments.withdraw_assignment(
            actor, target_id=_target(place, assigned_to=place.user).pk
        ),
    ),
    "assignment.done": open_to(_done, "own"),
}
