"""The meta refresh of a page, read as the HTML standard reads it ("shared declarative refresh steps")."""

import re
from dataclasses import dataclass

_TIME = re.compile(r"\s*+(\d*+)(?:\.[\d.]*+)?")
_LEAD = re.compile(r"\s*+[;,]?\s*+(?:[uU][rR][lL]\s*+=\s*+)?")
_LONGEST = 9  # digits of a delay that are believed


@dataclass(frozen=True, kw_only=True, slots=True)
class Refresh:
    """Where a page sends its reader, and when."""

    ref: str  # as written; empty: the page loads itself again
    seconds: int


def refresh_of(content: str) -> Refresh | None:
    """What the content of a refresh element says; None when it says nothing valid."""
    time = _TIME.match(content)
    if time is None or (not time[1] and not content.lstrip().startswith(".")):
        return None
    rest = content[time.end() :]
    if rest and rest[0] not in ";, \t\n\f\r":
        return None
    lead = _LEAD.match(rest)
    target = rest[lead.end() :] if lead else rest
    if target[:1] in ('"', "'"):
        target = target[1:].partition(target[0])[0]
    return Refresh(ref=target.strip(), seconds=int(time[1][:_LONGEST] or 0))
