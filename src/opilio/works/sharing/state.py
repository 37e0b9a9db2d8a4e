"""Which files of a harvest the work store holds, and what a machine knows of its own copies. Pure values.

The store's objects are immutable and named by their content; `state.json` beside them says which path has which
content, and is the only thing that is ever replaced.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from opilio.kernel.errors import Damaged

_FORMAT = 1
#: Folders whose files are fetched by those who read captures only: everything else is small beside them.
HEAVY = ("warcs/",)
#: What a crawl that runs left for whoever takes it over; never part of a copy.
CHECKPOINT = "checkpoint/"


@dataclass(frozen=True, slots=True)
class SharedFile:
    """One file, by its content."""

    size: int  # bytes
    sha256: str  # hex

    def key(self, harvest: str, path: str) -> str:
        """Under which its content lies in the store; the name is kept for people who look into the bucket."""
        return f"harvests/{harvest}/files/{self.sha256}/{PurePosixPath(path).name}"


@dataclass(frozen=True, kw_only=True, slots=True)
class SharedState:
    """All files of a harvest."""

    version: int = 0  # grows with every change
    files: Mapping[str, SharedFile] = field(default_factory=dict)

    def changed(self, put: Mapping[str, SharedFile], removed: frozenset[str]) -> "SharedState":
        """The next state; the same one when nothing changes."""
        files = {path: file for path, file in self.files.items() if path not in removed} | dict(put)
        return self if files == self.files else SharedState(version=self.version + 1, files=files)

    def keys(self, harvest: str) -> frozenset[str]:
        """The objects that it needs."""
        return frozenset(file.key(harvest, path) for path, file in self.files.items())


@dataclass(frozen=True, slots=True)
class Copy:
    """A file on this machine's disk that is, or was, the same as the one in the store."""

    size: int
    changed: int  # nanoseconds, as the disk tells
    sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Copies:
    """What of a harvest is on this machine."""

    version: int = -1  # of the state that was copied
    heavy: bool = False  # whether with its captures
    files: Mapping[str, Copy] = field(default_factory=dict)


def state_to_json(state: SharedState) -> bytes:
    """As it lies in the store."""
    files = {path: [file.size, file.sha256] for path, file in sorted(state.files.items())}
    return json.dumps({"format": _FORMAT, "version": state.version, "files": files}).encode()


def state_from_json(data: bytes, where: str) -> SharedState:
    """Read again; `Damaged` when it is something else."""
    found = _document(data, where)
    files = {str(path): SharedFile(int(size), str(digest)) for path, (size, digest) in found["files"].items()}
    if any(not _inside(path) for path in files):
        raise _damaged(where)
    return SharedState(version=int(found["version"]), files=files)


def copies_to_json(copies: Copies) -> bytes:
    """As it lies on the disk."""
    files = {path: [one.size, one.changed, one.sha256] for path, one in copies.files.items()}
    return json.dumps(
        {"format": _FORMAT, "version": copies.version, "heavy": copies.heavy, "files": files}
    ).encode()  # fmt: skip


def copies_from_json(data: bytes, where: str) -> Copies:
    """Read again."""
    found = _document(data, where)
    files = {str(path): Copy(int(size), int(at), str(digest)) for path, (size, at, digest) in found["files"].items()}
    return Copies(version=int(found["version"]), heavy=bool(found["heavy"]), files=files)


def _document(data: bytes, where: str) -> dict[str, Any]:
    try:
        found = json.loads(data)
        if found["format"] != _FORMAT or not isinstance(found["files"], dict):
            raise _damaged(where)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _damaged(where) from None
    return dict(found)


def _inside(path: str) -> bool:
    parts = path.split("/")
    return bool(path) and not path.startswith("/") and not {"", ".", ".."} & set(parts) and "\x00" not in path


def _damaged(where: str) -> Damaged:
    remedy = "Restore the object from a copy of the bucket, or send the harvest again from a machine that has it."
    return Damaged("the list of a harvest's files cannot be read", where=where, remedy=remedy)
