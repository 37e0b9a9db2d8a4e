"""Lines of FTP lists: the machine-readable one (RFC 3659), and those that servers without it write. Pure.

Times of the older lists have no zone and no seconds, and no year when they are recent: good enough to see a change,
not to tell an age; so an entry from them has no time.
"""

import re
from datetime import UTC, datetime

from opilio.deliveries.source import Entry

_UNIX = re.compile(
    r"(?P<kind>[-dlbcpsD])[-rwxsStTlL]{9}[.+@]?\s+\d+\s+\S+\s+(?:\S+\s+)?(?P<size>\d+)\s+"
    r"(?P<when>[A-Z][a-z]{2}\s+\d{1,2}\s+(?:\d{1,2}:\d{2}|\d{4})|\d{4}-\d{2}-\d{2}\s+\d{2}:\d{2}) (?P<name>.+)"
)
_DOS = re.compile(
    r"(?P<when>\d{2}-\d{2}-\d{2,4}\s+\d{2}:\d{2}(?:[AP]M)?)\s+(?:(?P<dir><DIR>)|(?P<size>\d+)) +(?P<name>.+)"
)
_STAMP = re.compile(r"(\d{14})(?:\.\d+)?")


def listed(line: str, *, machine: bool) -> Entry | None:
    """The entry of a line; None for lines that name nothing."""
    return _machine(line) if machine else _unix(line) or _dos(line)


def moment(stamp: str) -> datetime | None:
    """The time that MDTM and `modify` give: UTC, by RFC 3659."""
    found = _STAMP.fullmatch(stamp)
    try:
        return datetime.strptime(found[1], "%Y%m%d%H%M%S").replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


def _machine(line: str) -> Entry | None:
    facts_text, _, name = line.partition(" ")
    facts = {key.lower(): value for key, _, value in (one.partition("=") for one in facts_text.split(";") if one)}
    kind = facts.get("type", "").lower()
    if not name or kind in ("cdir", "pdir"):
        return None
    size = facts.get("size", "")
    return Entry(
        name=name, file=kind == "file", size=int(size) if size.isascii() and size.isdigit() else None,
        modified=moment(facts.get("modify", "")), tag=facts.get("unique", ""),
    )  # fmt: skip


def _unix(line: str) -> Entry | None:
    found = _UNIX.fullmatch(line)
    if found is None:
        return None
    name = found["name"].partition(" -> ")[0] if found["kind"] == "l" else found["name"]
    return Entry(name=name, file=found["kind"] == "-", size=int(found["size"]), tag=found["when"])


def _dos(line: str) -> Entry | None:
    found = _DOS.fullmatch(line)
    if found is None:
        return None
    size = int(found["size"]) if found["size"] else None
    return Entry(name=found["name"], file=not found["dir"], size=size, tag=found["when"])
