"""Change parameters of the installation, and put them back to their defaults."""

from collections.abc import Iterable, Mapping

from opilio.people import audit
from opilio.people.acting import Act, action
from opilio.people.errors import Stale
from opilio.people.models import Parameter
from opilio.people.parameters import BY_NAME, Value, in_force, parsed
from opilio.people.privileges import SYSTEM_WIDE, Privilege


@action("parameter.set", "Change parameters of the installation.", privilege=Privilege.CONFIGURE_PARAMETERS)
def set_parameters(act: Act, /, *, texts: Mapping[str, str], versions: Mapping[str, int]) -> dict[str, Parameter]:
    """All or none, and only from the versions they have; a value that equals the default is kept as a row too."""
    act.require(Privilege.CONFIGURE_PARAMETERS, SYSTEM_WIDE, "change parameters")
    wanted = {name: parsed(name, text) for name, text in texts.items()}
    rows = _locked(wanted)
    _refuse_stale(wanted, versions, rows)
    live = {row.name: row for row in rows if not row.deleted}
    return {name: _set(act, name, value, live.get(name)) for name, value in wanted.items()}


@action("parameter.reset", "Put a parameter back to its default.", privilege=Privilege.CONFIGURE_PARAMETERS)
def reset_parameter(act: Act, /, *, name: str, version: int | None = None) -> None:
    """Deletes its row, so that the value it had can be restored; at its default already, it stays so."""
    act.require(Privilege.CONFIGURE_PARAMETERS, SYSTEM_WIDE, "change parameters")
    rows, default = _locked([name]), BY_NAME[name].default
    if version is not None:
        _refuse_stale({name: default}, {name: version}, rows)
    for row in rows:
        if not row.deleted:
            act.update(row, {"deleted": True}, message=f"Back to {default!r}.")


def put(act: Act, /, *, name: str, value: Value) -> Parameter:
    """Set one parameter within another action, which has asked for a privilege of its own."""
    live = next((row for row in _locked([name]) if not row.deleted), None)
    return _set(act, name, value, live)


def _locked(names: Iterable[str]) -> list[Parameter]:
    """Their rows, the deleted ones too, always locked in the same order."""
    rows = Parameter.everything.select_for_update(of=("self",)).select_related("updated_by")
    return list(rows.filter(name__in=names).order_by("id"))


def _refuse_stale(wanted: Mapping[str, object], versions: Mapping[str, int], rows: list[Parameter]) -> None:
    now = in_force(rows)
    stale = [name for name in wanted if now[name].version != versions[name]]
    if stale:
        raise Stale(
            "Parameter" if len(stale) == 1 else "Parameters",
            ", ".join(BY_NAME[name].label for name in stale),
            mine={name: audit.told(wanted[name]) for name in stale},
            theirs={name: audit.told(now[name].value) for name in stale},
            by=_changers(stale, rows),
            several=len(stale) > 1,
        )


def _changers(names: list[str], rows: list[Parameter]) -> str:
    """Who changed each of them last; none of them for what only the system changed."""
    last = {row.name: row for row in sorted(rows, key=lambda row: row.updated) if row.name in names}
    return ", ".join(sorted({str(row.updated_by) for row in last.values() if row.updated_by is not None}))


def _set(act: Act, name: str, value: Value, row: Parameter | None) -> Parameter:
    if row is None:
        return act.insert(Parameter(name=name, value=value), message=f"Was {BY_NAME[name].default!r}.")
    act.update(row, {"value": value})
    return row
