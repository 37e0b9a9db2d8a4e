"""Cuts an SQL dump into tokens while reading it piece by piece; a token never needs more memory than it is long."""

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TextIO

from opilio.curation.wct.errors import BadDump

PIECE = 1 << 18  # characters read at once
_WORDS = 256  # characters that tell whether a line is meant for another program
LONGEST_TOKEN = 1 << 26  # characters; a text longer than that is no text of a curator


class Mark(Enum):
    """What a token is."""

    WORD = auto()
    NAME = auto()  # a quoted identifier
    TEXT = auto()  # a string literal, still with its quotes
    NUMBER = auto()
    SIGN = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """One token, and the line on which it begins."""

    mark: Mark
    text: str
    line: int


_SPACE = r"(?P<SPACE>\s+|--[^\n]*(?:\n|\Z)|\#[^\n]*(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*+\*/)"
_BLANK = re.compile(_SPACE, re.DOTALL)
_PLAIN = r"'(?:[^']|'')*+'"
_ESCAPED = r"'(?:[^'\\]|''|\\.)*+'"
_QUOTED = r"[qQ]'(?:\[.*?\]|\(.*?\)|\{.*?\}|<.*?>|(?P<Q>[^\s\w]).*?(?P=Q))'"
_REST = (
    r"(?P<NAME>`(?:[^`]|``)*+`|\"(?:[^\"]|\"\")*+\"|\[\w+\])"
    r"|(?P<NUMBER>0x[0-9A-Fa-f]+|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<WORD>[^\W\d][\w$#]*)"
    r"|(?P<SIGN>\|\||::|.)"
)
_PREFIXES = frozenset("eEnNxXbBqQ")  # of string literals
_OPENS = {"'", "`", '"', "/"}  # a sign alone: the token that it opens goes on beyond what was read


def _grammar(text: str) -> re.Pattern[str]:
    return re.compile(f"{_SPACE}|(?P<TEXT>[eE]{_ESCAPED}|[nNxXbB]?{text}|{_QUOTED})|{_REST}", re.DOTALL)


class Scanner:
    """Gives the tokens of a stream one after the other."""

    def __init__(self, stream: TextIO, *, file: str, backslashes: bool) -> None:
        self.file = file
        self._stream = stream
        self._grammar = _grammar(_ESCAPED if backslashes else _PLAIN)
        self._text, self._at, self._line, self._over = "", 0, 1, False

    def token(self) -> Token:
        """The next token; `END` for ever once the stream is over."""
        while True:
            found = self._match()
            if found is None:
                return Token(Mark.END, "", self._line)
            kind, text, line = found.lastgroup or "SIGN", found.group(), self._line
            self._at = found.end()
            self._line += text.count("\n")
            if kind == "SPACE":
                continue
            return Token(Mark[kind], text, line)

    def line_at_start(self, pattern: re.Pattern[str]) -> str | None:
        """The whole line, skipped, if what comes next (after white space) matches; for words to other programs."""
        self._fill(_WORDS)
        start = self._at
        while (blank := _BLANK.match(self._text, start)) is not None:
            start = blank.end()
            if start >= len(self._text) - 1 and not self._over:
                return None  # the rest comes with the next piece
        if not pattern.match(self._text, start):
            return None
        self._line += self._text.count("\n", self._at, start)
        self._at = start
        return self.line()

    def line(self) -> str | None:
        """The rest of the line, without its end; None once the stream is over."""
        end = self._text.find("\n", self._at)
        while end < 0 and self._more():
            end = self._text.find("\n", self._at)
        if end < 0 and self._at >= len(self._text):
            return None
        end = len(self._text) if end < 0 else end
        text = self._text[self._at : end]
        self._at, self._line = min(end + 1, len(self._text)), self._line + 1
        return text.removesuffix("\r")

    @property
    def lines(self) -> int:
        """The number of the line where the scanner stands."""
        return self._line

    def _match(self) -> re.Match[str] | None:
        self._fill(1)
        while True:
            if self._at >= len(self._text):
                return None
            found = self._grammar.match(self._text, self._at)
            if found is not None and (found.end() < len(self._text) or self._over) and not self._unclosed(found):
                return found
            if not self._more():
                return self._last(found)

    def _unclosed(self, found: re.Match[str]) -> bool:
        """Whether a quote or comment that opens here is not closed in what was read."""
        if found.lastgroup == "WORD":
            return found.group() in _PREFIXES and self._text.startswith("'", found.end())
        opens = found.lastgroup == "SIGN" and found.group() in _OPENS
        return opens and (found.group() != "/" or self._text.startswith("/*", self._at))

    def _last(self, found: re.Match[str] | None) -> re.Match[str]:
        if found is None or self._unclosed(found):
            raise BadDump(
                "a text or name that begins here is never closed", where=f"{self.file}, line {self._line}",
                remedy="The dump broke off, or was written for another program; export it anew.",
            )  # fmt: skip
        return found

    def _fill(self, least: int) -> None:
        while len(self._text) - self._at < least and self._more():
            pass

    def _more(self) -> bool:
        if self._over:
            return False
        rest = self._text[self._at :]
        if len(rest) > LONGEST_TOKEN:
            raise BadDump(
                "a text is longer than any text of a curator", where=f"{self.file}, line {self._line}",
                remedy="Is a quote missing before it?",
            )  # fmt: skip
        piece = self._stream.read(max(PIECE, len(rest)))
        self._text, self._at, self._over = rest + piece, 0, not piece
        return bool(piece)
