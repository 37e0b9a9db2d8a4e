"""Reads logs and reports of a harvest: their beginning or end, from a line or a time, what an expression finds.

Only files that the folder is known to have can be named. Memory is bounded, however long a log or a line of it is.
"""

import os
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from pathlib import Path

import re2

from opilio.crawl.expressions import quiet
from opilio.kernel.errors import Missing
from opilio.kernel.files import mapped
from opilio.works.record_filters import LONGEST, BadFilter

MOST_LINES = 2_000  # in one answer
_LONGEST_LINE = 4_000  # characters that are shown
_READ = 64 * 1024  # bytes of a line that are looked at
_PIECE = 1 << 20
_MOST_FILES = 1_000
_PLACES = (
    "logs/*", "report.json", "report.html", "plan.json", "import.json", "index.cdxj", "results/*.cdxj",
    "results/*.jsonl", "results/*.sha256", "patches/*/logs/*", "patches/*/report.json", "patches/*/plan.json",
)  # fmt: skip
_TIME = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d(:\d\d(:\d\d(\.\d{1,6})?)?)?Z?)?", re.ASCII)


class NoSuchLog(Missing):
    """The harvest has no log or report of that name on this machine."""


class Mode(StrEnum):
    """Which lines are wanted."""

    HEAD = "head"  # the first
    TAIL = "tail"  # the last
    LINE = "line"  # from a number on
    TIME = "time"  # from the first line on that was written at a time or later
    CONTAINING = "containing"  # from the first line on that holds a text
    BEGINNING = "beginning"  # from the first line on that begins so
    REGEX = "regex"  # only those that an RE2 expression finds


@dataclass(frozen=True, kw_only=True, slots=True)
class LogFile:
    """A log or report."""

    name: str  # below the folder of the harvest
    size: int
    changed: float  # seconds since 1970


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What somebody wants to read."""

    mode: Mode = Mode.HEAD
    text: str = ""  # line number, time, text or expression, as the mode says
    lines: int = 200
    after: int = 0  # of an expression: behind this line

    def __post_init__(self) -> None:
        if len(self.text) > LONGEST:
            raise BadFilter(f"the text is longer than {LONGEST:,} characters", where="text", remedy="Give less of it.")
        if not 1 <= self.lines <= MOST_LINES:
            raise BadFilter("so many lines cannot be shown", where="lines", remedy=f"Give 1 to {MOST_LINES:,}.")
        if self.mode not in (Mode.HEAD, Mode.TAIL) and not self.text.strip():
            raise BadFilter("there is nothing to look for", where="text", remedy="Give a line, a time or a text.")


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A line with its number, from 1."""

    number: int
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class LogPart:
    """Lines of a log."""

    lines: tuple[Line, ...]
    more: bool  # whether there are further ones behind


def log_files(folder: Path) -> list[LogFile]:
    """The logs and reports of a harvest, by name; links and what lies elsewhere are left out."""
    found = {}
    for place in _PLACES:
        for path in islice(sorted(folder.glob(place)), _MOST_FILES):
            if path.is_file() and not path.is_symlink() and path.resolve().is_relative_to(folder.resolve()):
                told = path.stat()
                name = path.relative_to(folder).as_posix()
                found[name] = LogFile(name=name, size=told.st_size, changed=told.st_mtime)
    return list(found.values())[:_MOST_FILES]


def log_path(folder: Path, name: str) -> Path:
    """Where a log lies; `NoSuchLog` for every name that is not of the list."""
    known = {file.name for file in log_files(folder)}
    if name not in known:
        shown = "".join(sign if sign.isprintable() else "�" for sign in name[:120])
        remedy = f"Choose from: {', '.join(sorted(known)[:20])}." if known else "Look where its agent runs."
        raise NoSuchLog(f"There is no log {shown!r}", where=str(folder), remedy=remedy)
    return folder / name


def read_log(path: Path, question: Question) -> LogPart:
    """The lines that are wanted."""
    with mapped(path), path.open("rb") as stream:
        lines = _numbered(iter(lambda: stream.readline(_READ), b""))
        if question.mode is Mode.TAIL:
            return _tail(path, lines, question.lines)
        found = _found(lines, question)
        kept = tuple(islice(found, question.lines))
        return LogPart(lines=kept, more=next(found, None) is not None)


def _found(lines: Iterator[Line], question: Question) -> Iterator[Line]:
    if question.mode is Mode.HEAD:
        return lines
    if question.mode is Mode.REGEX:
        matches = _expression(question.text)
        return (line for line in lines if line.number > question.after and matches(line.text))
    return _from(lines, _start(question))


def _start(question: Question) -> Callable[[Line], bool]:
    text = question.text
    if question.mode is Mode.LINE:
        first = _number(text)
        return lambda line: line.number >= first
    if question.mode is Mode.TIME:
        moment = _moment(text)
        return lambda line: _TIME.match(line.text) is not None and line.text.replace(" ", "T", 1) >= moment
    if question.mode is Mode.BEGINNING:
        return lambda line: line.text.startswith(text)
    return lambda line: text in line.text


def _from(lines: Iterator[Line], begins: Callable[[Line], bool]) -> Iterator[Line]:
    for line in lines:
        if begins(line):
            yield line
            break
    yield from lines


def _tail(path: Path, lines: Iterator[Line], most: int) -> LogPart:
    """The last lines; of a long log only its end is taken apart, and the rest only counted."""
    size = path.stat().st_size
    end = _PIECE * 8
    if size <= end:
        return LogPart(lines=tuple(deque(lines, maxlen=most)), more=False)
    with path.open("rb") as stream:
        before = _newlines(stream.read, size - end)
        kept = deque(_numbered(iter(lambda: stream.readline(_READ), b""), before), maxlen=most)
    return LogPart(lines=tuple(kept), more=False)


def _newlines(read: Callable[[int], bytes], size: int) -> int:
    count = 0
    while size > 0 and (piece := read(min(_PIECE, size))):
        count += piece.count(b"\n")
        size -= len(piece)
    return count


def _numbered(pieces: Iterator[bytes], before: int = 0) -> Iterator[Line]:
    """Lines with numbers; of one that is too long, its beginning."""
    number, going_on = before, False
    for piece in pieces:
        if not going_on:
            number += 1
            yield Line(number=number, text=piece.rstrip(b"\r\n").decode("utf-8", "replace")[:_LONGEST_LINE])
        going_on = not piece.endswith(b"\n")


def _expression(text: str) -> Callable[[str], bool]:
    try:
        found = re2.compile(text, quiet())
    except (re2.error, UnicodeEncodeError):
        remedy = "Write it as RE2 reads it: no look-ahead, no back-references."
        raise BadFilter("the expression cannot be used", where="text", remedy=remedy) from None
    return lambda line: found.search(line) is not None


def _number(text: str) -> int:
    plain = text.strip()
    if not (plain.isascii() and plain.isdigit() and len(plain) < 16):
        raise BadFilter(f"{text[:40]!r} is no number of a line", where="text", remedy="Give a number from 1.")
    return int(plain)


def _moment(text: str) -> str:
    plain = text.strip()
    if not _TIME.fullmatch(plain):
        remedy = "Give it in UTC, such as 2026-05-01 or 2026-05-01T08:30."
        raise BadFilter(f"{text[:40]!r} is no time", where="text", remedy=remedy)
    return plain.replace(" ", "T", 1).rstrip("Z")


def pieces(path: Path) -> Iterator[bytes]:
    """The whole file, for keeping."""
    with mapped(path), path.open("rb") as stream:
        os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_SEQUENTIAL)
        yield from iter(lambda: stream.read(_PIECE), b"")
