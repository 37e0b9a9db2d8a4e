"""The inventory of an archived object: which files each version has, and where their contents lie (OCFL 1.1 §3.5)."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from opilio.archive.store.errors import BrokenInventory, NoObject
from opilio.archive.store.ocfl.inventory_rules import faults_of
from opilio.kernel.digests import Algorithm, digest_of

TYPE = "https://ocfl.io/1.1/spec/#inventory"
ALGORITHM = Algorithm.SHA512
LARGEST = 256 << 20  # bytes of an inventory that is read


@dataclass(frozen=True, kw_only=True, slots=True)
class Version:
    """One version: its files by logical path, and who made it, when and why."""

    number: int
    created: datetime  # aware
    state: Mapping[str, str]  # logical path → digest in hex
    message: str = ""
    user: str = ""
    address: str = ""  # of the user: mailto:… or a URL


@dataclass(frozen=True, kw_only=True, slots=True)
class Inventory:
    """All versions of an object."""

    id: str
    versions: tuple[Version, ...]
    manifest: Mapping[str, tuple[str, ...]]  # digest in hex → content paths
    fixity: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)  # algorithm → digest → paths
    content: str = "content"  # name of the content folder of each version

    @property
    def head(self) -> Version:
        """The newest version."""
        return self.versions[-1]

    def version(self, number: int | None) -> Version:
        """The version of a number; the newest for None."""
        if number is None:
            return self.head
        if not 1 <= number <= len(self.versions):
            remedy = f"Ask for a result from 1 to {len(self.versions)}."
            raise NoObject(f"there is no result {number}", where=self.id, remedy=remedy)
        return self.versions[number - 1]

    def content_path(self, path: str, number: int | None = None) -> str:
        """Where the content of a version's file lies."""
        digest = self.version(number).state.get(path)
        if digest is None:
            raise NoObject(f"the version has no file {path[:200]}", where=self.id, remedy="List its files first.")
        return self.manifest[digest][0]

    def paths(self) -> set[str]:
        """Every content path."""
        return {path for paths in self.manifest.values() for path in paths}


def to_json(inventory: Inventory) -> bytes:
    """The file of an inventory; the same bytes for the same inventory."""
    document: dict[str, Any] = {
        "id": inventory.id,
        "type": TYPE,
        "digestAlgorithm": ALGORITHM.value,
        "head": f"v{inventory.head.number}",
        "manifest": {digest: list(paths) for digest, paths in sorted(inventory.manifest.items())},
        "versions": {f"v{each.number}": _version_json(each) for each in inventory.versions},
    }
    if inventory.content != "content":
        document["contentDirectory"] = inventory.content
    if inventory.fixity:
        document["fixity"] = {
            algorithm: {digest: list(paths) for digest, paths in sorted(block.items())}
            for algorithm, block in sorted(inventory.fixity.items())
        }
    return json.dumps(document, indent=1, ensure_ascii=False).encode() + b"\n"


def sidecar(inventory: bytes) -> bytes:
    """The file beside an inventory that holds its digest (OCFL 1.1 §3.6)."""
    return f"{digest_of(inventory, ALGORITHM).value.hex()} inventory.json\n".encode()


def parse(data: bytes, *, where: str) -> Inventory:
    """An inventory from its file; `BrokenInventory`, naming every fault, when it is none."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise _broken(["it is no JSON in UTF-8"], where) from None
    faults = list(faults_of(document))
    if faults:
        raise _broken(faults, where)
    return Inventory(
        id=document["id"],
        versions=tuple(
            _version(number, document["versions"][f"v{number}"]) for number in range(1, len(document["versions"]) + 1)
        ),
        manifest=_folded(document["manifest"]),
        fixity={name: _folded(block) for name, block in document.get("fixity", {}).items()},
        content=document.get("contentDirectory", "content"),
    )


def _version_json(version: Version) -> dict[str, Any]:
    state: dict[str, list[str]] = {}
    for path, digest in sorted(version.state.items()):
        state.setdefault(digest, []).append(path)
    document: dict[str, Any] = {"created": version.created.isoformat(), "state": state}
    if version.message:
        document["message"] = version.message
    if version.user:
        document["user"] = {"name": version.user, **({"address": version.address} if version.address else {})}
    return document


def _version(number: int, document: dict[str, Any]) -> Version:
    user = document.get("user", {})
    return Version(
        number=number,
        created=datetime.fromisoformat(document["created"]),
        state={path: digest.lower() for digest, paths in document["state"].items() for path in paths},
        message=document.get("message", ""),
        user=user.get("name", ""),
        address=user.get("address", ""),
    )


def _folded(block: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {digest.lower(): tuple(paths) for digest, paths in block.items()}


def _broken(faults: Iterable[str], where: str) -> BrokenInventory:
    told = list(faults)
    error = BrokenInventory(
        f"the inventory cannot be used: {'; '.join(told[:5])}", where=where, remedy="Restore it from a copy."
    )
    error.faults = told
    return error
