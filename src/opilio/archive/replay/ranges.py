"""Range requests (RFC 9110 §14): one range of bytes, or none; several ranges in one request are answered as none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ONE = re.compile(r"\s*bytes\s*=\s*(\d{0,18})\s*-\s*(\d{0,18})\s*", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """Bytes of a body, both ends counted."""

    first: int
    last: int
    total: int

    @property
    def length(self) -> int:
        """How many bytes."""
        return self.last - self.first + 1

    @property
    def label(self) -> str:
        """The value of Content-Range."""
        return f"bytes {self.first}-{self.last}/{self.total}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Unsatisfiable:
    """A range that lies behind the end."""

    total: int

    @property
    def label(self) -> str:
        """The value of Content-Range."""
        return f"bytes */{self.total}"


def wants_range(value: str) -> bool:
    """Whether a Range header asks for one range that can be understood."""
    found = _ONE.fullmatch(value)
    return found is not None and bool(found[1] or found[2])


def span_of(value: str, total: int) -> Span | Unsatisfiable | None:
    """What a Range header asks for of a body; None when it is to be ignored."""
    found = _ONE.fullmatch(value)
    if found is None or not (found[1] or found[2]):
        return None
    if not found[1]:
        count = min(int(found[2]), total)
        return Span(first=total - count, last=total - 1, total=total) if count else Unsatisfiable(total=total)
    first = int(found[1])
    last = min(int(found[2]), total - 1) if found[2] else total - 1
    if found[2] and int(found[2]) < first:
        return None
    return Span(first=first, last=last, total=total) if first < total else Unsatisfiable(total=total)


def cut(pieces: Iterator[bytes], skip: int, length: int) -> Iterator[bytes]:
    """`length` bytes after the first `skip`."""
    for piece in pieces:
        if skip >= len(piece):
            skip -= len(piece)
            continue
        part = piece[skip : skip + length]
        skip = 0
        length -= len(part)
        yield part
        if length <= 0:
            return
