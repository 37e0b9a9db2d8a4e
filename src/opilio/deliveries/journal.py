"""What is remembered between two pulls: how files looked, which attempts were made, what is here. A file of lines.

Each line is on the disk before the next step is taken; a line that a crash cut off is ignored.
"""

import json
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from opilio.deliveries.choice import Record
from opilio.deliveries.offers import LookedAt, Offer
from opilio.kernel.files import append_synced, mapped


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """One attempt to fetch a delivery."""

    source: str
    action: str
    name: str
    at: datetime
    seconds: float
    size: int = 0
    error: str = ""  # empty: it went well


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """A revision of a delivery that is here."""

    action: str
    name: str
    revision: int
    source: str
    mark: tuple[int | None, str, str]
    size: int
    sha256: str
    at: datetime
    md5: str = ""
    fault: str = ""  # why it could not be unpacked; empty: it was


class Journal(Protocol):
    """What a pull asks and tells."""

    def looked_at(self, source: str, path: str) -> LookedAt | None:
        """How a file looked the last time."""
        ...

    def looks(self, source: str, found: Mapping[str, LookedAt]) -> None:
        """How the files of a source look now."""
        ...

    def offered(self, found: Mapping[tuple[str, str], Mapping[str, Offer]]) -> None:
        """What all sources have, by action and name, once each was listed."""
        ...

    def disagreed(self, found: Mapping[tuple[str, str], Sequence[str]]) -> None:
        """The deliveries of which sources have different versions, with those sources: all of them, once listed."""
        ...

    def begun(self, source: str, offer: Offer, revision: int, at: datetime) -> None:
        """An attempt begins."""
        ...

    def progressed(self, source: str, offer: Offer, size: int) -> None:
        """So many bytes of it are here."""
        ...

    def wanted(self, action: str, name: str) -> bool:
        """Whether somebody wants it now, however often it failed."""
        ...

    def given_up(self, action: str, name: str) -> bool:
        """Whether somebody gave it up."""
        ...

    def attempts(self, action: str, name: str) -> Mapping[str, int]:
        """How often each source failed with a delivery since it was last fetched."""
        ...

    def last_failure(self, action: str, name: str) -> datetime | None:
        """When that was the last time."""
        ...

    def record(self, source: str) -> Record:
        """How a source did so far."""
        ...

    def tried(self, attempt: Attempt) -> None:
        """An attempt that is over."""
        ...

    def kept(self, action: str, name: str) -> Kept | None:
        """The last revision that is here."""
        ...

    def next_revision(self, action: str, name: str) -> int:
        """The number of the revision that comes next; one that came is never written over."""
        ...

    def keep(self, kept: Kept) -> None:
        """A revision that came."""
        ...


class FileJournal:
    """A journal in a file; threads share it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._looks: dict[tuple[str, str], LookedAt] = {}
        self._failed: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
        self._last: dict[tuple[str, str], datetime] = {}
        self._records: dict[str, Record] = defaultdict(Record)
        self._kept: dict[tuple[str, str], Kept] = {}
        with mapped(path):
            for line in path.read_bytes().splitlines() if path.exists() else ():
                self._replay(line)

    def looked_at(self, source: str, path: str) -> LookedAt | None:
        return self._looks.get((source, path))

    def looks(self, source: str, found: Mapping[str, LookedAt]) -> None:
        news = {path: look for path, look in found.items() if self._looks.get((source, path)) != look}
        told = {path: [list(look.mark), look.times, look.last.isoformat()] for path, look in news.items()}
        if told:
            self._append({"looks": told, "source": source})
        self._looks.update({(source, path): look for path, look in news.items()})

    def offered(self, found: Mapping[tuple[str, str], Mapping[str, Offer]]) -> None:
        """Nothing is kept of what was only offered."""

    def disagreed(self, found: Mapping[tuple[str, str], Sequence[str]]) -> None:
        """The account of the pull tells it."""

    def begun(self, source: str, offer: Offer, revision: int, at: datetime) -> None:
        """Only attempts that are over count."""

    def progressed(self, source: str, offer: Offer, size: int) -> None:
        """The part that is here tells how far it came."""

    def wanted(self, action: str, name: str) -> bool:
        return False

    def given_up(self, action: str, name: str) -> bool:
        return False

    def attempts(self, action: str, name: str) -> Mapping[str, int]:
        return dict(self._failed.get((action, name), {}))

    def last_failure(self, action: str, name: str) -> datetime | None:
        return self._last.get((action, name))

    def record(self, source: str) -> Record:
        return self._records[source]

    def tried(self, attempt: Attempt) -> None:
        self._append({"attempt": _plain(attempt)})
        self._learn(attempt)

    def kept(self, action: str, name: str) -> Kept | None:
        return self._kept.get((action, name))

    def next_revision(self, action: str, name: str) -> int:
        kept = self.kept(action, name)
        return 1 if kept is None else kept.revision + 1

    def keep(self, kept: Kept) -> None:
        self._append({"kept": _plain(kept)})
        self._kept[kept.action, kept.name] = kept

    def _append(self, line: Mapping[str, Any]) -> None:
        with self._lock:
            append_synced(self._path, json.dumps(line, ensure_ascii=False).encode() + b"\n")

    def _replay(self, line: bytes) -> None:
        try:
            told = json.loads(line)
        except ValueError:
            return  # cut off by a crash
        for path, (mark, times, last) in told.get("looks", {}).items():
            look = LookedAt(mark=(mark[0], mark[1], mark[2]), times=times, last=datetime.fromisoformat(last))
            self._looks[told["source"], path] = look
        if "attempt" in told:
            self._learn(Attempt(**_timed(told["attempt"])))
        if "kept" in told:
            values = _timed(told["kept"])
            kept = Kept(**{**values, "mark": tuple(values["mark"])})
            self._kept[kept.action, kept.name] = kept

    def _learn(self, attempt: Attempt) -> None:
        key = (attempt.action, attempt.name)
        with self._lock:
            self._records[attempt.source] = _after(self._records[attempt.source], attempt)
            if attempt.error:
                failed = self._failed[key]
                failed[attempt.source] = failed.get(attempt.source, 0) + 1
                self._last[key] = attempt.at
            else:
                self._failed.pop(key, None)
                self._last.pop(key, None)


def _after(record: Record, attempt: Attempt) -> Record:
    if attempt.error:
        return replace(
            record, attempts=record.attempts + 1, failures=record.failures + 1,
            failed_in_a_row=record.failed_in_a_row + 1, last_failure=attempt.at,
        )  # fmt: skip
    speed = attempt.size / attempt.seconds if attempt.seconds > 0 else record.bytes_per_second
    return replace(record, attempts=record.attempts + 1, failed_in_a_row=0, bytes_per_second=speed)


def _plain(value: Attempt | Kept) -> dict[str, Any]:
    found = {name: getattr(value, name) for name in value.__slots__}
    return {**found, "at": value.at.isoformat()}


def _timed(values: Mapping[str, Any]) -> dict[str, Any]:
    return {**values, "at": datetime.fromisoformat(values["at"])}
