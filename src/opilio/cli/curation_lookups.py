"""Finds profiles, targets and groups by what an operator types."""

from typing import Any

from opilio.cli.lookups import agency_named
from opilio.curation.queries import profiles
from opilio.people.actor import Actor
from opilio.people.errors import NotFound


def profile_named(actor: Actor, name: str) -> Any:
    """The profile NAME, or NAME@AGENCY where several agencies have one of that name, or its number."""
    rows = profiles.profiles(actor)
    if _number(name):
        found = list(rows.filter(pk=int(name)))
    else:
        found = list(rows.filter(name__iexact=name)[:2])
        plain, at, agency = name.rpartition("@")
        if not found and at:
            found = list(rows.filter(name__iexact=plain, agency_id=agency_named(actor, agency).id))
    if len(found) != 1:
        what = "Several agencies have a profile" if found else "There is no profile"
        remedy = "Write NAME@AGENCY." if found else "`opilio profile list` names them all."
        raise NotFound(f"{what} {name[:150]!r}", where="PROFILE", remedy=remedy)
    return found[0]


def holder_named(actor: Actor, name: str) -> Any:
    """The target or group with this number, or with this name if only one has it."""
    rows = profiles.holders(actor)
    found = list(rows.filter(pk=int(name)) if _number(name) else rows.filter(name__iexact=name)[:2])
    if len(found) != 1:
        what = "Several targets and groups are called" if found else "There is no target or group"
        raise NotFound(
            f"{what} {name[:150]!r}", where="TARGET", remedy="Write its number, as `opilio target list` shows it."
        )
    return found[0]


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
