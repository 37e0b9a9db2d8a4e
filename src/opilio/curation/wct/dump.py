"""Opens a dump: a folder or zip archive of CSV and SQL files, or one such file; sorts its rows by table onto disk.

Rows lie in a dump in any order, but a target needs its owner first: each table gets a file of its own, read later.
"""

import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TextIO

from opilio.curation.wct import csv_reader, sql_reader
from opilio.curation.wct.errors import BadDump
from opilio.curation.wct.rows import BadLine, RawRow
from opilio.kernel.files import mapped

ENCODINGS = ("utf-8", "latin-1", "cp1252", "utf-16")
MOST_BYTES = 64 << 30  # of a dump, unpacked
_MOST_FILES = 10_000
_OPEN_AT_ONCE = 100  # spool files: a dump may name more tables than the seed has
_READERS = {".csv": csv_reader.read, ".sql": sql_reader.read, ".dmp": sql_reader.read, ".dump": sql_reader.read}


class Spool:
    """The rows of a dump, sorted by table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.bad: list[BadLine] = []
        self.counts: dict[str, int] = {}

    def rows(self, table: str) -> Iterator[RawRow]:
        """The rows of one table in the order of the dump; may be asked for again."""
        path = self._path(table)
        if table not in self.counts or not path.exists():
            return
        with path.open(encoding="ascii") as stream:
            for text in stream:
                file, line, cells = json.loads(text)
                yield RawRow(table=table, file=file, line=line, cells=cells)

    def fill(self, found: Iterator[RawRow | BadLine]) -> None:
        """Take rows in."""
        files: dict[str, TextIO] = {}
        try:
            for row in found:
                if isinstance(row, BadLine):
                    self.bad.append(row)
                    continue
                self.counts[row.table] = self.counts.get(row.table, 0) + 1
                self._file(files, row.table).write(json.dumps([row.file, row.line, dict(row.cells)]) + "\n")
        finally:
            for stream in files.values():
                stream.close()

    def _file(self, files: dict[str, TextIO], table: str) -> TextIO:
        """The open file of a table; of too many, the one that was opened first is closed."""
        if table not in files:
            if len(files) >= _OPEN_AT_ONCE:
                files.pop(next(iter(files))).close()
            files[table] = self._path(table).open("a", encoding="ascii")
        return files[table]

    def _path(self, table: str) -> Path:
        return self._folder / (table.encode("ascii", "xmlcharrefreplace").hex() + ".jsonl")[-200:]


@contextmanager
def opened(path: Path, *, encoding: str = "utf-8") -> Iterator[Spool]:
    """The rows of the dump; the spooled files are removed afterwards."""
    if encoding not in ENCODINGS:
        remedy = f"Choose one of {', '.join(ENCODINGS)}."
        raise BadDump(f"the encoding {encoding!r} is not read", where="encoding", remedy=remedy)
    with tempfile.TemporaryDirectory(prefix="opilio-wct-") as folder, mapped(path):
        spool = Spool(Path(folder))
        _fill(spool, path, "utf-8-sig" if encoding == "utf-8" else encoding)
        yield spool


def _fill(spool: Spool, path: Path, encoding: str) -> None:
    if path.is_dir():
        names = sorted(one for one in path.rglob("*") if one.is_file() and one.suffix.lower() in _READERS)
        _read(spool, [(str(one.relative_to(path)), _opener(one)) for one in names], path, encoding)
    elif not path.exists():
        raise BadDump("there is no such file or folder", where=str(path), remedy="Name the folder, zip or SQL file.")
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            _read(spool, _members(archive, path), path, encoding)
    elif path.suffix.lower() in _READERS:
        _read(spool, [(path.name, _opener(path))], path, encoding)
    else:
        raise _nothing(path)


def _members(archive: zipfile.ZipFile, path: Path) -> list[tuple[str, Callable[[], IO[bytes]]]]:
    found = [one for one in archive.infolist() if Path(one.filename).suffix.lower() in _READERS]
    if len(found) > _MOST_FILES or sum(one.file_size for one in found) > MOST_BYTES:
        raise BadDump("the archive is larger than any dump", where=str(path), remedy="Unpack it and name the folder.")
    if any(one.flag_bits & 1 for one in found):
        raise BadDump("the archive is locked with a password", where=str(path), remedy="Unpack it, name the folder.")
    return [(one.filename, partial(archive.open, one)) for one in found]


def _read(spool: Spool, files: list[tuple[str, Callable[[], IO[bytes]]]], path: Path, encoding: str) -> None:
    if not files:
        raise _nothing(path)
    for name, begin in files:
        with begin() as raw, io.TextIOWrapper(raw, encoding=encoding, errors="surrogateescape", newline="") as stream:
            try:
                spool.fill(_READERS[Path(name).suffix.lower()](stream, file=name))
            except (UnicodeError, zipfile.BadZipFile, EOFError) as error:
                remedy = f"Is it written in {encoding}? Name its encoding, or export it anew."
                raise BadDump(f"the file cannot be read: {error}", where=f"{path}: {name}", remedy=remedy) from error


def _opener(path: Path) -> Callable[[], IO[bytes]]:
    return lambda: path.open("rb")


def _nothing(path: Path) -> BadDump:
    remedy = "Give one file TABLE.csv for each table, or an SQL dump with the ending .sql."
    return BadDump("there is no table of the Web Curator Tool in it", where=str(path), remedy=remedy)
