"""Freezes what a harvest is run with: sections of canonical JSON under one digest, never changed afterwards."""

import datetime
import hashlib
import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from opilio import __version__
from opilio.crawl import plan_json
from opilio.crawl.plan import CrawlPlan
from opilio.curation.facts import with_parts
from opilio.curation.harvest_plan import profile_of
from opilio.curation.models import (
    AbstractTarget,
    Group,
    GroupMember,
    Harvest,
    ObjectType,
    Permission,
    Seed,
    SeedPermission,
    Snapshot,
    SnapshotPart,
    Target,
)
from opilio.curation.run_guard import Rights
from opilio.kernel.errors import Conflict
from opilio.people import audit
from opilio.people.acting import Act

FOREIGN = "sip."  # before the names of sections that came from another catalogue


class Tampered(Conflict):
    """A snapshot is not what was frozen."""


@dataclass(frozen=True, kw_only=True)
class Grounds:
    """What else decided how a harvest is run."""

    rights: Rights
    since: Harvest | None = None  # earlier harvest that it goes by


def take(act: Act, harvest: Harvest, plan: CrawlPlan, targets: Sequence[Target], grounds: Grounds) -> Snapshot:
    """Freeze a harvest; whatever was frozen for an earlier try is replaced."""
    Snapshot.objects.filter(harvest=harvest).delete()
    sections = {name: canonical(value) for name, value in _sections(harvest, plan, targets, grounds).items()}
    made = Snapshot(harvest=harvest, made_at=act.clock.now(), digest=digest(sections))
    made.save()
    SnapshotPart.objects.bulk_create(
        SnapshotPart(snapshot=made, key=key, value=value) for key, value in sorted(sections.items())
    )
    return made


def sections(harvest_id: int) -> Mapping[str, Any]:
    """The sections of a harvest's snapshot; `Tampered` when they are not what was frozen."""
    found = Snapshot.objects.filter(harvest_id=harvest_id).first()
    if found is None:
        raise Tampered(f"Harvest {harvest_id} has no snapshot", where="snapshot", remedy="Restore a backup.")
    parts = dict(SnapshotPart.objects.filter(snapshot=found).values_list("key", "value"))
    if digest(parts) != found.digest:
        raise Tampered(
            f"The snapshot of harvest {harvest_id} is not what was frozen: its digest differs", where="snapshot_part",
            remedy="It was changed outside Opilio; restore a backup.",
        )  # fmt: skip
    return {key: json.loads(value) for key, value in parts.items()}


def keep_seeds(harvest: Harvest, urls: Sequence[str], *, at: datetime.datetime) -> Snapshot:
    """A snapshot of what is known of a harvest that was run elsewhere: the seeds that it began with."""
    return keep_foreign(harvest, {"seeds": canonical([{"url": url} for url in urls])}, at=at)


def taken_here(keys: Iterable[str]) -> bool:
    """Whether these sections tell of a harvest that was run here, not in another catalogue."""
    return any(key != "seeds" and not key.startswith(FOREIGN) for key in keys)


def keep_foreign(harvest: Harvest, more: Mapping[str, str], *, at: datetime.datetime) -> Snapshot:
    """A snapshot of what is known of a harvest that was run elsewhere; other sections that were known stay."""
    known = dict(SnapshotPart.objects.filter(snapshot__harvest=harvest).values_list("key", "value"))
    parts = {**known, **more}
    Snapshot.objects.filter(harvest=harvest).delete()
    made = Snapshot(harvest=harvest, made_at=at, digest=digest(parts))
    made.save()
    SnapshotPart.objects.bulk_create(SnapshotPart(snapshot=made, key=key, value=parts[key]) for key in parts)
    return made


def seed_urls(value: str) -> list[str]:
    """The URLs of the section `seeds`, in its order."""
    return [str(one["url"]) for one in json.loads(value)]


def frozen_plan(harvest_id: int) -> CrawlPlan:
    """The plan that a harvest was frozen with."""
    return plan_json.from_json(json.dumps(sections(harvest_id)["plan"]))


def canonical(value: Any) -> str:
    """JSON in one way only."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=audit.told)


def digest(parts: Mapping[str, str]) -> str:
    """One digest over all sections, whatever their order."""
    joined = "\n".join(f"{key} {hashlib.sha256(parts[key].encode()).hexdigest()}" for key in sorted(parts))
    return f"sha256:{hashlib.sha256(joined.encode()).hexdigest()}"


def _sections(harvest: Harvest, plan: CrawlPlan, targets: Sequence[Target], grounds: Grounds) -> dict[str, Any]:
    row = harvest.abstract_target
    profile = profile_of(row)
    overrides = harvest.overrides or row.overrides
    return {
        "plan": json.loads(plan_json.to_json(plan)),
        "target": _target(_whole(row)),
        "members": [_target(target) for target in targets if target.pk != row.pk],
        "left-out": [{"name": one.name, "reasons": list(one.reasons)} for one in grounds.rights.left_out],
        "seeds": [_seed(seed) for seed in _seeds(targets)],
        "permissions": [_permission(one) for one in _permissions(targets)],
        "profile": {**audit.values(profile), "id": str(profile.pk), "version": profile.version} if profile else None,
        "profile-note": row.profile_note,
        "overrides": audit.values(overrides) if overrides else None,
        "people": _people(harvest),
        "since": _since(grounds.since) if grounds.since else None,
        "software": {"opilio": __version__, "python": platform.python_version(), "system": platform.system()},
    }


def _whole(row: AbstractTarget) -> AbstractTarget:
    """The row with the columns that only targets, or only groups, have."""
    kind = Group if row.object_type == ObjectType.GROUP else Target
    found: AbstractTarget | None = kind.everything.filter(pk=row.pk).first()
    return found or row


def _target(row: AbstractTarget) -> dict[str, Any]:
    description = audit.values(row.dublin_core) if row.dublin_core else None
    parents = GroupMember.objects.filter(child_id=row.pk).values_list("parent_id", flat=True)
    groups = Group.objects.filter(pk__in=list(parents)).order_by("name")
    return {
        **audit.values(row), "id": str(row.pk), "description-record": description,
        "groups": [_group(group) for group in groups],
    }  # fmt: skip


def _group(row: Group) -> dict[str, Any]:
    return {
        "id": str(row.pk), "name": row.name, "type": row.group_type, "reference": row.reference,
        "description": row.description, "ownership": row.ownership_metadata,
    }  # fmt: skip


def _seeds(targets: Sequence[Target]) -> list[Seed]:
    rows = Seed.objects.filter(target__in=[target.pk for target in targets], active=True)
    return list(rows.order_by("target_id", "position", "id"))


def _seed(row: Seed) -> dict[str, Any]:
    linked = SeedPermission.objects.filter(seed=row).order_by("permission_id").values_list("permission_id", flat=True)
    return {**audit.values(row), "id": str(row.pk), "permissions": [str(number) for number in linked]}


def _permissions(targets: Sequence[Target]) -> list[Permission]:
    links = SeedPermission.objects.filter(seed__target__in=[target.pk for target in targets], seed__deleted=False)
    numbers = set(links.values_list("permission_id", flat=True))
    return list(with_parts(Permission.objects.filter(pk__in=numbers).order_by("pk")))


def _permission(row: Permission) -> dict[str, Any]:
    return {
        **audit.values(row), "id": str(row.pk), "authorisation": audit.values(row.authorisation),
        "agent": audit.values(row.agent), "patterns": [link.pattern.pattern for link in row.pattern_links.all()],
        "exclusions": [{"url": one.url, "reason": one.reason} for one in row.exclusions.all()],
    }  # fmt: skip


def _since(earlier: Harvest) -> dict[str, Any]:
    return {"id": str(earlier.pk), "started_at": earlier.started_at, "state": earlier.state}


def _people(harvest: Harvest) -> dict[str, Any]:
    return {
        "owner": {"id": str(harvest.owner_id), "username": harvest.owner.username, "name": harvest.owner.real_name},
        "agency": {"id": str(harvest.agency_id), "name": harvest.agency.name},
        "target-owner": harvest.abstract_target.owner.username,
        "schedule-owner": harvest.schedule.owner.username if harvest.schedule else "",
    }
