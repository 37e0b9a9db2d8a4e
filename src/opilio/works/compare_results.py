"""Opens results by the words people name them with, and compares two: their resources, or the text of one page."""

import contextlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.compare.differences import Difference, Kind, Totals, differences
from opilio.archive.compare.text_diff import TextDiff, Unit, text_diff
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.values import Resource
from opilio.archive.results.view import ResultView
from opilio.crawl.plan_json import from_json
from opilio.kernel.errors import InvalidInput, Missing
from opilio.kernel.files import writing
from opilio.kernel.surt import surt
from opilio.kernel.urls import canonical

_NUMBERED = re.compile(r"(?P<folder>.+)@(?P<number>[1-9][0-9]{0,8})")


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    """A result by its crawl's folder and its number."""

    folder: Path
    number: int | None = None  # None: the newest

    @classmethod
    def parse(cls, words: str) -> "Named":
        """`DIR` or `DIR@NUMBER`; a folder whose own name ends so is that folder."""
        found = _NUMBERED.fullmatch(words)
        if found is None or Path(words).is_dir():
            return cls(folder=Path(words))
        return cls(folder=Path(found["folder"]), number=int(found["number"]))

    def __str__(self) -> str:
        return f"{self.folder}@{self.number}" if self.number else str(self.folder)

    def open(self) -> ResultView:
        """The result; `Missing` when there is none."""
        if not self.folder.is_dir():
            remedy = "Name the folder of a crawl that was sealed."
            raise Missing("there is no such folder", where=str(self.folder), remedy=remedy)
        return ResultView(ResultsFolder(self.folder), self.number)


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """Which differences are shown."""

    url: str = ""  # those below it
    only: Kind | None = None
    every: bool = False  # also what was never captured
    most: int = 100  # rows that are kept for showing
    rows: Path | None = None  # a file for all rows, as JSON lines


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """Two results side by side."""

    before: int  # number of the result
    after: int
    totals: Totals
    rows: tuple[Difference, ...]
    more: int  # rows that are not shown


def compare(before: Named, after: Named, wanted: Wanted) -> Compared:
    """Compare two results; everything is counted, and the rows that are wanted are kept or written."""
    with before.open() as first, after.open() as second:
        totals = Totals()
        below = canonical(wanted.url) if wanted.url else ""
        found = differences(first, second, prefix=_prefix(below), every=wanted.every)
        counted = totals.counted(row for row in found if row.url.startswith(below))
        rows, more = _gathered((row for row in counted if _shown(row, wanted)), wanted)
        return Compared(before=first.number, after=second.number, totals=totals, rows=rows, more=more)


def compare_text(before: Named, after: Named, url: str, unit: Unit = Unit.LINES) -> TextDiff:
    """How the text of a page changed."""
    with before.open() as first, after.open() as second:
        texts = [_text(view, named, url) for view, named in ((first, before), (second, after))]
    return text_diff(texts[0], texts[1], unit=unit, names=(str(before), str(after)))


def _gathered(rows: Iterable[Difference], wanted: Wanted) -> tuple[tuple[Difference, ...], int]:
    kept: list[Difference] = []
    more = 0
    with contextlib.ExitStack() as stack:
        stream = stack.enter_context(writing(wanted.rows)) if wanted.rows is not None else None
        for row in rows:
            if stream is not None:
                stream.write(json.dumps(row.document(), ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            if len(kept) < wanted.most:
                kept.append(row)
            else:
                more += 1
    return tuple(kept), more


def _shown(row: Difference, wanted: Wanted) -> bool:
    return row.kind is wanted.only if wanted.only is not None else row.kind is not Kind.UNCHANGED


def _prefix(below: str) -> str:
    """What the SURT keys of all URLs that begin so begin with; parameters are sorted there, so they do not count."""
    return surt(below.partition("?")[0]) if below else ""


def _text(view: ResultView, named: Named, url: str) -> str:
    key = canonical(url, from_json(view.plan).scope.query)
    found: Resource | None = view.resource(key)
    if found is None:
        remedy = "Look for it with: opilio archive compare A B --url URL."
        raise Missing("the result does not have this page", where=f"{key} in {named}", remedy=remedy)
    text = view.text(found.digest) if found.digest else None
    if text is None:
        remedy = "Only pages whose text was kept can be compared; the outcome and the digest tell the rest."
        raise InvalidInput("the page has no text", where=f"{key} in {named}", remedy=remedy)
    return text
