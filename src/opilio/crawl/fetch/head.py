"""Reads a response head from its exact bytes, as tolerantly as archives must."""

import functools
import re
from dataclasses import dataclass, field

_STATUS = re.compile(rb"\s*HTTP/(\d(?:\.\d)?)[ \t]+(\d{3})(?:[ \t]+([^\r\n]*))?", re.IGNORECASE)
_BLOCKS = re.compile(rb"\r?\n\r?\n")
_LINES = re.compile(rb"\r?\n")
_FOLD = re.compile(rb"\r?\n[ \t]+")
_USUAL_STATUS = re.compile(_STATUS.pattern.decode(), re.IGNORECASE | re.ASCII)
_BLANK = " \t\n\r\x0b\x0c"  # what `bytes.strip` takes off


@dataclass(frozen=True, kw_only=True, slots=True)
class Head:
    """Status and headers. Names are lower-case; values are Latin-1, so that no byte is lost."""

    status: int
    version: str
    reason: str
    headers: tuple[tuple[str, str], ...]
    _named: dict[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)  # asked a dozen times per page

    def __post_init__(self) -> None:
        named: dict[str, tuple[str, ...]] = {name: (value,) for name, value in self.headers}
        if len(named) != len(self.headers):
            named = {}
            for name, value in self.headers:
                named[name] = (*named.get(name, ()), value)
        object.__setattr__(self, "_named", named)

    def get(self, name: str) -> str | None:
        """The first header of this (lower-case) name."""
        found = self._named.get(name)
        return None if found is None else found[0]

    def all(self, name: str) -> tuple[str, ...]:
        """All headers of this (lower-case) name."""
        return self._named.get(name, ())


@functools.lru_cache(maxsize=16)
def parse(raw: bytes) -> Head | None:
    """The last response head in `raw`: interim responses may stand before it. None when there is no status line."""
    if _usual(raw):
        return _usually_parsed(raw)
    blocks = [raw[:-4]] if _ordinary(raw) else [block for block in _BLOCKS.split(raw) if block.strip()]
    for block in reversed(blocks):
        lines = _LINES.split(_FOLD.sub(b" ", block.lstrip(b"\r\n")))
        match = _STATUS.match(lines[0])
        if match:
            reason = (match[3] or b"").decode("latin-1").strip()
            return Head(
                status=int(match[2]), version=match[1].decode(), reason=reason, headers=tuple(_headers(lines[1:]))
            )
    return None


def _ordinary(raw: bytes) -> bool:
    """Whether there is one block, with its end where it belongs."""
    return raw.endswith(b"\r\n\r\n") and raw.count(b"\n\r\n") == 1 and b"\n\n" not in raw


def _usual(raw: bytes) -> bool:
    """Whether there is one block, with its end where it belongs, whose lines all end alike and are not folded."""
    return (
        raw[:5] == b"HTTP/"
        and raw.endswith(b"\r\n\r\n")
        and raw.count(b"\n\r\n") == 1
        and raw.count(b"\n") == raw.count(b"\r\n")
        and b"\n " not in raw
        and b"\n\t" not in raw
    )


def _usually_parsed(raw: bytes) -> Head | None:
    """The same as for any head, in half the time: what nearly all servers send."""
    first, *lines = raw[:-4].decode("latin-1").split("\r\n")
    status = _status(first)
    if status is None:
        return None
    headers = []
    for line in lines:
        name, colon, value = line.partition(":")
        name = name.strip(_BLANK)
        if colon and name:
            headers.append((name.lower(), value.strip(" \t\r")))
    return Head(status=status[0], version=status[1], reason=status[2], headers=tuple(headers))


@functools.lru_cache(maxsize=256)
def _status(line: str) -> tuple[int, str, str] | None:
    """Status, version and reason of a status line."""
    match = _USUAL_STATUS.match(line)
    return None if match is None else (int(match[2]), match[1], (match[3] or "").strip())


def _headers(lines: list[bytes]) -> list[tuple[str, str]]:
    found = []
    for line in lines:
        name, colon, value = line.partition(b":")
        name = name.strip()
        if colon and name:
            found.append((name.decode("latin-1").lower(), value.strip(b" \t\r").decode("latin-1")))
    return found


def interim_count(raw: bytes) -> int:
    """How many status lines the block holds beyond the last: 1xx answers that came merged."""
    if raw.lower().find(b"http/", 5) < 0:
        return 0
    return max(0, len(re.findall(rb"(?mi)^HTTP/\d(?:\.\d)?[ \t]+\d{3}", raw)) - 1)


def is_torn(raw: bytes) -> bool:
    """Whether a head stops before the empty line at its end."""
    return bool(raw) and not raw.endswith((b"\n\r\n", b"\n\n"))
