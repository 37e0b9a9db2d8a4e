"""Which nodes readers are kept away from, in a small file that is replaced whole: `index/reader.json`."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.files import write_atomically

READER_FILE = "reader.json"
_LARGEST = 1 << 20  # bytes


class DrainedBy(StrEnum):
    """Who keeps readers away from a node."""

    PUBLISH = "publish"  # while the node is switched; ended by the next publish if this one was killed
    OPERATOR = "operator"  # until the operator restores it


@dataclass(frozen=True, kw_only=True, slots=True)
class Drained:
    """A node that readers are kept away from."""

    by: DrainedBy
    since: datetime


class ReaderState:
    """The file. One publisher writes it, under the lock of publishing; any number of readers follow it."""

    def __init__(self, path: Path, *, clock: Clock = SYSTEM) -> None:
        self._path = path
        self._clock = clock
        self._known: tuple[tuple[int, int, int], dict[str, Drained]] | None = None

    def drained(self) -> dict[str, Drained]:
        """The nodes that readers are kept away from. A file that cannot be read keeps them from none."""
        try:
            status = self._path.stat()
            mark = (status.st_ino, status.st_mtime_ns, status.st_size)
            if self._known is None or self._known[0] != mark:
                self._known = (mark, _parsed(self._path))
            return dict(self._known[1])
        except OSError:
            return {}

    def drain(self, name: str, by: DrainedBy) -> None:
        """Keep readers away from a node. What an operator drained stays the operator's."""
        known = self.drained()
        if name in known and known[name].by is DrainedBy.OPERATOR:
            return
        self._write({**known, name: Drained(by=by, since=self._clock.now())})

    def restore(self, name: str, by: DrainedBy) -> bool:
        """Let readers come back; False when they could, or when an operator wants them away and we are not one."""
        known = self.drained()
        found = known.get(name)
        if found is None or (found.by is DrainedBy.OPERATOR and by is not DrainedBy.OPERATOR):
            return False
        self._write({each: value for each, value in known.items() if each != name})
        return True

    def _write(self, drained: dict[str, Drained]) -> None:
        document = {name: {"by": each.by, "since": each.since.isoformat()} for name, each in drained.items()}
        write_atomically(self._path, json.dumps({"drained": document}, indent=1).encode() + b"\n")


def _parsed(path: Path) -> dict[str, Drained]:
    with path.open("rb") as stream:
        text = stream.read(_LARGEST)
    try:
        return {
            str(name): Drained(by=DrainedBy(each["by"]), since=datetime.fromisoformat(each["since"]).astimezone(UTC))
            for name, each in json.loads(text)["drained"].items()
        }
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}
