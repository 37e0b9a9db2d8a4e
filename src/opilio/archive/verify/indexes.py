"""Whether a CDXJ file says what the files of records hold: each line a capture."""

from collections.abc import Mapping
from pathlib import Path

from opilio.archive.cdxj import CdxRow, parse_line, stamp
from opilio.archive.verify.catalogue import Catalogue
from opilio.archive.verify.faults import Code, Fault, Report
from opilio.kernel.errors import Damaged, OpilioError
from opilio.kernel.files import reading
from opilio.kernel.surt import surt

_LONGEST_LINE = 1 << 20  # bytes
_HEADER = (b"!", b" CDX")  # lines that say what follows


class IndexCheck:
    """Compares indexes with what was seen in the files."""

    def __init__(self, catalogue: Catalogue, files: Mapping[str, int], report: Report) -> None:
        self._catalogue = catalogue
        self._files = files  # name → number in the catalogue
        self._report = report
        self._absent: set[tuple[Path, str]] = set()  # indexes with files that are not there

    def check(self, path: Path) -> int:
        """All lines of one index; how many there are."""
        count = offset = 0
        last = b""
        with reading(path), path.open("rb") as stream:
            while line := stream.readline(_LONGEST_LINE):
                if not line.startswith(_HEADER) and line.strip():
                    count += 1
                    if line < last:
                        self._tell(path, offset, Code.INDEX_ORDER, "the line stands behind a greater one")
                    last = line
                    self._check_line(path, offset, line)
                offset += len(line)
        return count

    def _check_line(self, path: Path, offset: int, line: bytes) -> None:
        try:
            row = parse_line(line, where=str(path))
        except Damaged as error:
            self._tell(path, offset, Code.INDEX_LINE, error.what)
            return
        file = self._files.get(row.file.rpartition("/")[2])
        if file is None:
            if (path, row.file) not in self._absent:  # once for all its lines
                self._absent.add((path, row.file))
                self._tell(path, offset, Code.INDEX_FILE, f"there is no {row.file[:120]!r} among the files")
            return
        found = self._catalogue.capture_at(file, row.offset)
        if found is None:
            self._tell(path, offset, Code.INDEX_OFFSET, f"no capture begins at {row.offset:,} of {row.file[:120]}")
            return
        for code, sentence in _differences(row, *found):
            self._tell(path, offset, code, f"{sentence}, at {row.offset:,} of {row.file[:120]}")

    def _tell(self, path: Path, offset: int, code: Code, sentence: str) -> None:
        self._report(Fault(file=str(path), offset=offset, code=code, sentence=sentence))


def _differences(row: CdxRow, length: int, url: str, at: str, digest: str) -> list[tuple[Code, str]]:
    found = []
    if row.length != length:
        found.append((Code.INDEX_LENGTH, f"the index says {row.length:,} bytes, the record has {length:,}"))
    if row.url != url and _key(row.url) != _key(url):
        found.append((Code.INDEX_URL, f"the index says {row.url[:120]}, the record {url[:120]}"))
    if at and stamp(row.at, 14) != at[:14]:
        found.append((Code.INDEX_TIME, f"the index says {stamp(row.at, 14)}, the record {at[:14]}"))
    said = str(row.digest) if row.digest is not None else ""
    if said and digest and said.partition(":")[0] == digest.partition(":")[0] and said != digest:
        found.append((Code.INDEX_DIGEST, f"the index says {said}, the record {digest}"))
    return found


def _key(url: str) -> str:
    try:
        return surt(url)
    except OpilioError:
        return url
