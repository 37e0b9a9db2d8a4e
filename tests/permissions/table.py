"""The shape of the table of who may do what: objects, rules, and ready-made reaches.

Objects: `own` belongs to the asker, `same` to the asker's agency, `other` to another agency. `None` as scope means
that the asker lacks the privilege.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from opilio.people.privileges import Privilege, Scope
from tests.people import Town

ALL, AGENCY, OWNER, PLAIN = Scope.ALL, Scope.AGENCY, Scope.OWNER, Scope.NONE


@dataclass(frozen=True, kw_only=True)
class Place:
    """The object of an action: an agency, and a user in it."""

    town: Town
    agency: Any
    user: Any


@dataclass(frozen=True, kw_only=True)
class Rule:
    """Which objects each scope of a privilege reaches, and how the action is called on one."""

    call: Callable[[Any, Place], Any]
    reach: Mapping[Scope | None, str]
    privilege: Privilege | None = None
    objects: str = "own same other"


def agency_wide(privilege: Privilege, call: Callable[[Any, Place], Any], **more: Any) -> Rule:
    """An agency's thing: all reaches everywhere, agency one's own agency."""
    return Rule(privilege=privilege, call=call, reach={ALL: "own same other", AGENCY: "own same", None: ""}, **more)


def system_wide(call: Callable[[Any, Place], Any]) -> Rule:
    """A thing of the installation: holding the privilege is enough."""
    return Rule(privilege=Privilege.CONFIGURE_PARAMETERS, call=call, reach={PLAIN: "own", None: ""}, objects="own")


def open_to(call: Callable[[Any, Place], Any], reach: str, objects: str = "own same other") -> Rule:
    """Open by another rule than a privilege: `reach` says on what."""
    return Rule(call=call, reach={None: reach}, objects=objects)


def owner_wide(privilege: Privilege, call: Callable[[Any, Place], Any], **more: Any) -> Rule:
    """A user's thing: all reaches everywhere, agency one's own agency, owner what is one's own."""
    reach: Mapping[Scope | None, str] = {ALL: "own same other", AGENCY: "own same", OWNER: "own", None: ""}
    return Rule(privilege=privilege, call=call, reach=reach, **more)
