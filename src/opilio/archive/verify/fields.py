"""Which fields a record must have, and which it must not, by its type (WARC 1.1 §5, §6)."""

from collections.abc import Iterator, Mapping

from opilio.archive.verify.faults import Code
from opilio.archive.verify.header import Found, Header
from opilio.archive.verify.values import CHECKS

#: What records must say, by their type; all need the first line.
_ALWAYS = ("warc-record-id", "warc-date", "warc-type")
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "response": ("warc-target-uri",),
    "resource": ("warc-target-uri",),
    "request": ("warc-target-uri",),
    "revisit": ("warc-target-uri", "warc-profile"),
    "conversion": ("warc-target-uri",),
    "continuation": ("warc-target-uri", "warc-segment-number", "warc-segment-origin-id"),
}
_NOT_WANTED: Mapping[str, frozenset[str]] = {
    "warcinfo": frozenset({
        "warc-target-uri", "warc-warcinfo-id", "warc-concurrent-to", "warc-refers-to", "warc-ip-address",
        "warc-profile",
    }),
    "response": frozenset({"warc-refers-to", "warc-filename"}),
    "resource": frozenset({"warc-refers-to", "warc-filename"}),
    "request": frozenset({"warc-refers-to", "warc-filename"}),
    "metadata": frozenset({"warc-filename"}),
    "revisit": frozenset({"warc-filename"}),
    "conversion": frozenset({"warc-concurrent-to", "warc-ip-address", "warc-filename"}),
    "continuation": frozenset({"warc-concurrent-to", "warc-refers-to", "warc-ip-address", "warc-filename"}),
}  # fmt: skip
#: For each type what must be there, and what must not.
_RULES = {kind: (frozenset(_ALWAYS) | set(_NEEDED.get(kind, ())), unwanted) for kind, unwanted in _NOT_WANTED.items()}
#: Fields of the standard by their names in lower case.
_SPELT = {
    name.lower(): name
    for name in (
        "WARC-Type", "WARC-Record-ID", "WARC-Date", "Content-Length", "Content-Type", "WARC-Block-Digest",
        "WARC-Payload-Digest", "WARC-IP-Address", "WARC-Refers-To", "WARC-Refers-To-Target-URI",
        "WARC-Refers-To-Date", "WARC-Target-URI", "WARC-Truncated", "WARC-Warcinfo-ID", "WARC-Filename",
        "WARC-Profile", "WARC-Identified-Payload-Type", "WARC-Segment-Number", "WARC-Segment-Origin-ID",
        "WARC-Segment-Total-Length", "WARC-Concurrent-To",
    )
}  # fmt: skip
#: Those that may be there once; others are left alone.
_ONCE = frozenset(_SPELT) - {"warc-concurrent-to"}
#: Those whose value is good or bad in any record of a version.
_LASTING = frozenset({"warc-warcinfo-id", "warc-date", "warc-target-uri", "warc-ip-address"})
_LONGEST = 80  # characters of a value in a message


def check_fields(header: Header, known: dict[str, str]) -> list[Found]:
    """All that is wrong with the fields of a WARC record.

    `known` remembers good values for the next records of the file, which mostly have some of them too.
    """
    named, kind = header.named, header.kind
    found: list[Found] = []
    rule = _RULES.get(kind)
    if rule is None or not named.keys() >= rule[0] or not rule[1].isdisjoint(named) or header.given:
        found += _missing_and_misplaced(header)
    for name, value in named.items():
        check = CHECKS.get(name)
        if check is None or known.get(name) == value:
            continue
        if (fault := check(value, header)) is not None:
            found.append(fault)
        elif name in _LASTING:
            known[name] = value
    if "content-type" not in named and header.length and kind != "continuation":
        found.append((Code.CONTENT_TYPE_MISSING, f"a {kind[:_LONGEST] or 'record'} with content has no Content-Type"))
    return found


def _missing_and_misplaced(header: Header) -> Iterator[Found]:
    named, kind = header.named, header.kind
    for name in (*_ALWAYS, *_NEEDED.get(kind, ())):
        if name not in named:
            yield Code.FIELD_MISSING, f"{_SPELT[name]} is missing{f' in a {kind[:_LONGEST]}' if kind else ''}"
    if kind and kind not in _RULES:
        yield Code.TYPE_UNKNOWN, f"{kind[:_LONGEST]!r} is no type of the standard"
    for name in sorted(_NOT_WANTED.get(kind, frozenset()).intersection(named)):
        yield Code.FIELD_MISPLACED, f"a {kind} has {_SPELT[name]}"
    seen: set[str] = set()
    for name, _ in header.given:
        lower = name.lower()
        if lower in seen and lower in _ONCE:
            yield Code.FIELD_REPEATED, f"{_SPELT[lower]} is there more than once"
        seen.add(lower)
