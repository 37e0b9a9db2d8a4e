"""Describe a target or group as catalogues do."""

from typing import Any

from opilio.curation import targeting
from opilio.curation.kinds import GROUP, TARGET
from opilio.curation.models import AbstractTarget, DublinCore, Target
from opilio.curation.models.dublin_core import ELEMENTS
from opilio.people import constrained
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields, Stale
from opilio.people.kinds import Kind
from opilio.people.privileges import Privilege

_PRIVILEGES = {TARGET.name: Privilege.MODIFY_TARGET, GROUP.name: Privilege.MANAGE_GROUP}


@action("dublin_core.save", "Describe a target or group.", privilege=Privilege.MODIFY_TARGET)
def save_dublin_core(
    act: Act, /, *, row_id: int, version: int | None, kind_name: str = "target", **elements: str
) -> DublinCore:
    """`version` is that of the description; 0 when there was none, None to save over whatever there is."""
    kind = _kind(act, kind_name)
    row: AbstractTarget = act.fetch(kind, row_id)
    act.require(_PRIVILEGES[kind.name], kind.subject(row), f"describe the {kind.name} {row.name}")
    values = {name: value.strip() for name, value in elements.items() if name in ELEMENTS}
    kept = row.dublin_core.type if row.dublin_core else ""
    constrained.check("dublin-core-type", "type", values.get("type", ""), kept=kept)
    if _saved(act, row, version, values) and isinstance(row, Target):
        targeting.touched(act, row)
    assert row.dublin_core is not None  # noqa: S101 - was just saved
    return row.dublin_core


def _saved(act: Act, row: AbstractTarget, version: int | None, values: dict[str, Any]) -> bool:
    if row.dublin_core is not None:
        return act.update(row.dublin_core, values, version=version)
    if version:
        raise Stale("Description", row.name, mine=values, theirs={}, by="")
    made = act.insert(DublinCore(**values))
    return act.update(row, {"dublin_core": made})


def _kind(act: Act, kind_name: str) -> Kind:
    found = {kind.name: kind for kind in (TARGET, GROUP)}.get(kind_name)
    if found is None:
        raise InvalidFields({"kind": ["Only targets and groups have a description."]}, where=act.name)
    return found
