"""Times as an operator types them."""

import datetime

from opilio.kernel.errors import InvalidInput


def moment(text: str, where: str) -> datetime.datetime | None:
    """A time with its zone; None for an empty text."""
    if not text.strip():
        return None
    try:
        found = datetime.datetime.fromisoformat(text.strip())
    except ValueError:
        found = None
    if found is None or found.tzinfo is None or not 1970 <= found.year < 2200:
        remedy = "Write it with its zone, as 2026-01-31T12:00:00Z."
        raise InvalidInput(f"{text[:80]!r} is no time", where=where, remedy=remedy)
    return found.astimezone(datetime.UTC)
