"""How many requests were answered, how and how fast, by all processes of a server; each counts into a file of its own.

The files are mapped into memory, below the folder for temporary ones; whoever is asked for figures adds them up.
Time is that to the first byte, so that a live view of an hour does not count as slow.
"""

import mmap
import os
import shutil
import struct
import tempfile
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.files import ensure_folder, mapped

FACES = ("page", "api", "static", "operation", "replay")
METHODS = ("GET", "POST", "other")
CLASSES = ("2xx", "3xx", "4xx", "5xx")
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
_PREFIXES = {"/api/": "api", "/static/": "static", "/health/": "operation", "/metrics": "operation"}
_KEYS = tuple((face, method, status) for face in FACES for method in METHODS for status in CLASSES)
_WIDTH = 2 + len(BUCKETS)  # count, sum of seconds, and one for each bucket
_NUMBER = struct.Struct("=d")
_SIZE = len(_KEYS) * _WIDTH * _NUMBER.size

Key = tuple[str, str, str]  # face, method, class of status
Application = Callable[..., Awaitable[None]]
Scope = MutableMapping[str, Any]


def folder_of(server: int) -> Path:
    """Where the processes of a server count; `server` is the process that started them."""
    return Path(tempfile.gettempdir()) / f"opilio-requests-{server}"


def clear(server: int) -> None:
    """Forget what a server counted."""
    shutil.rmtree(folder_of(server), ignore_errors=True)


class Counts:
    """The counts of this process."""

    def __init__(self, folder: Path) -> None:
        path = ensure_folder(folder) / f"{os.getpid()}"
        with mapped(path), path.open("w+b") as file:
            path.chmod(0o600)
            file.truncate(_SIZE)
            self._memory = mmap.mmap(file.fileno(), _SIZE)

    def add(self, key: Key, seconds: float) -> None:
        """One more request."""
        start = _KEYS.index(key) * _WIDTH
        self._more(start, 1)
        self._more(start + 1, seconds)
        for place, bound in enumerate(BUCKETS):
            if seconds <= bound:
                self._more(start + 2 + place, 1)

    def _more(self, place: int, number: float) -> None:
        at = place * _NUMBER.size
        _NUMBER.pack_into(self._memory, at, _NUMBER.unpack_from(self._memory, at)[0] + number)

    def close(self) -> None:
        """Let go of the file, which stays."""
        self._memory.close()


def totals(folder: Path) -> dict[Key, tuple[float, ...]]:
    """The sums over all processes: count, seconds, then requests as fast as each bucket or faster."""
    sums = [0.0] * (len(_KEYS) * _WIDTH)
    for path in sorted(folder.glob("[0-9]*")) if folder.is_dir() else ():
        with mapped(path):
            data = path.read_bytes()
        if len(data) == _SIZE:
            sums = [old + new for old, (new,) in zip(sums, _NUMBER.iter_unpack(data), strict=True)]
    rows = {key: tuple(sums[n * _WIDTH : (n + 1) * _WIDTH]) for n, key in enumerate(_KEYS)}
    return {key: row for key, row in rows.items() if row[0]}


def samples(folder: Path) -> Iterator[tuple[str, dict[str, str], float]]:
    """The histogram in Prometheus' form: suffix of the name, labels, number."""
    for (face, method, status), (count, seconds, *fast) in totals(folder).items():
        labels = {"face": face, "method": method, "status": status}
        for bound, number in zip(BUCKETS, fast, strict=True):
            yield "_bucket", {**labels, "le": f"{bound:g}"}, number
        yield "_bucket", {**labels, "le": "+Inf"}, count
        yield "_sum", labels, seconds
        yield "_count", labels, count


def counted(application: Application, counts: Counts, *, face: str = "", clock: Clock = SYSTEM) -> Application:
    """The application, with every answer counted."""

    async def call(scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return await application(scope, receive, send)
        begun = clock.monotonic()

        async def sent(message: Scope) -> None:
            if message["type"] == "http.response.start":
                counts.add(key_of(scope, message["status"], face), clock.monotonic() - begun)
            await send(message)

        return await application(scope, receive, sent)

    return call


def key_of(scope: Scope, status: int, face: str = "") -> Key:
    """Under what a request is counted."""
    path, method = str(scope["path"]), str(scope["method"])
    found = face or next((name for prefix, name in _PREFIXES.items() if path.startswith(prefix)), "page")
    return found, method if method in METHODS else "other", CLASSES[min(max(status // 100 - 2, 0), 3)]
