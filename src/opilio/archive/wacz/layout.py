"""The names inside a WACZ, and the two documents that describe it (WACZ 1.1.1, Frictionless Data Package)."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

VERSION = "1.1.1"
DATAPACKAGE = "datapackage.json"
DIGEST = "datapackage-digest.json"
ARCHIVE = "archive/"
INDEX = "indexes/index.cdx.gz"
INDEX_KEYS = "indexes/index.idx"
PAGES = "pages/pages.jsonl"
EXTRA_PAGES = "pages/extraPages.jsonl"

_NOT_IN_A_NAME = re.compile(r"[^-a-z0-9._/]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A file inside the package."""

    path: str
    bytes: int
    sha256: str  # hex


@dataclass(frozen=True, kw_only=True, slots=True)
class About:
    """What the package says about itself; empty fields are left out."""

    created: str  # ISO 8601, UTC, seconds
    software: str
    title: str = ""
    description: str = ""
    main_page_url: str = ""
    main_page_date: str = ""  # ISO 8601


def datapackage(about: About, entries: Sequence[Entry]) -> bytes:
    """The document that lists every file with its digest."""
    told: dict[str, Any] = {
        "profile": "data-package",
        "wacz_version": VERSION,
        "software": about.software,
        "created": about.created,
        "title": about.title,
        "description": about.description,
        "mainPageUrl": about.main_page_url,
        "mainPageDate": about.main_page_date,
        "resources": _resources(entries),
    }
    return _json({name: value for name, value in told.items() if value != ""})


def package_digest(sha256: str, signed: Mapping[str, str] | None) -> bytes:
    """The document that holds the digest of the other, and the signature where there is one."""
    told: dict[str, Any] = {"path": DATAPACKAGE, "hash": f"sha256:{sha256}"}
    return _json({**told, "signedData": dict(signed)} if signed else told)


def _resources(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    taken: set[str] = set()
    return [
        {
            "name": _name(entry.path, taken),
            "path": entry.path,
            "hash": f"sha256:{entry.sha256}",
            "bytes": entry.bytes,
        }
        for entry in entries
    ]


def _name(path: str, taken: set[str]) -> str:
    """A name as data packages allow it, each once."""
    plain = _NOT_IN_A_NAME.sub("-", path.rpartition("/")[2].lower())
    name, number = plain, 2
    while name in taken:
        name, number = f"{number}-{plain}", number + 1
    taken.add(name)
    return name


def _json(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, indent=2, ensure_ascii=False).encode("utf-8", "replace")
