"""What was seen in all files, kept in a temporary database: who refers to whom, which ids are there twice.

Memory does not grow with the number of records; ids are kept as hashes of 64 bits.
"""

import sqlite3
from collections.abc import Sequence

from opilio.archive.verify.faults import Code, Fault, Report
from opilio.archive.verify.noting import Reference, Rows

_SCHEMA = """
CREATE TABLE record(id, file, start, within, revisit, place, digest, algorithm, ours);
CREATE TABLE reference(kind, id, place, digest, algorithm, file, start, within, record, words);
CREATE TABLE segment(origin, number, length, total, file, start, within, record);
CREATE TABLE capture(file, start, length, url, at, digest, kind, listed, PRIMARY KEY(file, start)) WITHOUT ROWID;
"""
_UNRESOLVED = {
    Reference.REVISIT: (Code.REVISIT_UNRESOLVED, "the original is not there"),
    Reference.CONCURRENT: (Code.CONCURRENT_UNRESOLVED, "the record is not there that it belongs to"),
    Reference.WARCINFO: (Code.WARCINFO_UNRESOLVED, "the warcinfo record is not there"),
}


class Catalogue:
    """Takes rows as they are made; at the end tells what does not fit together."""

    def __init__(self, files: Sequence[str]) -> None:
        self._files = files  # by their numbers in the rows
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.executescript("PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF;" + _SCHEMA)
        self._database.execute("BEGIN")  # one for all rows: nobody else reads it, and nothing of it is kept

    def insert(self, rows: Rows) -> None:
        """Take some records."""
        insert = self._database.executemany
        insert("INSERT INTO record VALUES (?,?,?,?,?,?,?,?,?)", rows.records)
        insert("INSERT INTO record VALUES (?,?,?,0,0,?,?,?,1)", rows.usual)
        insert("INSERT INTO reference VALUES (?,?,?,?,?,?,?,?,?,?)", rows.references)
        insert("INSERT INTO segment VALUES (?,?,?,?,?,?,?,?)", rows.segments)
        insert("INSERT OR IGNORE INTO capture VALUES (?,?,?,?,?,?,?,0)", rows.captures)

    def settle(self) -> None:
        """All records are there: make them findable."""
        self._database.executescript(
            "CREATE INDEX record_id ON record(id); CREATE INDEX segment_origin ON segment(origin);"
        )
        if self._database.execute("SELECT EXISTS (SELECT 1 FROM reference WHERE kind = 0)").fetchone()[0]:
            self._database.executescript(
                "CREATE INDEX record_place ON record(place); CREATE INDEX record_digest ON record(digest);"
            )
        self._database.execute("BEGIN")  # the script before ended the first one; rows of further files may come

    def unresolved(self) -> int:
        """How many references lead nowhere."""
        return int(self._database.execute(_UNFOUND).fetchone()[0])

    def report_references(self, report: Report) -> None:
        """References that lead nowhere, or to the wrong thing."""
        for kind, file, start, within, record, words in self._database.execute(_MISSING):
            code, sentence = _UNRESOLVED[Reference(kind)]
            report(self._fault(file, start, within, code, f"{sentence}: {words}", record))
        for file, start, within, record, words in self._database.execute(_CHAINS):
            report(self._fault(file, start, within, Code.REVISIT_CHAIN, f"the original is a revisit: {words}", record))
        for file, start, within, record, words in self._database.execute(_DIFFERENT):
            sentence = f"the original has another payload digest: {words}"
            report(self._fault(file, start, within, Code.REVISIT_DIGEST, sentence, record))

    def report_repeated(self, report: Report) -> None:
        """Records that have the id of an earlier one."""
        for file, start, within, before, offset in self._database.execute(_REPEATED):
            words = f"its id is that of the record at {offset:,} of {self._files[before]}"
            report(self._fault(file, start, within, Code.ID_REPEATED, words, ""))

    def report_segments(self, report: Report) -> None:
        """Records in pieces that are not all there, or together too long or too short."""
        for last, count, number, found, total, file, start, within, record in self._database.execute(_SEGMENTED):
            if count != last or number != 1:
                code, words = Code.SEGMENT_MISSING, f"of {last:,} segments {count:,} are there"
            elif total is None:
                code, words = Code.SEGMENT_MISSING, f"no segment follows number {last:,}, which is not the last"
            elif found != total:
                code, words = Code.SEGMENT_TOTAL, f"the segments have {found:,} bytes, and {total:,} were recorded"
            else:
                continue
            report(self._fault(file, start, within, code, words, record))

    def capture_at(self, file: int, start: int) -> tuple[int, str, str, str] | None:
        """Length, URL, time and digest of the capture that begins at a place; from now on it has a line in an index."""
        found = self._database.execute(
            "UPDATE capture SET listed = 1 WHERE file = ? AND start = ? RETURNING length, url, at, digest",
            (file, start),
        ).fetchall()
        return found[0] if found else None

    def report_unlisted(self, report: Report) -> None:
        """Files with captures that no index has, nor another capture of their URL: one fault each, at the first."""
        self._database.execute("CREATE INDEX capture_url ON capture(url, listed)")
        for file, start, url, count in self._database.execute(_UNLISTED):
            words = f"{count:,} captures have no line in the index; the first is that of {url[:120]}"
            report(self._fault(file, start, 0, Code.INDEX_INCOMPLETE, words, ""))

    def close(self) -> None:
        """Drop all."""
        self._database.close()

    def _fault(self, file: object, start: object, within: object, code: Code, sentence: str, record: object) -> Fault:
        return Fault(
            file=self._files[int(str(file))], offset=int(str(start)), within=int(str(within)), code=code,
            sentence=sentence, record=str(record),
        )  # fmt: skip


_OTHER = "NOT (o.file = r.file AND o.start = r.start AND o.within = r.within)"
_FOUND = f"""EXISTS (SELECT 1 FROM record AS o WHERE (o.id = r.id OR o.place = r.place
    OR (r.id IS NULL AND r.place IS NULL AND o.digest = r.digest)) AND {_OTHER})"""  # noqa: S608 - our own text
_NAMED = f"EXISTS (SELECT 1 FROM record AS o WHERE o.id = r.id AND {_OTHER})"  # noqa: S608 - all but revisits have an id
_MISSING = f"""SELECT kind, file, min(start), within, record, words FROM reference AS r WHERE kind = 2 AND NOT {_NAMED}
    GROUP BY file, id UNION ALL
    SELECT kind, file, start, within, record, words FROM reference AS r WHERE kind = 1 AND NOT {_NAMED} UNION ALL
    SELECT kind, file, start, within, record, words FROM reference AS r WHERE kind = 0 AND NOT {_FOUND}"""  # noqa: S608 - our own text
_UNFOUND = f"""SELECT (SELECT count(*) FROM reference AS r WHERE kind != 0 AND NOT {_NAMED})
    + (SELECT count(*) FROM reference AS r WHERE kind = 0 AND NOT {_FOUND})"""  # noqa: S608 - our own text
# of each record in segments: its last one (SQLite takes the other columns from the row with the maximum)
_SEGMENTED = """SELECT max(number), count(DISTINCT number),
    (SELECT min(number) FROM segment AS f WHERE f.origin = s.origin),
    (SELECT sum(length) FROM segment AS a WHERE a.origin = s.origin), total, file, start, within, record
    FROM segment AS s GROUP BY origin"""
_CHAINS = """SELECT r.file, r.start, r.within, r.record, r.words FROM reference AS r
    JOIN record AS o ON o.id = r.id WHERE r.kind = 0 AND o.revisit"""
_DIFFERENT = """SELECT r.file, r.start, r.within, r.record, r.words FROM reference AS r
    JOIN record AS o ON o.id = r.id WHERE r.kind = 0 AND NOT o.revisit AND o.algorithm = r.algorithm
    AND o.digest != r.digest"""
_REPEATED = """SELECT file, start, within, first_file, first_start FROM (
    SELECT file, start, within, row_number() OVER same AS n, first_value(file) OVER same AS first_file,
        first_value(start) OVER same AS first_start
    FROM record WHERE ours AND id IS NOT NULL
        AND id IN (SELECT id FROM record WHERE ours AND id IS NOT NULL GROUP BY id HAVING count(*) > 1)
    WINDOW same AS (PARTITION BY id ORDER BY file, start, within)) WHERE n > 1"""

_UNLISTED = """SELECT file, min(start), url, count(*) FROM capture AS c WHERE NOT listed
    AND url LIKE 'http%' AND url NOT LIKE '%/robots.txt'
    AND NOT EXISTS (SELECT 1 FROM capture AS o WHERE o.url = c.url AND o.listed) GROUP BY file"""
