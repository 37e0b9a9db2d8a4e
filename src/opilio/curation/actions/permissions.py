"""Make and change permissions, say what they exclude, grant and refuse them, move seeds from one to another."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from opilio.curation import deciding, rights_watch
from opilio.curation.actions.authorisations import normal_patterns
from opilio.curation.kinds import AUTHORISATION, PERMISSION
from opilio.curation.linking import WrongAgency
from opilio.curation.mapping import remap
from opilio.curation.models import (
    Authorisation,
    Channel,
    Communication,
    Linked,
    Permission,
    PermissionExclusion,
    PermissionPattern,
    PermissionStatus,
    SeedPermission,
)
from opilio.curation.permission_checks import check_fields, checked_agent, checked_patterns
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege

FIELDS = (
    "start_date", "end_date", "access_status", "open_access_date", "available", "copyright_statement",
    "copyright_url", "special_requirements", "response", "notes", "file_reference", "quick_pick", "display_name",
)  # fmt: skip
_MODIFY = Privilege.MODIFY_PERMISSION


@action("permission.create", "Make a permission of an authorisation.", privilege=_MODIFY)
def create_permission(
    act: Act, /, *, authorisation_id: int, agent_id: int, patterns: Sequence[int], seek: bool = False,
    exclusions: Sequence[Mapping[str, str]] = (), **fields: Any,
) -> Permission:  # fmt: skip
    """It is pending; `seek` puts it before those who confirm permissions."""
    authorisation: Authorisation = act.fetch(AUTHORISATION, authorisation_id)
    act.require(_MODIFY, AUTHORISATION.subject(authorisation), f"make permissions for {authorisation.title}")
    row = Permission(
        authorisation=authorisation, agency=authorisation.agency, agent=checked_agent(authorisation, agent_id),
        status=PermissionStatus.PENDING, **_known(fields),
    )  # fmt: skip
    check_fields(row)
    chosen = checked_patterns(authorisation.id, patterns)
    act.insert(row)
    _put_patterns(row, chosen)
    _put_exclusions(act, row, exclusions)
    remap(authorisation.id)
    if seek:
        deciding.seek(act, row, f"{act.actor.real_name} made a permission that needs to be asked for and confirmed.")
    return row


@action("permission.update", "Change a permission.", privilege=_MODIFY)
def update_permission(
    act: Act, /, *, permission_id: int, version: int, agent_id: int | None = None,
    patterns: Sequence[int] | None = None, **fields: Any,
) -> Permission:  # fmt: skip
    """Details, who gives it, and the patterns that it covers; its status moves by other actions."""
    row = _fetched(act, permission_id)
    changes = _known(fields)
    if agent_id is not None:
        changes["agent"] = checked_agent(row.authorisation, agent_id)
    check_fields(_as_changed(row, changes), kept=row.access_status)
    act.update(row, changes, version=version)
    if patterns is not None:
        _put_patterns(row, checked_patterns(row.authorisation_id, patterns), act)
        remap(row.authorisation_id)
    rights_watch.look_at_all(act)
    return row


@action("permission.set_exclusions", "Say which URLs a permission leaves out.", privilege=_MODIFY)
def set_exclusions(act: Act, /, *, permission_id: int, exclusions: Sequence[Mapping[str, str]]) -> Permission:
    """The whole list, in order, each with `url` and `reason`. It counts at once, also for targets linked before."""
    row = _fetched(act, permission_id)
    _put_exclusions(act, row, exclusions)
    rights_watch.look_at_all(act)
    return row


@action("permission.seek", "Ask those who confirm permissions to see to one.", privilege=_MODIFY)
def seek_permission(act: Act, /, *, permission_id: int) -> Permission:
    """A task waits in their in-tray until it is granted or refused; only a pending one can be put there."""
    row = _fetched(act, permission_id)
    if row.status != PermissionStatus.PENDING:
        status = PermissionStatus(row.status).label
        raise Conflict(
            f"The permission {row} is {status}, not Pending", where=act.name, remedy="Nothing is to be done."
        )
    deciding.seek(act, row, f"{act.actor.real_name} asks that this permission is sought.")
    act.record(row, message="Asked for approval.")
    return row


@action("permission.approve", "Note that a permission was granted.", privilege=Privilege.CONFIRM_PERMISSION)
def approve_permission(
    act: Act, /, *, permission_id: int, response: str = "", version: int | None = None
) -> Permission:
    """Owners of linked targets are told."""
    return _decided(act, permission_id, deciding.APPROVE, response, version)


@action("permission.reject", "Note that a permission was refused.", privilege=Privilege.CONFIRM_PERMISSION)
def reject_permission(act: Act, /, *, permission_id: int, response: str = "", version: int | None = None) -> Permission:
    """Harvests of linked targets do not run any more; their owners are told."""
    return _decided(act, permission_id, deciding.REJECT, response, version)


@action(
    "permission.transfer", "Move all seeds of a permission to another.", privilege=Privilege.TRANSFER_LINKED_TARGETS
)
def transfer_seeds(act: Act, /, *, permission_id: int, into_id: int) -> int:
    """How many seeds were moved. Both permissions belong to one agency."""
    source: Permission = act.fetch(PERMISSION, permission_id)
    into: Permission = act.fetch(PERMISSION, into_id)
    for row in (source, into):
        act.require(Privilege.TRANSFER_LINKED_TARGETS, PERMISSION.subject(row), f"move seeds of {row}")
    _check_transfer(source, into)
    links = list(SeedPermission.objects.filter(permission=source).select_for_update())
    there = set(SeedPermission.objects.filter(permission=into).values_list("seed_id", flat=True))
    SeedPermission.objects.filter(id__in=[each.id for each in links if each.seed_id in there]).delete()
    moved = [each for each in links if each.seed_id not in there]
    for each in moved:
        each.permission, each.linked = into, Linked.TRANSFER
        each.at, each.by_id = act.clock.now(), act.actor.user
    SeedPermission.objects.bulk_update(moved, ["permission", "linked", "at", "by"], batch_size=500)
    act.record(source, message=f"Moved {len(links)} seeds to {into}.", before={"seeds": len(links)}, after={"seeds": 0})
    act.record(into, message=f"Received {len(links)} seeds from {source}.")
    return len(links)


@action("permission.log", "Keep something that was said about a permission.", privilege=_MODIFY)
def log_communication(
    act: Act, /, *, permission_id: int, channel: str, outgoing: bool, subject: str = "", text: str = "",
    address: str = "",
) -> Communication:  # fmt: skip
    """A call, a letter, a meeting; kept as it is, never changed."""
    row = _fetched(act, permission_id)
    if not (subject.strip() or text.strip()):
        raise InvalidFields({"text": ["Write what was said."]})
    if channel not in Channel.values:
        raise InvalidFields({"channel": [f"Choose one of {', '.join(Channel.values)}."]})
    made = deciding.log(
        act,
        row,
        channel=channel,
        outgoing=outgoing,
        subject=subject.strip(),
        text=text.strip(),
        address=address.strip(),
    )
    act.record(row, message=f"Logged: {made}")
    return made


def _fetched(act: Act, permission_id: int) -> Permission:
    row: Permission = act.fetch(PERMISSION, permission_id)
    act.require(_MODIFY, PERMISSION.subject(row), f"change the permission {row}")
    return row


def _decided(act: Act, permission_id: int, verb: str, response: str, version: int | None) -> Permission:
    row: Permission = act.fetch(PERMISSION, permission_id)
    act.require(Privilege.CONFIRM_PERMISSION, PERMISSION.subject(row), f"{verb} the permission {row}")
    deciding.decide(act, row, verb, response=response, version=version)
    return row


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.strip() if isinstance(value, str) else value for name, value in fields.items() if name in FIELDS
    }


def _as_changed(row: Permission, changes: Mapping[str, Any]) -> Permission:
    changed = copy.copy(row)
    for name, value in changes.items():
        setattr(changed, name, value)
    return changed


def _put_patterns(row: Permission, chosen: Sequence[int], act: Act | None = None) -> None:
    have = set(PermissionPattern.objects.filter(permission=row).values_list("pattern_id", flat=True))
    if have == set(chosen):
        return
    PermissionPattern.objects.filter(permission=row).exclude(pattern_id__in=chosen).delete()
    PermissionPattern.objects.bulk_create(
        PermissionPattern(permission=row, pattern_id=each) for each in chosen if each not in have
    )
    if act is not None:
        act.record(
            row, message="Changed what it covers.",
            before={"patterns": sorted(have)}, after={"patterns": sorted(chosen)},
        )  # fmt: skip


def _put_exclusions(act: Act, row: Permission, exclusions: Sequence[Mapping[str, str]]) -> None:
    urls = normal_patterns([each.get("url", "") for each in exclusions], "exclusions")
    reasons = [each.get("reason", "").strip() for each in exclusions if each.get("url", "").strip()]
    wanted = dict(zip(urls, reasons, strict=True))
    have = {each.url: each for each in PermissionExclusion.objects.filter(permission=row)}
    for url in have.keys() - wanted.keys():
        act.update(have[url], {"deleted": True}, message=f"Removed from {row}.")
    for position, (url, reason) in enumerate(wanted.items()):
        if url in have:
            act.update(have[url], {"reason": reason, "position": position})
        else:
            act.insert(PermissionExclusion(permission=row, url=url, reason=reason, position=position))


def _check_transfer(source: Permission, into: Permission) -> None:
    if source.id == into.id:
        raise InvalidFields({"into": ["Choose another permission."]})
    if source.agency_id != into.agency_id:
        raise WrongAgency(
            f"{into} was granted to another agency than {source}", where="transfer",
            remedy="Choose a permission of the same agency.",
        )  # fmt: skip
    if into.status == PermissionStatus.REJECTED:
        raise InvalidFields({"into": [f"{into} was refused; seeds cannot rely on it."]})
