"""The sources of an index: results of crawls by name, in a small file that people can read. What they belong to
(harvest, target, agency) stands beside them, so that the next generation is built from the same words.
"""

import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.view import ResultView
from opilio.kernel.errors import Damaged, InvalidInput, Missing
from opilio.kernel.files import ensure_folder, mapped, write_atomically
from opilio.works.index_documents import Belonging

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_MOST_BYTES = 64 << 20  # of the file


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexSource:
    """One result that shall be searched."""

    name: str
    folder: str  # of the crawl
    result: int | None = None  # None: the newest
    harvest: str = ""
    target: str = ""
    agency: str = ""
    access: str = ""
    copyright: str = ""

    @property
    def belonging(self) -> Belonging:
        """To whom its pages belong."""
        return Belonging(
            crawl=self.name, harvest=self.harvest, target=self.target, agency=self.agency, access=self.access,
            copyright=self.copyright,
        )  # fmt: skip

    def fingerprint(self) -> str:
        """What tells whether it changed: the result's digest and what is said about it."""
        results = ResultsFolder(Path(self.folder))
        number = results.require(self.result)
        said = "|".join((self.harvest, self.target, self.agency, self.access, self.copyright))
        return f"{number}:{results.digest(number)}:{said}"[:2_000]


class SourcesFile:
    """The list of sources, `sources.json` in the folder of the index."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def all(self) -> list[IndexSource]:
        """The sources in the order in which they were named first."""
        if not self._path.exists():
            return []
        with mapped(self._path):
            data = self._path.read_bytes() if self._path.stat().st_size <= _MOST_BYTES else b""
        try:
            rows = json.loads(data)
            return list(map(_source, rows if isinstance(rows, list) else [rows]))
        except (ValueError, TypeError, KeyError):
            remedy = "Mend the file by hand, or remove it and name the crawls anew: opilio index build DIR…"
            raise Damaged("the list of sources cannot be read", where=str(self._path), remedy=remedy) from None

    def one(self, name: str) -> IndexSource:
        """The source with a name."""
        found = next((each for each in self.all() if each.name == name), None)
        if found is None:
            remedy = "See which there are: opilio index sources."
            raise Missing("the index has no such source", where=name, remedy=remedy)
        return found

    def add(self, sources: Sequence[IndexSource]) -> list[IndexSource]:
        """Add sources, or say something else about those of the same name; all that there are then."""
        for each in sources:
            _check(each)
        known = {each.name: each for each in self.all()} | {each.name: each for each in sources}
        self._write(list(known.values()))
        return list(known.values())

    def drop(self, name: str) -> list[IndexSource]:
        """Take a source out; those that are left."""
        self.one(name)
        left = [each for each in self.all() if each.name != name]
        self._write(left)
        return left

    def _write(self, sources: Sequence[IndexSource]) -> None:
        ensure_folder(self._path.parent)
        rows = [{name: value for name, value in asdict(each).items() if value not in ("", None)} for each in sources]
        write_atomically(self._path, (json.dumps(rows, indent=1, ensure_ascii=False) + "\n").encode())


def named_after(folder: Path, known: Mapping[str, str]) -> str:
    """A name for a crawl's folder that no other source has; `known` tells the folder of each name."""
    path = str(folder.resolve())
    base = re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name).strip("-.") or "crawl"
    numbered = (base if number == 1 else f"{base}-{number}" for number in range(1, len(known) + 2))
    same = next((name for name, place in known.items() if place == path), None)
    return same or next(name for name in numbered if name not in known)


@contextlib.contextmanager
def opened(sources: Sequence[IndexSource]) -> Iterator[list[ResultView]]:
    """The results of some sources, open."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(opened_source(each)) for each in sources]


def opened_source(source: IndexSource) -> ResultView:
    """The result of a source."""
    folder = Path(source.folder)
    if not folder.is_dir():
        remedy = f"Bring it back, or take the source out: opilio index forget {source.name}."
        raise Missing("the folder of a crawl is gone", where=source.folder, remedy=remedy)
    return ResultView(ResultsFolder(folder), source.result)


def _source(row: object) -> IndexSource:
    names = {field.name for field in fields(IndexSource)}
    if not isinstance(row, dict) or not names.issuperset(row):
        raise TypeError
    result = row.get("result")
    texts = all(isinstance(value, str) for name, value in row.items() if name != "result")
    if not texts or not (result is None or (isinstance(result, int) and result > 0)):
        raise TypeError
    return IndexSource(**row)


def _check(source: IndexSource) -> None:
    if not _NAME.fullmatch(source.name):
        remedy = "Use letters, digits, dot, dash and underscore, at most 100."
        raise InvalidInput(f"{source.name[:100]!r} cannot be the name of a source", where="name", remedy=remedy)
