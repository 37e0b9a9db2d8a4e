"""Why a row of curation cannot be deleted, and what else changes when it is deleted or restored."""

from typing import Any

from opilio.curation import grouping, harvest_tasks, membership, planning, targeting
from opilio.curation.deciding import SEEK, resource
from opilio.curation.invitations import revoke_open
from opilio.curation.mapping import remap
from opilio.curation.models import (
    Credential,
    ExcludedUrl,
    Group,
    Harvest,
    HarvestState,
    Permission,
    Profile,
    Schedule,
    Seed,
    SeedPermission,
    State,
    Target,
    UrlPattern,
)
from opilio.people.acting import Act
from opilio.people.intray import close_tasks


def target_needed(row: Target) -> str:
    """Only a pending target that was never harvested can go: what was collected keeps its description."""
    if row.state != State.PENDING:
        return f"it is {State(row.state).label.lower()}, and only pending targets can be; cancel or reject it instead."
    started = Harvest.everything.filter(abstract_target_id=row.id).exclude(state=HarvestState.SCHEDULED).count()
    return f"it has {started} harvests." if started else ""


def target_followed(act: Act, row: Target) -> None:
    """A deleted target leaves its groups, and nothing is planned for it."""
    if row.deleted:
        membership.leave_all(act, row)
        planning.unplan(act, row)


def group_needed(row: Group) -> str:
    """A group that was harvested keeps its description."""
    started = Harvest.everything.filter(abstract_target_id=row.id).exclude(state=HarvestState.SCHEDULED).count()
    return f"it has {started} harvests." if started else ""


def group_followed(act: Act, row: Group) -> None:
    """A deleted group leaves its groups, and nothing is planned for it; a restored one is what its members make it."""
    if row.deleted:
        membership.leave_all(act, row)
        planning.unplan(act, row)
    else:
        grouping.recompute(act, row)
        planning.replan(act, row)


def seed_needed(row: Seed) -> str:
    """An approved target keeps at least one seed."""
    if row.target.state in (State.APPROVED, State.COMPLETED) and row.target.seeds.filter(deleted=False).count() == 1:
        return "it is the last seed of an approved target."
    return ""


def seed_followed(act: Act, row: Seed) -> None:
    """A deleted seed relies on no permission any more; deleting and restoring it are changes of its target."""
    if row.deleted:
        SeedPermission.objects.filter(seed=row).delete()
    targeting.touched(act, row.target)


def excluded_url_followed(act: Act, row: ExcludedUrl) -> None:
    """Deleting and restoring one are changes of its target."""
    targeting.touched(act, row.target)


def authorisation_needed(row: Any) -> str:
    """What seeds rely on stays."""
    return _relied_on(SeedPermission.objects.filter(permission__authorisation_id=row.id).count())


def authorisation_followed(act: Act, row: Any) -> None:
    """No seed is matched with a deleted authorisation; once restored, seeds are again."""
    remap(row.id)


def agent_needed(row: Any) -> str:
    """Somebody who gave permissions stays."""
    given = Permission.objects.filter(agent_id=row.id).count()
    return f"{given} permissions name this authorising agent." if given else ""


def pattern_needed(row: UrlPattern) -> str:
    """What a permission covers stays."""
    used = row.permission_links.filter(permission__deleted=False).count()
    return f"{used} permissions cover it." if used else ""


def permission_needed(row: Permission) -> str:
    """What seeds rely on stays."""
    return _relied_on(SeedPermission.objects.filter(permission_id=row.id).count())


def permission_followed(act: Act, row: Permission) -> None:
    """No seed is matched with a deleted permission, nobody is asked to confirm it, and its answer form is closed."""
    remap(row.authorisation_id)
    if row.deleted:
        close_tasks(kind=SEEK, resource=resource(row))
        revoke_open(row, act.clock.now())


def profile_needed(row: Profile) -> str:
    """A profile in use stays; it can be deactivated."""
    used = row.used_by.filter(deleted=False).count()
    if row.is_default:
        return "it is the default of its agency."
    return f"{used} targets and groups use it; deactivate it, or move them to another." if used else ""


def credential_needed(row: Credential) -> str:
    """A credential that a seed shows stays."""
    used = Seed.objects.filter(credential_id=row.id).count()
    return f"{used} seeds show it." if used else ""


def schedule_followed(act: Act, row: Schedule) -> None:
    """What a deleted schedule planned is not run, unless somebody changed it by hand; a restored one plans again."""
    if planning.replan_schedule(act, row) and row.deleted:
        _settle(act, row.abstract_target_id)


def harvest_needed(row: Harvest) -> str:
    """Only a harvest that never began can go."""
    begun = row.state not in (HarvestState.SCHEDULED, HarvestState.QUEUED) or row.started_at is not None
    return "it has begun; what it collected can be purged, its record stays." if begun else ""


def harvest_followed(act: Act, row: Harvest) -> None:
    """A target of which the last plan was deleted may be completed by that; nobody need decide about a deleted one."""
    if row.deleted:
        harvest_tasks.decided(row.pk)
        _settle(act, row.abstract_target_id)


def _settle(act: Act, identifier: int) -> None:
    target = Target.objects.filter(pk=identifier).first()
    if target is not None:
        targeting.settled(act, target)


def _relied_on(links: int) -> str:
    return f"{links} seeds rely on it; move them to another permission first." if links else ""
