"""The results of one crawl's folder: which there are, where their files lie, which are protected, which were undone.

A result counts once its manifest is there, which is written last and removed first. What was begun and not finished is
named in a note, by which the next one who works here cleans up.
"""

import json
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from opilio.archive.results.errors import DamagedResult, NoResult
from opilio.archive.results.manifest import read_manifest
from opilio.kernel.files import append_synced, ensure_folder, mapped, sync_folder, write_atomically

_MANIFEST = re.compile(r"result-([1-9][0-9]{0,8})\.sha256")
_UNFINISHED = re.compile(r"\.result-([1-9][0-9]{0,8})\.unfinished")
_ASIDE = ".opilio-*"  # what files and sorting are called while they are made
_UNDONE = "undone.jsonl"
_LONGEST_RECORD = 16 << 20  # bytes of the records of undone results


class Protection(StrEnum):
    """Why a result must stay as it is."""

    ENDORSED = "endorsed"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class ResultsFolder:
    """The results of a crawl, by the crawl's folder."""

    crawl: Path

    @property
    def path(self) -> Path:
        """Where the results lie."""
        return self.crawl / "results"

    @property
    def warcs(self) -> Path:
        """Where the WARC files of all results lie."""
        return self.crawl / "warcs"

    @property
    def lock(self) -> Path:
        """Held while a result is made or undone."""
        return self.crawl / "lock"

    def file(self, number: int) -> Path:
        """The result itself."""
        return self.path / f"result-{number}.db"

    def manifest(self, number: int) -> Path:
        """The digests of its files."""
        return self.path / f"result-{number}.sha256"

    def index(self, number: int) -> Path:
        """Its captures as CDXJ; that of result 1 is the index of the crawl."""
        return self.crawl / "index.cdxj" if number == 1 else self.path / f"result-{number}.cdxj"

    def needs(self, number: int) -> Path:
        """The list of the captures that its captures need."""
        return self.path / f"result-{number}.needs.jsonl"

    def tree(self, number: int) -> Path:
        """Its hosts, folders and resources, counted; can be made again at any time."""
        return self.path / f"result-{number}.tree.db"

    def digest(self, number: int) -> str:
        """The sha256 of a result's file, as its manifest has it."""
        name = f"{self.path.name}/{self.file(number).name}"
        found = read_manifest(self.manifest(number)).get(name)
        if found is None:
            remedy = "Restore it from a copy."
            raise DamagedResult(
                "the manifest does not name the result", where=str(self.manifest(number)), remedy=remedy
            )
        return found

    def numbers(self) -> list[int]:
        """The results that are whole, growing."""
        found = sorted(int(match[1]) for match in self._matching(_MANIFEST))
        return [number for number in found if self.file(number).is_file()]

    def newest(self) -> int:
        """The highest number; `NoResult` when there is none."""
        numbers = self.numbers()
        if not numbers:
            require_folder(self.crawl)
            remedy = "Check the folder, or seal the crawl: opilio crawl seal DIR."
            raise NoResult("there is no result", where=str(self.path), remedy=remedy)
        return numbers[-1]

    def require(self, number: int | None) -> int:
        """A number for which there is a result; the newest if none is named."""
        numbers = self.numbers()
        if number is None or not numbers:
            return self.newest()
        if number not in numbers:
            remedy = f"There are: {', '.join(map(str, numbers))}."
            raise NoResult(f"there is no result {number}", where=str(self.path), remedy=remedy)
        return number

    def next_number(self) -> int:
        """A number that no result ever had."""
        begun = [int(match[1]) for match in self._matching(_UNFINISHED)]
        return 1 + max([0, *self.numbers(), *begun, *(int(record["number"]) for record in self.undone())])

    def protection(self, number: int) -> Protection | None:
        """Why a result must stay; None when it need not."""
        return next((kind for kind in reversed(Protection) if self._mark(number, kind).is_file()), None)

    def protect(self, number: int, kind: Protection, note: str = "") -> None:
        """Mark a result as endorsed or archived."""
        write_atomically(self._mark(self.require(number), kind), note.encode("utf-8", "replace"))

    def unprotect(self, number: int, kind: Protection) -> None:
        """Take a mark off; nothing happens when there is none."""
        self._remove([self._mark(number, kind)])

    def undone(self) -> list[dict[str, Any]]:
        """The records of results that were undone, in the order of the undoing."""
        there = self.numbers()
        return [record for record in self._records() if record["number"] not in there]

    def _records(self) -> list[dict[str, Any]]:
        path = self.path / _UNDONE
        if not path.is_file():
            return []
        with mapped(path), path.open("rb") as stream:
            lines = stream.read(_LONGEST_RECORD).splitlines()
        return [_record(line, path) for line in lines]

    def record_undone(self, record: Mapping[str, Any]) -> None:
        """Keep what is known of a result that is about to be removed; once, however often it is tried."""
        before = self._records()
        if before and (before[-1]["number"], before[-1].get("sha256")) == (record["number"], record["sha256"]):
            return
        append_synced(self.path / _UNDONE, json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def begin(self, number: int, warcs: Iterable[str]) -> None:
        """Note what will be lying about if the work on a result breaks off: its files, and these WARC files."""
        ensure_folder(self.path)
        write_atomically(self._unfinished(number), json.dumps(sorted(warcs)).encode())

    def end(self, number: int) -> None:
        """The work is done; the note goes."""
        self._remove([self._unfinished(number)])

    def tidy(self) -> list[int]:
        """Remove what unfinished work left; the numbers it was about. To be called under the lock."""
        found = [int(match[1]) for match in self._matching(_UNFINISHED)]
        for number in found:
            if not self.manifest(number).is_file():
                self.discard(number, self._noted(number))
            self.end(number)
        for folder in (self.path, self.warcs):
            _sweep(folder)
        return found

    def discard(self, number: int, warcs: Iterable[str]) -> None:
        """Remove the files of a result, the manifest first, so that none is ever found with half of its files."""
        marks = [self._mark(number, kind) for kind in Protection]
        self._remove([self.manifest(number)])
        aside = self.path / f".{self.file(number).name}.new"
        beside = [aside, aside.with_name(f"{aside.name}-journal"), self.index(number), self.needs(number)]
        counted = [self.tree(number), self.path / f"result-{number}.hosts.tree.db"]
        self._remove([self.file(number), *beside, *counted, *marks])
        self._remove([self.warcs / name for name in warcs if "/" not in name and name not in ("", ".", "..")])

    def _noted(self, number: int) -> list[str]:
        path = self._unfinished(number)
        with mapped(path):
            text = path.read_bytes()
        try:
            return [str(name) for name in json.loads(text)]
        except (ValueError, TypeError, RecursionError):
            return []

    def _remove(self, paths: Iterable[Path]) -> None:
        there = [path for path in paths if path.exists()]
        for path in there:
            with mapped(path):
                path.unlink()
        for folder in {path.parent for path in there}:
            sync_folder(folder)

    def _mark(self, number: int, kind: Protection) -> Path:
        return self.path / f"result-{number}.{kind}"

    def _unfinished(self, number: int) -> Path:
        return self.path / f".result-{number}.unfinished"

    def _matching(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        if not self.path.is_dir():
            return []
        with mapped(self.path):
            return [match for path in self.path.iterdir() if (match := pattern.fullmatch(path.name))]


def number_of(manifest: Path) -> int | None:
    """The number of the result that a manifest belongs to; None when it is none of a result."""
    found = _MANIFEST.fullmatch(manifest.name)
    return int(found[1]) if found else None


def require_folder(crawl: Path) -> None:
    """`NoResult` where not even a folder is."""
    if not crawl.is_dir():
        what = "this is a file, no folder" if crawl.exists() else "there is no such folder"
        raise NoResult(what, where=str(crawl), remedy="Check the name; give the folder of a crawl.")


def _sweep(folder: Path) -> None:
    """Remove half-written files and sorting that were left behind; under the lock nobody else has any."""
    if not folder.is_dir():
        return
    for path in folder.glob(_ASIDE):
        with mapped(path):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


def _record(line: bytes, path: Path) -> dict[str, Any]:
    try:
        found = json.loads(line)
        if isinstance(found, dict) and isinstance(found["number"], int):
            return found
    except (ValueError, KeyError, RecursionError):
        pass
    raise DamagedResult(
        "a record of an undone result cannot be read", where=str(path), remedy="Restore it from a copy."
    )
