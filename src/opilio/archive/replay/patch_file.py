"""The patch list of a crawl as a file: one JSON object per line, added at the end, each URL once."""

import json
import threading
from pathlib import Path

from opilio.archive.replay.holdings import Wish
from opilio.kernel.files import append_synced, reading

_MOST = 10_000  # URLs
_LARGEST = 64 << 20  # bytes of the file that are read


class PatchFile:
    """A PatchList that other programs may read and empty."""

    def __init__(self, path: Path, *, most: int = _MOST) -> None:
        self.path = path
        self._most = most
        self._lock = threading.Lock()

    def add(self, wish: Wish) -> bool:
        with self._lock:
            before = self.wishes()
            if len(before) >= self._most or any(each.url == wish.url for each in before):
                return False
            line = json.dumps({"url": wish.url, "at": wish.at, "result": wish.result})
            append_synced(self.path, f"{line}\n".encode())
            return True

    def wishes(self) -> list[Wish]:
        if not self.path.is_file():
            return []
        with reading(self.path), self.path.open("rb") as stream:
            lines = stream.read(_LARGEST).splitlines()
        found: dict[str, Wish] = {}
        for line in lines:
            wish = _wish(line)
            if wish is not None:
                found.setdefault(wish.url, wish)
        return list(found.values())

    def has(self, url: str) -> bool:
        return any(wish.url == url for wish in self.wishes())


def _wish(line: bytes) -> Wish | None:
    """A line as a wish; None for one that was torn by a crash or written by somebody else."""
    try:
        told = json.loads(line)
        return Wish(url=str(told["url"]), at=str(told["at"]), result=int(told["result"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
