"""What goes into a package beside the crawl's files: the snapshot, the profile, logs, pictures, and the description."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from opilio.archive.mets.document import document
from opilio.archive.mets.values import PackageFacts
from opilio.archive.packing.parcel import Enclosed, ParcelFile
from opilio.kernel.files import write_atomically

_BESIDE = ("logs/*.log", "logs/*.txt", "reports/*.*", "screenshots/*.*")
_LARGEST = 4_000_000_000  # bytes of one such file


def enclosed(crawl: Path, facts: PackageFacts, aside: Path, *, beside: bool = True) -> Enclosed:
    """The documents, of which some are written `aside` first. `beside`: also what lies beside the crawl's results."""
    made = [
        _written(aside, "snapshot.json", {"digest": facts.snapshot_digest, "sections": facts.sections}, facts),
        _written(aside, "profile.json", _profile(facts), facts),
    ]
    found = [*made, *(_found(crawl) if beside else ())]
    return Enclosed(documents=tuple(found), describe=lambda files: document(facts, files))


def _profile(facts: PackageFacts) -> Mapping[str, Any]:
    names = ("profile", "profile-note", "overrides", "plan", "software")
    return {name: facts.sections.get(name) for name in names}


def _written(aside: Path, name: str, value: Mapping[str, Any], facts: PackageFacts) -> ParcelFile:
    """A document, as old as the deposit: each try at it gives the same package."""
    data = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1, default=str).encode("utf-8", "replace")
    write_atomically(aside / name, data)
    made = facts.packed_at.timestamp()
    os.utime(aside / name, (made, made))
    return ParcelFile(name=name, path=aside / name, size=len(data))


def _found(crawl: Path) -> Iterator[ParcelFile]:
    for pattern in _BESIDE:
        for path in sorted(crawl.glob(pattern)):
            if path.is_file() and not path.is_symlink() and path.stat().st_size <= _LARGEST:
                yield ParcelFile(name=path.relative_to(crawl).as_posix(), path=path, size=path.stat().st_size)
