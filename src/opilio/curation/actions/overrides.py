"""Change the overrides of a target or group: each value with its switch, and the patterns."""

from collections.abc import Mapping, Sequence
from typing import Any

from opilio.curation import targeting
from opilio.curation.models import AbstractTarget, ObjectType, OverridePattern, Overrides, PatternUse, Target
from opilio.curation.override_columns import COLUMNS
from opilio.curation.overrides import faults
from opilio.curation.overriding import overrides_for
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields, NotFound, Stale
from opilio.people.privileges import Privilege, Subject

_PURE = {"max_seconds", "max_bytes", "max_documents", "max_path_depth", "max_hops"}


@action("overrides.update", "Change the overrides of a target or group.", privilege=Privilege.MODIFY_TARGET)
def update_overrides(
    act: Act,
    /,
    *,
    holder_id: int,
    version: int,
    exclusions: Sequence[str] | None = None,
    inclusions: Sequence[str] | None = None,
    **values: Any,
) -> Overrides:
    """What is not given stays. Groups need MANAGE_GROUP_OVERRIDES instead; an approved target is decided upon again."""
    holder = holder_of(act, holder_id)
    changes = {name: value for name, value in values.items() if name in COLUMNS}
    patterns = {PatternUse.EXCLUDE: _lines(exclusions), PatternUse.INCLUDE: _lines(inclusions)}
    _check(act, changes, patterns)
    row = overrides_for(act, holder)
    if version != row.version:
        raise Stale("Overrides of", holder.name, mine=changes, theirs=_now(row), by=str(row.updated_by or ""))
    changed = act.update(row, {name: _stored(name, value) for name, value in changes.items()})
    for use, wanted in patterns.items():
        changed |= wanted is not None and _replace(act, row, use, wanted)
    if changed:
        touched(act, holder)
    return row


def holder_of(act: Act, holder_id: int) -> AbstractTarget:
    """The target or group, locked, if the actor may change its overrides."""
    row: AbstractTarget | None = (
        AbstractTarget.objects.select_for_update(of=("self",)).select_related("overrides").filter(pk=holder_id).first()
    )
    if row is None:
        raise NotFound(f"There is no target or group {holder_id}", where=act.name, remedy="Was it deleted?")
    group = row.object_type == ObjectType.GROUP
    privilege = Privilege.MANAGE_GROUP_OVERRIDES if group else Privilege.MODIFY_TARGET
    subject = Subject(agency=row.agency_id, owner=row.owner_id)
    act.require(privilege, subject, f"change the overrides of {row.name}")
    return row


def touched(act: Act, holder: AbstractTarget) -> None:
    """After an edit by somebody who may not approve it, an approved target is decided upon again."""
    target = Target.objects.filter(pk=holder.pk).first()
    if target is not None:
        targeting.touched(act, target)


def _check(act: Act, changes: Mapping[str, Any], patterns: Mapping[PatternUse, tuple[str, ...] | None]) -> None:
    pure = {name: value for name, value in changes.items() if name in _PURE}
    if "excluded_mime_types" in changes:
        pure["excluded_mime_types"] = _types(changes["excluded_mime_types"])
    for use, name in ((PatternUse.EXCLUDE, "exclusions"), (PatternUse.INCLUDE, "inclusions")):
        if (wanted := patterns[use]) is not None:
            pure[name] = wanted
    if found := faults(pure).messages:
        raise InvalidFields({name: [told] for name, told in found.items()}, where=act.name)


def _replace(act: Act, row: Overrides, use: PatternUse, wanted: tuple[str, ...]) -> bool:
    before = list(OverridePattern.objects.filter(overrides=row, use=use).values_list("expression", flat=True))
    if before == list(wanted):
        return False
    OverridePattern.objects.filter(overrides=row, use=use).delete()
    OverridePattern.objects.bulk_create(
        OverridePattern(overrides=row, use=use, position=number, expression=pattern)
        for number, pattern in enumerate(wanted)
    )
    act.touch(row, [])
    name = "exclusions" if use == PatternUse.EXCLUDE else "inclusions"
    act.record(row, before={name: before}, after={name: list(wanted)})
    return True


def _lines(patterns: Sequence[str] | None) -> tuple[str, ...] | None:
    """One pattern on each line; empty lines do not count, and none counts twice."""
    if patterns is None:
        return None
    return tuple(dict.fromkeys(line.strip() for line in patterns if line.strip()))


def _types(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.lower() for part in text.replace(",", " ").split()))


def _stored(name: str, value: Any) -> Any:
    return "\n".join(_types(value)) if name == "excluded_mime_types" else value


def _now(row: Overrides) -> dict[str, Any]:
    return {name: getattr(row, name) for name in COLUMNS}
