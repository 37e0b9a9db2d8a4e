"""A profile as a document that goes from one installation to another."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opilio.curation.profile_settings import LONGEST, BadProfile

if TYPE_CHECKING:
    from opilio.curation.models import Profile

FORMAT = "opilio-profile"


@dataclass(frozen=True, kw_only=True)
class ProfileDocument:
    """What a document holds; its settings are checked by the action."""

    name: str
    settings: Mapping[str, Any]
    description: str = ""
    level: int = 1


def document_of(row: "Profile") -> dict[str, Any]:
    """The profile without whatever belongs to its installation."""
    return {
        "format": FORMAT, "name": row.name, "description": row.description, "level": row.level,
        "settings": row.settings,
    }  # fmt: skip


def read_document(text: str) -> ProfileDocument:
    """The document in a text; `BadProfile` says what is wrong."""
    if len(text) > LONGEST:
        raise BadProfile({"document": f"A document has at most {LONGEST} characters."})
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadProfile({"document": f"This is not JSON: {str(error)[:200]}."}) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BadProfile({"document": f"This is no exported profile: it lacks the format {FORMAT!r}."})
    name, settings = found.get("name"), found.get("settings")
    description, level = found.get("description", ""), found.get("level", 1)
    if not isinstance(name, str) or not isinstance(settings, dict) or not isinstance(description, str):
        raise BadProfile({"document": "It lacks a name or settings."})
    if type(level) is not int:
        raise BadProfile({"level": "The level is 1, 2 or 3."})
    return ProfileDocument(name=name, settings=settings, description=description, level=level)
