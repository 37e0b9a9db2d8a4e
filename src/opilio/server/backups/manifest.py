"""What a backup says about itself: `manifest.json`. Read with distrust: a fault is named by its place.

Format 1; docs/howto/backup-and-restore.md lists the fields.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from opilio.server.errors import DamagedBackup, NewerDatabase, NoBackup

FORMAT = 1
NAME = "manifest.json"
_LARGEST = 2_000_000_000  # bytes; an archive of ten million files stays below


@dataclass(frozen=True, kw_only=True)
class FileEntry:
    """A file, by its path below the backup or the home folder."""

    path: str
    size: int  # bytes
    sha256: str  # empty: the backup was taken without digests of the archive


@dataclass(frozen=True, kw_only=True)
class TableEntry:
    """How many rows a table has, and a digest over them that does not depend on their order."""

    rows: int
    digest: str


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """All that is needed to check a backup before anything is touched."""

    opilio: str  # version that took it
    made: str  # ISO 8601, UTC
    engine: str  # sqlite or postgresql
    engine_version: str
    migrations: tuple[tuple[str, str], ...]
    tables: Mapping[str, TableEntry]
    dump: FileEntry
    secrets: tuple[FileEntry, ...] = ()
    archive: tuple[FileEntry, ...] = ()


def to_json(manifest: Manifest) -> bytes:
    """The manifest as it is stored."""
    return json.dumps({"format": FORMAT, **asdict(manifest)}, indent=1, ensure_ascii=False).encode()


def read(folder: Path) -> Manifest:
    """The manifest of the backup in `folder`."""
    path = folder / NAME
    if not path.is_file():
        raise NoBackup("There is no manifest.json", where=str(folder), remedy="Name a folder or .tar of `db backup`.")
    if path.stat().st_size > _LARGEST:
        raise _damaged("it is too large", path)
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise _damaged(f"it is not JSON: {error}", path) from error
    if not isinstance(found, dict) or not isinstance(found.get("format"), int):
        raise _damaged("it names no format", path)
    if found["format"] > FORMAT:
        raise NewerDatabase(
            f"The backup has format {found['format']}; this Opilio reads {FORMAT}",
            where=str(path),
            remedy="Restore it with the version that took it.",
        )
    try:
        return _manifest(found)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _damaged(f"a field is missing or wrong: {error}", path) from error


def _manifest(found: dict[str, Any]) -> Manifest:
    return Manifest(
        opilio=str(found["opilio"]),
        made=str(found["made"]),
        engine=str(found["engine"]),
        engine_version=str(found["engine_version"]),
        migrations=tuple((str(app), str(name)) for app, name in found["migrations"]),
        tables={str(name): TableEntry(**_typed(one)) for name, one in found["tables"].items()},
        dump=FileEntry(**_typed(found["dump"])),
        secrets=tuple(FileEntry(**_typed(one)) for one in found["secrets"]),
        archive=tuple(FileEntry(**_typed(one)) for one in found["archive"]),
    )


def _typed(entry: dict[str, Any]) -> dict[str, Any]:
    for name, value in entry.items():
        wanted = int if name in ("rows", "size") else str
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise ValueError(f"{name} is {value!r:.80}")
    path = entry.get("path", "file")
    if path.startswith("/") or ".." in path.split("/"):
        raise ValueError(f"the path {path!r:.200} leads outside")
    return entry


def _damaged(what: str, path: Path) -> DamagedBackup:
    return DamagedBackup(f"The manifest cannot be used: {what}", where=str(path), remedy="Use another backup.")
