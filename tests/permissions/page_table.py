"""The shape of the table of who may open which page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from opilio.people.privileges import Privilege
from tests.people import Town


@dataclass(frozen=True, kw_only=True)
class Page:
    """Who may open a page: holders of one of the privileges; `object_of` names what its number means."""

    opens_to: tuple[Privilege, ...]
    object_of: str | Callable[[Town, Any], int] = ""  # or a function that makes the object in an agency
