"""The log of everything the server was asked: JSON lines, written before the answer begins and when it has ended.

Times are seconds of the system's monotonic clock, which all processes share; later tests prove politeness from them.
"""

import json
import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.servers.request import Headers, Request


@dataclass(frozen=True, kw_only=True)
class LogEntry:
    """One request and when it was answered."""

    number: int  # in order of arrival, from 1
    at: float  # monotonic seconds when the request had been read
    answered: float | None = None  # monotonic seconds when the last byte was handed over or the connection was left
    sent: int = 0  # bytes of the answer
    connection: int  # number of the connection, from 1
    peer: str  # address and port of the client
    scheme: str
    host: str  # lower case, without port
    method: str  # empty when the request was malformed
    target: str
    version: str
    headers: Headers

    def header(self, name: str) -> str | None:
        """The first header of that name, in any case."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


class LogWriter:
    """Appends to the log; each line is one write, so a reader never sees two half lines."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._number = 0

    def request(self, request: Request | None, *, connection: int, peer: str, scheme: str) -> int:
        """Note a request, or None for a malformed one; gives its number."""
        self._number += 1
        fields = {"host": "", "method": "", "target": "", "version": "", "headers": ()} if request is None else {
            "host": request.host, "method": request.method, "target": request.target,
            "version": request.version, "headers": request.headers,
        }  # fmt: skip
        self._write({"number": self._number, "connection": connection, "peer": peer, "scheme": scheme, **fields})
        return self._number

    def answered(self, number: int, *, sent: int) -> None:
        """Note the end of an answer."""
        self._write({"answered": number, "sent": sent})

    def _write(self, fields: dict[str, object]) -> None:
        line = json.dumps({"ns": time.monotonic_ns(), **fields}) + "\n"
        os.write(self._file, line.encode())


def read_log(path: Path) -> list[LogEntry]:
    """The entries so far, in order of arrival; a line that is still being written is left for the next reading."""
    entries: dict[int, LogEntry] = {}
    for line in path.read_bytes().splitlines(keepends=True) if path.exists() else ():
        if line.endswith(b"\n"):
            _take(entries, json.loads(line))
    return list(entries.values())


def _take(entries: dict[int, LogEntry], fields: dict[str, Any]) -> None:
    at = fields.pop("ns") / 1e9
    if "answered" in fields:
        number = fields["answered"]
        entries[number] = replace(entries[number], answered=at, sent=fields["sent"])
        return
    headers = tuple((name, value) for name, value in fields.pop("headers"))
    entries[fields["number"]] = LogEntry(at=at, headers=headers, **fields)
