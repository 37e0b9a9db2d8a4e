"""Reads every kept file of a harvest again and compares it with its digest; what is damaged comes from the other copy.

Two copies are known: the harvest's folder, by the manifests of its results, and its object in the archive, by its
inventory. A copy is believed only if it has the digest that the damaged file should have. No Django.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from opilio.archive.results.errors import DamagedResult
from opilio.archive.results.folder import ResultsFolder, number_of
from opilio.archive.results.manifest import read_manifest, sha256_of
from opilio.archive.store.errors import BrokenInventory, DamagedObject, NoObject, NoSuchKey
from opilio.archive.store.keys import joined
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.store.ocfl.checking import check_object
from opilio.archive.store.ocfl.inventory import Inventory
from opilio.archive.store.ocfl.layout import object_root
from opilio.kernel.digests import Algorithm, Digest, Hasher, digest_of_stream
from opilio.kernel.errors import OpilioError
from opilio.kernel.files import writing

Told = Callable[[int], None]  # bytes read
_PIECE = 1 << 20  # bytes
_READ_ONLY = 0o444
_BY_HAND = "Restore it from a backup."
MOST_TOLD = 200  # damaged files of one reading that are described


@dataclass(frozen=True, kw_only=True, slots=True)
class Damage:
    """A file that is not as it was."""

    name: str
    what: str
    repaired: bool = False
    how: str = ""  # what was done, or why nothing could be


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What a reading of one copy came to."""

    files: int
    bytes: int
    damages: tuple[Damage, ...] = ()

    @property
    def repaired(self) -> int:
        """How many damaged files are whole again."""
        return sum(each.repaired for each in self.damages)


@dataclass(frozen=True, kw_only=True, slots=True)
class Copies:
    """Where the two copies of a harvest are."""

    folder: Path
    archive: Archive | None = None  # None: there is none
    identifier: str = ""

    def inventory(self) -> Inventory | None:
        """What the archive has of the harvest."""
        if self.archive is None:
            return None
        try:
            return self.archive.inventory(self.identifier)
        except NoObject:
            return None


def expected(folder: Path) -> dict[str, str]:
    """The files of all results of a harvest with their sha256; those that a purge removed are not among them."""
    manifests = sorted(path for path in ResultsFolder(folder).path.glob("result-*.sha256") if number_of(path))
    return {name: digest for manifest in manifests for name, digest in read_manifest(manifest).items()}


def read_home(copies: Copies, *, repair: bool = True, told: Told = lambda size: None) -> Reading:
    """Read the folder of a harvest."""
    try:
        wanted = expected(copies.folder)
    except DamagedResult as error:
        return Reading(files=0, bytes=0, damages=(Damage(name=error.where, what=error.what, how=_BY_HAND),))
    damages, size = [], 0
    for name, digest in wanted.items():
        path = copies.folder / name
        what = _wrong(path, digest, told)
        size += path.stat().st_size if path.is_file() else 0
        if what:
            damages.append(_mended_home(copies, name, digest, what) if repair else Damage(name=name, what=what))
    return Reading(files=len(wanted), bytes=size, damages=tuple(damages))


def read_archive(copies: Copies, *, repair: bool = True, told: Told = lambda size: None) -> Reading | None:
    """Read the object of a harvest in the archive; None when the archive has none."""
    if copies.archive is None:
        return None
    root = object_root(copies.identifier)
    try:
        inventory = copies.inventory()
    except BrokenInventory as error:
        return Reading(files=0, bytes=0, damages=(Damage(name=root, what=error.what, how=_BY_HAND),))
    if inventory is None:
        return None
    read = _Read(told)
    faults = {fault.where: fault.what for fault in check_object(copies.archive, root, told=read)}
    contents = {joined(root, path): digest for digest, paths in inventory.manifest.items() for path in paths}
    damages = []
    for key, what in faults.items():
        if repair and key in contents:
            damages.append(_mended_archive(copies, inventory, key, contents[key], what))
        else:
            damages.append(Damage(name=key, what=what, how=_BY_HAND if repair else ""))
    return Reading(files=len(contents), bytes=read.size, damages=tuple(damages))


class _Read:
    """Counts bytes on their way."""

    def __init__(self, told: Told) -> None:
        self.size = 0
        self._told = told

    def __call__(self, size: int) -> None:
        self.size += size
        self._told(size)


def _wrong(path: Path, digest: str, told: Told) -> str:
    if not path.is_file():
        return "The file is missing."
    try:
        found = sha256_of(path, told)
    except OpilioError as error:
        return f"The file cannot be read: {error.what}."
    return "" if found == digest else "The file has not its recorded digest."


def _mended_home(copies: Copies, name: str, digest: str, what: str) -> Damage:
    try:
        inventory = copies.inventory()
    except BrokenInventory as error:
        return Damage(name=name, what=what, how=f"The archive cannot help: {error.what}.")
    keys = list(_contents_named(inventory, name)) if inventory is not None else []
    if copies.archive is None or not keys:
        return Damage(name=name, what=what, how="There is no other copy.")
    for key in keys:
        try:
            with copies.archive.store.open(joined(object_root(copies.identifier), key)) as stream:
                _replace(copies.folder / name, stream, Digest(Algorithm.SHA256, bytes.fromhex(digest)))
        except (DamagedObject, NoSuchKey):
            continue
        return Damage(name=name, what=what, repaired=True, how=f"Copied from the archive: {key}.")
    return Damage(name=name, what=what, how="The copy in the archive has another digest too.")


def _contents_named(inventory: Inventory, name: str) -> Iterator[str]:
    """Where the archive keeps the contents that a file had in each version, the newest first; each once."""
    seen: set[str] = set()
    for version in reversed(inventory.versions):
        digest = version.state.get(name)
        if digest is not None and digest not in seen:
            seen.add(digest)
            yield from inventory.manifest[digest]


def _replace(path: Path, source: BinaryIO, wanted: Digest) -> None:
    """Put a copy in the place of a file, once it is known to be what it should be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else _READ_ONLY
    hasher = Hasher(wanted.algorithm)
    with writing(path, mode=mode) as target:
        while piece := source.read(_PIECE):
            hasher.update(piece)
            target.write(piece)
        if not hasher.digest().matches(wanted):
            raise DamagedObject("the other copy has another digest", where=str(path), remedy="Restore a backup.")


def _mended_archive(copies: Copies, inventory: Inventory, key: str, digest: str, what: str) -> Damage:
    archive = copies.archive
    wanted = Digest(Algorithm.SHA512, bytes.fromhex(digest))
    names = {name for version in inventory.versions for name, each in version.state.items() if each == digest}
    for name in sorted(names):
        path = copies.folder / name
        if archive is None or not path.is_file() or not _has(path, wanted):
            continue
        archive.store.delete(key)
        archive.store.put(key, path, expected=wanted)
        return Damage(name=key, what=what, repaired=True, how=f"Copied from the folder of the harvest: {name}.")
    return Damage(name=key, what=what, how="There is no other copy with its digest.")


def _has(path: Path, wanted: Digest) -> bool:
    with path.open("rb") as stream:
        return digest_of_stream(stream, wanted.algorithm).matches(wanted)
