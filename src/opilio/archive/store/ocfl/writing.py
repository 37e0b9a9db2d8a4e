"""Adds versions to archived objects so that a fall at any moment leaves the old object or the new one.

Contents first, then the inventory, which is exchanged only if nobody else was quicker: that moment is the commit. Its
sidecar and its copy in the version's folder follow; whoever finds them missing completes them.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from opilio.archive.store.errors import ChangedMeanwhile, DamagedObject, KeyTaken, NoObject, VersionTaken
from opilio.archive.store.keys import checked_key, joined
from opilio.archive.store.ocfl import layout
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.store.ocfl.inventory import ALGORITHM, Inventory, Version, sidecar, to_json
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.digests import Algorithm, Digest, Hasher
from opilio.kernel.files import reading

Told = Callable[[str, int, int], None]  # step, bytes done, of how many
_PIECE = 1 << 20  # bytes
_MARK = 16  # characters of a digest that tell contents of one name apart


@dataclass(frozen=True, kw_only=True, slots=True)
class NewVersion:
    """What is to be kept."""

    number: int
    files: Mapping[str, Path]  # logical path → file
    sha256: Mapping[str, str] = field(default_factory=dict)  # logical path → digest in hex that the file must have
    message: str = ""
    user: str = ""
    address: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """What became of it."""

    inventory: Inventory
    written: int  # contents that were new
    bytes: int  # of them
    already: bool = False  # the version was there


@dataclass(frozen=True, kw_only=True, slots=True)
class _Content:
    path: Path
    size: int
    sha512: str
    sha256: str


def keep(
    archive: Archive, identifier: str, new: NewVersion, *, clock: Clock = SYSTEM, told: Told | None = None
) -> Kept:
    """Add a version; one that is there with the same files is left as it is."""
    told = told or (lambda step, done, total: None)
    for path in new.files:
        checked_key(path)
    there = _there(archive, identifier)
    contents = dict(_digested(new, told))
    state = {path: content.sha512 for path, content in contents.items()}
    if there is not None:
        settle(archive, layout.object_root(identifier))
        if new.number <= there[0].head.number:
            return _compared(there[0], new.number, state)
    _require_next(there[0] if there else None, new.number, identifier)
    version = Version(
        number=new.number, created=clock.now(), state=state, message=new.message, user=new.user, address=new.address
    )
    return _add(archive, there, version, identifier, list(contents.items()), told)


def carry(archive: Archive, identifier: str, number: int, message: str, *, user: str, clock: Clock = SYSTEM) -> None:
    """Add a version with the same files as the newest one, for a result that was undone before it was archived."""
    settle(archive, layout.object_root(identifier))
    old, data = archive.found(identifier)
    _require_next(old, number, identifier)
    version = replace(old.head, number=number, created=clock.now(), message=message, user=user, address="")
    inventory = replace(old, versions=(*old.versions, version))
    _commit(archive, layout.object_root(identifier), to_json(inventory), data)
    settle(archive, layout.object_root(identifier))


def settle(archive: Archive, root: str) -> None:
    """Complete what belongs to an inventory: the sidecar, and the copy in the newest version's folder."""
    while True:
        inventory, data = archive.parsed(root)
        _write_sidecar(archive, root, sidecar(data))
        head = joined(root, f"v{inventory.head.number}")
        archive.store.put(joined(head, layout.INVENTORY), data)
        archive.store.put(joined(head, layout.SIDECAR), sidecar(data))
        if archive.sidecar_of(root) == sidecar(archive.parsed(root)[1]):
            return  # otherwise somebody added a version meanwhile, and our sidecar may have come after theirs


def _write_sidecar(archive: Archive, root: str, wanted: bytes) -> None:
    key, found = joined(root, layout.SIDECAR), archive.sidecar_of(root)
    with contextlib.suppress(ChangedMeanwhile, KeyTaken):  # somebody else settles
        if found is None:
            archive.store.put(key, wanted)
        elif found != wanted:
            archive.store.replace(key, wanted, instead_of=found)


def _there(archive: Archive, identifier: str) -> tuple[Inventory, bytes] | None:
    try:
        return archive.found(identifier)
    except NoObject:
        return None


def _require_next(there: Inventory | None, number: int, identifier: str) -> None:
    due = there.head.number + 1 if there else 1
    if number != due:
        remedy = f"Store result {due} first."
        raise VersionTaken(f"version {number} cannot follow on version {due - 1}", where=identifier, remedy=remedy)


def _compared(there: Inventory, number: int, state: Mapping[str, str]) -> Kept:
    if there.version(number).state != state:
        remedy = "An archived version never changes; store a derived result as the next version."
        raise VersionTaken(f"version {number} has other files", where=there.id, remedy=remedy)
    return Kept(inventory=there, written=0, bytes=0, already=True)


def _digested(new: NewVersion, told: Told) -> Iterator[tuple[str, _Content]]:
    """Each file read once for its digests, the known one compared."""
    total = sum(path.stat().st_size for path in new.files.values() if path.is_file())
    done = 0
    for name, path in sorted(new.files.items()):
        long, short = Hasher(ALGORITHM), Hasher(Algorithm.SHA256)
        with reading(path), path.open("rb") as stream:
            while piece := stream.read(_PIECE):
                long.update(piece)
                short.update(piece)
                done += len(piece)
                told("reading files", done, total)
        found = _Content(path=path, size=long.size, sha512=long.digest().value.hex(), sha256=short.digest().value.hex())
        _require_known(name, found, new.sha256.get(name))
        yield name, found


def _require_known(name: str, content: _Content, known: str | None) -> None:
    if known is not None and known != content.sha256:
        remedy = "The file changed since the result was sealed; restore it before it is archived."
        raise DamagedObject(f"{name} has not the digest of its manifest", where=str(content.path), remedy=remedy)


def _add(
    archive: Archive, there: tuple[Inventory, bytes] | None, version: Version, identifier: str,
    contents: list[tuple[str, _Content]], told: Told,
) -> Kept:  # fmt: skip
    root = layout.object_root(identifier)
    old = there[0] if there else Inventory(id=identifier, versions=(), manifest={})
    archive.store.put(joined(root, layout.OBJECT_NAME), layout.OBJECT_TEXT)
    placed = _placed(archive, old, version.number, root, contents, told)
    inventory = replace(
        old,
        versions=(*old.versions, version),
        manifest={**old.manifest, **{content.sha512: (key,) for key, content in placed.items()}},
        fixity=_fixity(old, placed),
    )
    data = to_json(inventory)
    _commit(archive, root, data, there[1] if there else None)
    settle(archive, root)
    for key, content in placed.items():  # in case somebody cleaned them away as strays before the commit
        _put(archive, joined(root, key), content)
    return Kept(inventory=inventory, written=len(placed), bytes=sum(content.size for content in placed.values()))


def _placed(
    archive: Archive, old: Inventory, number: int, root: str, contents: list[tuple[str, _Content]], told: Told
) -> dict[str, _Content]:
    """Store what the object lacks; each content once. Content path → content."""
    placed: dict[str, _Content] = {}
    missing = {content.sha512: (name, content) for name, content in contents if content.sha512 not in old.manifest}
    total, done = sum(content.size for _, content in missing.values()), 0
    for name, content in missing.values():
        placed[_place(archive, root, f"v{number}/{old.content}", name, content)] = content
        done += content.size
        told("storing contents", done, total)
    return placed


def _place(archive: Archive, root: str, folder: str, name: str, content: _Content) -> str:
    """Where a content was put: under its name, or beside another one that a writer left there who fell."""
    try:
        key = joined(folder, name)
        archive.store.put(joined(root, key), content.path, expected=_digest(content))
    except KeyTaken:
        key = joined(folder, content.sha512[:_MARK], name)
        archive.store.put(joined(root, key), content.path, expected=_digest(content))
    return key


def _put(archive: Archive, key: str, content: _Content) -> None:
    if archive.store.head(key) is None:
        archive.store.put(key, content.path, expected=_digest(content))


def _commit(archive: Archive, root: str, data: bytes, old: bytes | None) -> None:
    key = joined(root, layout.INVENTORY)
    try:
        if old is None:
            archive.store.put(key, data)
        else:
            archive.store.replace(key, data, instead_of=old)
    except (KeyTaken, ChangedMeanwhile):
        remedy = "Look at what is there now, then store the result again if it is still missing."
        raise VersionTaken("somebody else added a version first", where=archive.where(key), remedy=remedy) from None


def _fixity(old: Inventory, placed: Mapping[str, _Content]) -> dict[str, Mapping[str, tuple[str, ...]]]:
    """The digests by which manifests of results know their files, beside those of the layout."""
    block = {**old.fixity.get("sha256", {}), **{content.sha256: (key,) for key, content in placed.items()}}
    return {**old.fixity, "sha256": block} if block else dict(old.fixity)


def _digest(content: _Content) -> Digest:
    return Digest(ALGORITHM, bytes.fromhex(content.sha512))
