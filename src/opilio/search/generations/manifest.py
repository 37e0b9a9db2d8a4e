"""What a generation is made of: each file with its digest, the counts, and questions with the answers they must get.

The last field, `seal`, is the SHA-256 of all the others, so that damage to the manifest itself is found, too.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from opilio.search.generations.errors import BrokenManifest
from opilio.search.generations.identifiers import is_id

MANIFEST = "manifest.json"
FORMAT = 1
LARGEST = 64 << 20  # bytes of a manifest that are read
_SHA256 = re.compile(r"[0-9a-f]{64}")
_BAD_NAME = re.compile(r"[\x00-\x1f\x7f\\]|^[A-Za-z]:|^\s|\s$")
_LONGEST_PART, _LONGEST_NAME = 255, 1_000  # bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class FileEntry:
    """A file of a generation."""

    name: str  # relative, with /
    size: int  # bytes
    sha256: str  # hex


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """A question, and what the index must answer."""

    query: str
    total: int  # how many results
    expected: tuple[str, ...]  # the first results, in order


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest:
    """A generation, described."""

    id: str
    made: datetime  # aware, UTC
    parent: str = ""  # the generation it grew from; empty when built from nothing
    software: str = ""  # version of Opilio
    analyzer: str = ""  # fingerprint of the analysis that made the terms
    counts: Mapping[str, int] = field(default_factory=dict)  # of pages, documents, …
    sources: Mapping[str, str] = field(default_factory=dict)  # what went in → its fingerprint
    files: tuple[FileEntry, ...] = ()
    probes: tuple[Probe, ...] = ()

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(entry.size for entry in self.files)


def dumped(manifest: Manifest) -> bytes:
    """The manifest as the file holds it."""
    document: dict[str, Any] = {"format": FORMAT, **asdict(manifest), "made": manifest.made.isoformat()}
    document["seal"] = _seal(document)
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"


def parsed(text: bytes, *, where: str) -> Manifest:
    """The manifest in a file; `BrokenManifest` unless every field is as it was written."""
    try:
        document = json.loads(text[: LARGEST + 1])
        if document.pop("format") != FORMAT:
            raise _broken("its format is not known to this version of Opilio", where)
        if document.pop("seal") != _seal({"format": FORMAT, **document}):
            raise _broken("its seal does not fit", where)
        return _manifest(document, where)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
        raise _broken(f"it cannot be read ({type(error).__name__})", where) from error


def _manifest(document: Mapping[str, Any], where: str) -> Manifest:
    found = Manifest(
        id=document["id"],
        made=datetime.fromisoformat(document["made"]).astimezone(UTC),
        parent=str(document["parent"]),
        software=str(document["software"]),
        analyzer=str(document["analyzer"]),
        counts={str(name): int(count) for name, count in document["counts"].items()},
        sources={str(name): str(mark) for name, mark in document["sources"].items()},
        files=tuple(FileEntry(**entry) for entry in document["files"]),
        probes=tuple(_probe(each) for each in document["probes"]),
    )
    if not is_id(found.id) or (found.parent and not is_id(found.parent)):
        raise _broken("it names no generation", where)
    _check_names(found.files, where)
    return found


def _probe(given: Mapping[str, Any]) -> Probe:
    return Probe(query=str(given["query"]), total=int(given["total"]), expected=tuple(map(str, given["expected"])))


def _check_names(files: tuple[FileEntry, ...], where: str) -> None:
    """No name leads elsewhere, none comes twice, none is a folder of another."""
    names = {entry.name for entry in files}
    if len(names) != len(files):
        raise _broken("it lists a file twice", where)
    for entry in files:
        if not good_name(entry.name) or any(str(above) in names for above in PurePosixPath(entry.name).parents):
            raise _broken(f"the name {entry.name[:80]!r} cannot be used", where)
        if not _SHA256.fullmatch(entry.sha256) or not isinstance(entry.size, int) or entry.size < 0:
            raise _broken(f"the digest or size of {entry.name[:80]!r} cannot be", where)


def good_name(name: str) -> bool:
    """Whether a name stays inside the folder of its generation, on a disk and in a bucket."""
    if not isinstance(name, str) or not name or name == MANIFEST or _BAD_NAME.search(name) or not name.isprintable():
        return False
    parts = name.split("/")
    too_long = len(name.encode()) > _LONGEST_NAME or any(len(part.encode()) > _LONGEST_PART for part in parts)
    return not too_long and all(part not in ("", ".", "..") for part in parts)


def _seal(document: Mapping[str, Any]) -> str:
    text = json.dumps(document, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _broken(why: str, where: str) -> BrokenManifest:
    remedy = "Publish or build the generation again; another one stays in use."
    return BrokenManifest(f"the manifest is damaged: {why}", where=where, remedy=remedy)
