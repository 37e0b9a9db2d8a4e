"""Tells rows whose name is here already: they join the row that has it, or get a name of their own."""

from typing import Any

from django.db.models.functions import Lower

from opilio.catalogue.curated import Curated
from opilio.curation.wct.drafts import Draft
from opilio.curation.wct.report import Report, What
from opilio.curation.wct.tables import Table, Taken, Unique


def apart(table: Table, drafts: list[Draft], report: Report) -> tuple[list[Draft], list[Draft]]:
    """Rows to be made, and rows that are the same as one that is here."""
    if table.unique is None or not drafts:
        return drafts, []
    here = _here(table, table.unique, drafts)
    fresh: list[Draft] = []
    same: list[Draft] = []
    for draft in drafts:
        key = _key(table.unique, draft.values)
        if key is None or key not in here:
            fresh.append(draft)
        elif table.unique.taken is Taken.JOIN and here[key] is not None:
            draft.identifier = here[key]
            report.tell(draft.entry(What.SAME, f"it is the row {here[key]} that is here already"))
            same.append(draft)
        else:
            _rename(table, table.unique, draft, report)
            fresh.append(draft)
        if (key := _key(table.unique, draft.values)) is not None:
            here.setdefault(key, draft.identifier)
    return fresh, same


def _rename(table: Table, unique: Unique, draft: Draft, report: Report) -> None:
    name = unique.fields[-1]
    longest = getattr(table.model._meta.get_field(name), "max_length", None) or 255
    suffix = f" (WCT {draft.number})"
    was = str(draft.values[name])
    draft.values[name] = was[: longest - len(suffix)] + suffix
    column = next(one.name for one in table.columns if one.field == name)
    reason = f"the name {was[:80]!r} is taken here; it became {draft.values[name]!r}"
    report.tell(draft.entry(What.CELL, reason, column))


def _here(table: Table, unique: Unique, drafts: list[Draft]) -> dict[tuple[Any, ...], int | None]:
    rows = table.model._base_manager.all()
    if issubclass(table.model, Curated) and not unique.folded:
        rows = rows.filter(deleted=False)
    last = unique.fields[-1]
    asked = {str(draft.values[last]).lower() if unique.folded else draft.values[last] for draft in drafts}
    rows = rows.annotate(looked_up=Lower(last)) if unique.folded else rows
    rows = rows.filter(**{f"{'looked_up' if unique.folded else last}__in": asked})
    found: dict[tuple[Any, ...], int | None] = {}
    names = (*unique.fields, unique.unless) if unique.unless else unique.fields
    for pk, *values in rows.values_list("pk", *names):
        key = _key(unique, dict(zip(names, values, strict=True)))
        if key is not None:
            found[key] = pk
    return found


def _key(unique: Unique, values: dict[str, Any]) -> tuple[Any, ...] | None:
    """What no two rows share; None where the rule does not hold, as for copies of profiles."""
    found = tuple(values[name] for name in unique.fields)
    if unique.unless and values[unique.unless] is not None:
        return None
    return (*found[:-1], found[-1].lower()) if unique.folded else found
