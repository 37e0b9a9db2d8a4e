"""Sets what somebody typed beside what somebody else saved meanwhile."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms

from opilio.people.privileges import Scope
from opilio.web.forms.base import PageForm


@dataclass(frozen=True, kw_only=True)
class Version:
    """A row as it is now."""

    number: int
    values: Mapping[str, Any]  # by the names of the form's fields

    @property
    def sent(self) -> Mapping[str, Any]:
        """What a save over this version must send, whatever the form sent before."""
        return {"version": self.number}


@dataclass(frozen=True, kw_only=True)
class Versions:
    """What one form shows of several rows, as they are now."""

    values: Mapping[str, Any]
    sent: Mapping[str, Any]  # as of a single version


Newer = Version | Versions


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One field in both versions."""

    label: str
    mine: str
    theirs: str

    @property
    def differs(self) -> bool:
        return self.mine != self.theirs


def compared(form: PageForm, newer: Newer) -> list[Difference]:
    """Every visible field, those that differ first."""
    found = [difference for name in newer.values if name in form.fields for difference in _field(form, newer, name)]
    return sorted(found, key=lambda difference: not difference.differs)


def _field(form: PageForm, newer: Newer, name: str) -> Iterator[Difference]:
    mine, theirs = form.cleaned_data.get(name), newer.values[name]
    field = form.fields[name]
    if isinstance(theirs, Mapping):
        yield from _scopes(dict(mine or {}), theirs)
    else:
        yield Difference(label=str(field.label or name), mine=_spoken(field, mine), theirs=_spoken(field, theirs))


def _scopes(mine: Mapping[str, int], theirs: Mapping[str, int]) -> Iterator[Difference]:
    for code in sorted({*mine, *theirs}):
        if mine.get(code) != theirs.get(code):
            yield Difference(label=code, mine=_scope(mine.get(code)), theirs=_scope(theirs.get(code)))


def _scope(number: int | None) -> str:
    return "not given" if number is None else Scope(number).name.lower()


def _spoken(field: forms.Field, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(sorted(_spoken(field, one) for one in value)) or "–"
    if isinstance(field, forms.ChoiceField):
        return str(dict(field.choices).get(value) or dict(field.choices).get(str(value)) or value or "–")  # type: ignore[arg-type]  # choices may be groups, ours are not
    return str(value) if value not in (None, "") else "–"
