"""Names of generations: the moment at which one was begun, to the microsecond, and eight letters of chance.

They sort by time as text, and do so even when the clock was set back.
"""

import re
import secrets
from datetime import UTC, datetime, timedelta

from opilio.search.generations.errors import BadGenerationId

_FORM = re.compile(r"([0-9]{8}T[0-9]{12})-[0-9a-f]{8}")
_STAMP = "%Y%m%dT%H%M%S%f"


def new_id(now: datetime, *, after: str = "") -> str:
    """A name that nothing has; it sorts behind `after`, the newest that is known."""
    moment = now.astimezone(UTC)
    if after and (last := begun(after)) >= moment:
        moment = last + timedelta(microseconds=1)
    return f"{moment.strftime(_STAMP)}-{secrets.token_hex(4)}"


def is_id(text: str) -> bool:
    """Whether a text has the form of such a name."""
    found = _FORM.fullmatch(text)
    if found is None:
        return False
    try:
        datetime.strptime(found[1], _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return False
    return True


def checked_id(text: str) -> str:
    """The name itself; `BadGenerationId` for anything else."""
    if not isinstance(text, str) or not is_id(text):
        remedy = "Give one that `opilio index status` lists, as 20260101T120000000000-0a1b2c3d."
        raise BadGenerationId(f"{str(text)[:80]!r} names no generation", remedy=remedy)
    return text


def begun(name: str) -> datetime:
    """When the generation of that name was begun."""
    return datetime.strptime(checked_id(name)[:21], _STAMP).replace(tzinfo=UTC)
