"""Reads rows from an SQL dump as MySQL, Oracle and PostgreSQL write it: INSERT, COPY, CREATE TABLE for the order."""

import re
from collections.abc import Iterator
from typing import TextIO

from opilio.curation.wct.errors import BadDump
from opilio.curation.wct.rows import BadLine, RawRow
from opilio.curation.wct.sql_scanner import Mark, Scanner, Token
from opilio.curation.wct.sql_texts import copied, dated, hexadecimal, unquoted

_HEAD = 65_536  # characters that tell which program wrote the dump
_OTHER_PROGRAMS = re.compile(r"(?:\\|(?:REM|REMARK|PROMPT|SET\s+DEFINE|SPOOL)\b|/[ \t]*(?:\r?\n|\Z))", re.I)
_MYSQL = re.compile(r"(?:MySQL|MariaDB) dump|INSERT\s+INTO\s+`|CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?`")
_NO_COLUMN = {"PRIMARY", "UNIQUE", "KEY", "INDEX", "CONSTRAINT", "FOREIGN", "CHECK", "FULLTEXT", "SPATIAL", "LIKE"}
_DATES = {"TO_DATE", "TO_TIMESTAMP", "TO_TIMESTAMP_TZ", "STR_TO_DATE"}
_NOTHING = {"EMPTY_CLOB", "EMPTY_BLOB"}
_CHARACTERS = {"CHR", "CHAR", "NCHR"}
_BEFORE_TEXT = {"TIMESTAMP", "DATE", "DATETIME", "_BINARY", "_UTF8", "_UTF8MB4", "_LATIN1", "TIME"}

Found = RawRow | BadLine


def writes_backslashes(head: str) -> bool:
    """Whether the dump's strings have backslash escapes, as those of MySQL and MariaDB do."""
    return bool(_MYSQL.search(head))


def read(stream: TextIO, *, file: str) -> Iterator[Found]:
    """All rows of the dump, in its order; a row that cannot be read is told and left out."""
    head = stream.read(_HEAD)
    stream.seek(0)
    return _Reader(Scanner(stream, file=file, backslashes=writes_backslashes(head)), writes_backslashes(head)).rows()


class _Reader:
    def __init__(self, scanner: Scanner, backslashes: bool) -> None:
        self._scanner, self._backslashes = scanner, backslashes
        self._columns: dict[str, tuple[str, ...]] = {}  # of tables that the dump creates
        self._held: Token | None = None

    def rows(self) -> Iterator[Found]:
        while True:
            while self._held is None and self._scanner.line_at_start(_OTHER_PROGRAMS) is not None:
                pass
            token = self._next()
            if token.mark is Mark.END:
                return
            word = token.text.upper() if token.mark is Mark.WORD else ""
            if word == "INSERT":
                yield from self._insert()
            elif word == "COPY":
                yield from self._copy()
            elif word == "CREATE":
                self._create()
            elif token.text != ";":
                self._skip()

    # Tokens

    def _next(self) -> Token:
        token, self._held = self._held or self._scanner.token(), None
        return token

    def _back(self, token: Token) -> None:
        self._held = token

    def _taken(self, text: str) -> bool:
        token = self._next()
        if token.text.upper() == text and token.mark is not Mark.TEXT:
            return True
        self._back(token)
        return False

    def _skip(self) -> None:
        while (token := self._next()).text != ";" or token.mark is not Mark.SIGN:
            if token.mark is Mark.END:
                return

    def _name(self) -> str:
        """A name, of which only the last part counts: `db`.`TARGET`, public.target, DB_WCT."TARGET"."""
        name = self._bare(self._next())
        while self._taken("."):
            name = self._bare(self._next())
        return name.upper()

    @staticmethod
    def _bare(token: Token) -> str:
        return token.text[1:-1] if token.mark is Mark.NAME else token.text

    def _names(self) -> tuple[str, ...]:
        names = []
        while not self._taken(")"):
            token = self._next()
            if token.mark is Mark.END:
                break
            if token.mark in (Mark.NAME, Mark.WORD):
                names.append(self._bare(token).upper())
        return tuple(names)

    # Statements

    def _create(self) -> None:
        token = self._next()
        while token.mark is Mark.WORD and token.text.upper() in ("GLOBAL", "TEMPORARY", "UNLOGGED", "CACHED", "MEMORY"):
            token = self._next()
        if token.text.upper() != "TABLE":
            self._back(token)
            return self._skip()
        while (token := self._next()).text.upper() in ("IF", "NOT", "EXISTS"):
            pass
        self._back(token)
        table = self._name()
        if self._taken("("):
            self._columns[table] = tuple(self._definitions())
        return self._skip()

    def _definitions(self) -> Iterator[str]:
        depth, fresh = 0, True
        while (token := self._next()).mark is not Mark.END:
            if token.mark is Mark.SIGN and token.text == ")" and depth == 0:
                return
            named = token.mark is Mark.NAME or (token.mark is Mark.WORD and token.text.upper() not in _NO_COLUMN)
            if fresh and named:
                yield self._bare(token).upper()
            fresh = depth == 0 and token.text == "," and token.mark is Mark.SIGN
            depth += {"(": 1, ")": -1}.get(token.text, 0) if token.mark is Mark.SIGN else 0

    def _insert(self) -> Iterator[Found]:
        while not self._taken("INTO"):
            if self._next().text in (";", ""):
                return
        table = self._name()
        columns = self._names() if self._taken("(") else self._columns.get(table, ())
        if not self._taken("VALUES") and not self._taken("VALUE"):
            yield self._bad(table, self._scanner.lines, "it is no INSERT … VALUES")
            return self._skip()
        while self._taken("("):
            line = self._scanner.lines
            yield self._row(table, columns, self._tuple(), line)
            if not self._taken(","):
                break
        return self._skip()

    def _tuple(self) -> list[str | None]:
        values = [self._value()]
        while self._taken(","):
            values.append(self._value())
        if not self._taken(")"):
            self._to_close()
        return values

    def _to_close(self) -> None:
        """Past whatever stands before the bracket that closes this row."""
        depth = 1
        while depth and (token := self._next()).mark is not Mark.END:
            if token.mark is Mark.SIGN:
                depth += {"(": 1, ")": -1}.get(token.text, 0)

    def _value(self) -> str | None:
        """One value: literals joined by `||`, with casts dropped."""
        parts = [self._single()]
        while self._taken("||"):
            parts.append(self._single())
        while self._taken("::"):
            self._cast()
        return parts[0] if len(parts) == 1 else "".join(part or "" for part in parts)

    def _cast(self) -> None:
        self._name()
        while self._taken("WITHOUT") or self._taken("WITH") or self._taken("TIME") or self._taken("ZONE"):
            pass
        if self._taken("("):
            self._to_close()

    def _single(self) -> str | None:
        token = self._next()
        if token.mark is Mark.TEXT:
            text = unquoted(token.text, backslashes=self._backslashes)
            while (again := self._next()).mark is Mark.TEXT and self._backslashes:
                text += unquoted(again.text, backslashes=True)
            self._back(again)
            return text
        if token.mark is Mark.NUMBER:
            return hexadecimal(token.text) if token.text[:2] == "0x" else token.text
        if token.mark is Mark.WORD:
            return self._worded(token.text.upper())
        if token.text == "(":
            value = self._value()
            self._taken(")")
            return value
        self._back(token)
        return None

    def _worded(self, word: str) -> str | None:
        if word == "NULL":
            return None
        if word in _BEFORE_TEXT:
            return self._single()
        if self._taken("("):
            return self._called(word, [] if self._taken(")") else self._tuple())
        return word

    @staticmethod
    def _called(word: str, values: list[str | None]) -> str | None:
        first = values[0] if values else None
        if word in _DATES and first is not None:
            return dated(first, values[1] or "") if len(values) > 1 else first
        if word in _CHARACTERS and first is not None and first.isdigit() and int(first) < 0x110000:
            return chr(int(first))
        return "" if word in _NOTHING else first

    def _copy(self) -> Iterator[Found]:
        table = self._name()
        columns = self._names() if self._taken("(") else self._columns.get(table, ())
        reads = False
        while (token := self._next()).text != ";" and token.mark is not Mark.END:
            reads = reads or token.text.upper() == "STDIN"
        if not reads:
            return
        self._scanner.line()  # the rest of the line of the COPY itself
        while (text := self._scanner.line()) != r"\.":
            line = self._scanner.lines - 1
            if text is None:
                raise BadDump(
                    f"the block of {table} is never closed", where=f"{self._scanner.file}, line {line}",
                    remedy="The dump broke off; export it anew.",
                )  # fmt: skip
            yield self._row(table, columns, [copied(field) for field in text.split("\t")], line)

    def _row(self, table: str, columns: tuple[str, ...], values: list[str | None], line: int) -> Found:
        if not columns:
            return self._bad(table, line, "the dump does not say which columns the table has")
        if len(columns) != len(values):
            return self._bad(table, line, f"it has {len(values)} values for {len(columns)} columns")
        cells = dict(zip(columns, values, strict=True))
        return RawRow(table=table, file=self._scanner.file, line=line, cells=cells)

    def _bad(self, table: str, line: int, reason: str) -> BadLine:
        return BadLine(table=table, file=self._scanner.file, line=line, reason=reason)
