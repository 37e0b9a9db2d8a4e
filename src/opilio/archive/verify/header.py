"""The header of a record, taken apart once: what it says, and where it breaks the grammar (WARC 1.1 §4)."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from opilio.archive.verify.faults import Code
from opilio.archive.warc.arc import ArcLine

_VERSION = re.compile(r"WARC/(\d{1,3}\.\d{1,4})\s*")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_MOST_DIGITS = 18
_CONTROLS = bytes(byte for byte in range(32) if byte != ord("\t")) + b"\x7f"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_USUAL = frozenset({"WARC/1.0", "WARC/1.1"})
_CURRENT = frozenset({"1.0", "1.1"})
_OLD = frozenset({"0.16", "0.17", "0.18", "0.9"})

Found = tuple[Code, str]  # a kind of fault, and the sentence


class Header(NamedTuple):
    """What a record says about itself."""

    version: str  # 1.0, 1.1 …; empty for ARC
    kind: str  # the type of the record
    named: Mapping[str, str]  # the first value of each field, by its name in lower case
    length: int | None  # of the block; None when it does not say
    faults: Sequence[Found] = ()
    given: tuple[tuple[str, str], ...] = ()  # all fields, where some are there twice or break the grammar
    arc: ArcLine | None = None

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """All fields; names may be in lower case."""
        return self.given or tuple(self.named.items())

    @property
    def id(self) -> str:
        """The id without its brackets."""
        return self.named.get("warc-record-id", "").strip("<>")

    @property
    def url(self) -> str:
        """What the record is about."""
        return self.named.get("warc-target-uri", "").strip("<>")


#: Names of fields in lower case, by each spelling that was met; all that are here are tokens.
_LOWER: dict[str, str] = {}
_MOST_NAMES = 1000


def parse_header(data: bytes) -> Header:
    """The header without the empty line at its end."""
    faults: list[Found] = []
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        faults.append((Code.HEADER_ENCODING, f"byte {error.start:,} of the header is not UTF-8"))
        text = data.decode("latin-1")
    lines = text.split("\r\n")
    first = lines.pop(0)
    named: dict[str, str] = {}
    known = 0
    for line in lines:
        name, colon, value = line.partition(": ")
        if not colon or name not in _LOWER:
            break
        named.setdefault(_LOWER[name], value)
        known += 1
    given: tuple[tuple[str, str], ...] = ()
    if known != len(lines) or _unusual(data, text, known):
        first, given = _slowly(text, faults)
        named = {name.lower(): value for name, value in reversed(given)}
    elif len(named) != known:
        given = _pairs(lines)
    version = first[5:] if first in _USUAL else _version(first, faults)
    return Header(version, named.get("warc-type", ""), named, _length(named, faults), faults, given)


def _pairs(lines: list[str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, _, value in [line.partition(": ") for line in lines])


def _unusual(data: bytes, text: str, ends: int) -> bool:
    """Whether there is a control character, or a value that must be stripped."""
    if len(data) - len(data.translate(None, _CONTROLS)) != 2 * ends:
        return True
    return " \r" in text or ":  " in text or "\t" in text or text[-1:] == " "


def _slowly(text: str, faults: list[Found]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The first line and the fields of a header that is unusual, or breaks the grammar."""
    first, *lines = text.replace("\r\n", "\n").split("\n")
    if text.count("\n") != text.count("\r\n"):
        faults.append((Code.HEADER_LINE_END, "a line of the header ends with LF only"))
    if any(_CONTROL.search(line) for line in lines):
        faults.append((Code.HEADER_SYNTAX, "a control character stands in the header"))
    fields: list[tuple[str, str]] = []
    for line in lines:
        name, colon, value = line.partition(":")
        if line[:1] in (" ", "\t") and fields:
            last, begun = fields[-1]
            fields[-1] = (last, f"{begun} {line.strip()}")
        elif colon and _TOKEN.fullmatch(name):
            fields.append((name, value.strip()))
            if len(_LOWER) < _MOST_NAMES:
                _LOWER[name] = name.lower()
        else:
            faults.append((Code.HEADER_SYNTAX, f"{line[:60]!r} is no field"))
    return first, tuple(fields)


def arc_header(line: ArcLine) -> Header:
    """An ARC record in the words of WARC."""
    moment = line.at
    named = {
        "warc-type": "warcinfo" if line.is_description else "response",
        "warc-target-uri": line.url,
        "content-type": line.mime,
    }
    if moment is not None:
        named["warc-date"] = f"{moment:%Y-%m-%dT%H:%M:%SZ}"
    return Header("", named["warc-type"], named, line.length, (), tuple(line.fields), line)


def _version(line: str, faults: list[Found]) -> str:
    found = _VERSION.fullmatch(line)
    version = found[1] if found else ""
    if version in _OLD:
        faults.append((Code.VERSION_OLD, f"the record is of version {version}"))
    elif version not in _CURRENT:
        faults.append((Code.VERSION_UNKNOWN, f"{line[:40]!r} is no version of WARC that is known"))
    return version


def _length(named: Mapping[str, str], faults: list[Found]) -> int | None:
    text = named.get("content-length")
    if text is not None and text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
        return int(text)
    if text is None:
        faults.append((Code.LENGTH_INVALID, "the record does not say its Content-Length"))
    else:
        faults.append((Code.LENGTH_INVALID, f"Content-Length is {text[:40]!r}"))
    return None
