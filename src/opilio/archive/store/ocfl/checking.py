"""Says every fault of an archive: its declaration, each object's inventory, files and digests (OCFL 1.1 §3, §4)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from opilio.archive.store.errors import BrokenInventory
from opilio.archive.store.keys import joined
from opilio.archive.store.ocfl import layout
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.store.ocfl.inventory import ALGORITHM, LARGEST, Inventory, parse, sidecar
from opilio.archive.store.store import Store
from opilio.kernel.digests import Algorithm, Hasher

Told = Callable[[int], None]  # bytes read
_PIECE = 1 << 20
_ALGORITHMS = frozenset(algorithm.value for algorithm in Algorithm)
_SMALL = 1 << 16
_OWN = ("logs", "extensions")  # folders of an object in which anything may lie


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchiveFault:
    """Something that is not as it should be."""

    where: str  # key in the store
    what: str


def check_root(archive: Archive) -> Iterator[ArchiveFault]:
    """Faults of the archive itself, and files that belong to no object."""
    if _small(archive.store, layout.ROOT_NAME) != layout.ROOT_TEXT:
        yield ArchiveFault(where=layout.ROOT_NAME, what="the declaration of the archive has another text")
    roots = set(archive.roots())
    unfinished = set()
    for stored in archive.store.list():
        parts = stored.key.split("/")
        root = "/".join(parts[:4])
        if len(parts) == 1 or parts[0] == "extensions" or root in roots:
            continue
        if len(parts) > 4 and layout.is_root(root):
            unfinished.add(root)
        else:
            yield ArchiveFault(where=stored.key, what="the file belongs to no object")
    for root in sorted(unfinished):
        yield ArchiveFault(where=root, what="the object has no inventory: a writer fell before it was finished")


def check_object(archive: Archive, root: str, *, deep: bool = True, told: Told | None = None) -> Iterator[ArchiveFault]:
    """Faults of one object; `deep` reads every content and compares its digests."""
    store = archive.store
    if _small(store, joined(root, layout.OBJECT_NAME)) != layout.OBJECT_TEXT:
        yield ArchiveFault(
            where=joined(root, layout.OBJECT_NAME), what="the declaration is missing or has another text"
        )
    try:
        data, inventory = _inventory(store, root)
    except BrokenInventory as error:
        for fault in error.faults or (error.what,):
            yield ArchiveFault(where=joined(root, layout.INVENTORY), what=fault)
        return
    if layout.object_root(inventory.id) != root:
        yield ArchiveFault(where=joined(root, layout.INVENTORY), what="the identifier belongs to another place")
    yield from _sidecars(archive, root, inventory, data)
    yield from _files(store, root, inventory)
    if deep:
        yield from _contents(store, root, inventory, told or (lambda size: None))


def _inventory(store: Store, folder: str) -> tuple[bytes, Inventory]:
    key = joined(folder, layout.INVENTORY)
    data = store.read(key, 0, LARGEST)
    return data, parse(data, where=key)


def _sidecars(archive: Archive, root: str, inventory: Inventory, data: bytes) -> Iterator[ArchiveFault]:
    if archive.sidecar_of(root) != sidecar(data):
        what = "the digest beside the inventory is missing or another one; after a fall, cleaning mends it"
        yield ArchiveFault(where=joined(root, layout.SIDECAR), what=what)
    for version in inventory.versions:
        yield from _version(archive, root, inventory, version.number, data)


def _version(archive: Archive, root: str, inventory: Inventory, number: int, data: bytes) -> Iterator[ArchiveFault]:
    """The copy of the inventory that each version's folder has."""
    folder = joined(root, f"v{number}")
    key = joined(folder, layout.INVENTORY)
    if archive.store.head(key) is None:
        yield ArchiveFault(where=key, what="the version has no copy of its inventory")
        return
    try:
        copy, found = _inventory(archive.store, folder)
    except BrokenInventory as error:
        yield ArchiveFault(where=key, what=error.what)
        return
    if archive.sidecar_of(folder) != sidecar(copy):
        yield ArchiveFault(where=joined(folder, layout.SIDECAR), what="the digest beside the inventory is another one")
    if number == inventory.head.number and copy != data:
        yield ArchiveFault(where=key, what="the copy of the newest version differs from the inventory")
    states = [each.state for each in inventory.versions[:number]]
    if found.id != inventory.id or [each.state for each in found.versions] != states:
        yield ArchiveFault(where=key, what="the copy tells of other files than the inventory")


def _files(store: Store, root: str, inventory: Inventory) -> Iterator[ArchiveFault]:
    """Contents that are missing, and files that nobody knows."""
    missing = inventory.paths()
    known = expected_names(inventory)
    for stored in store.list(root):
        path = stored.key.removeprefix(f"{root}/")
        if path in missing:
            missing.discard(path)
        elif path not in known and path.split("/")[0] not in _OWN:
            yield ArchiveFault(where=stored.key, what="the inventory does not know this file")
    for path in sorted(missing):
        yield ArchiveFault(where=joined(root, path), what="the content is missing")


def expected_names(inventory: Inventory) -> set[str]:
    """The files of an object beside its contents."""
    folders = ["", *(f"v{version.number}" for version in inventory.versions)]
    return {
        layout.OBJECT_NAME,
        *(joined(each, name) for each in folders for name in (layout.INVENTORY, layout.SIDECAR)),
    }


def _contents(store: Store, root: str, inventory: Inventory, told: Told) -> Iterator[ArchiveFault]:
    fixity = _fixity(inventory)
    for digest, paths in inventory.manifest.items():
        for path in paths:
            key = joined(root, path)
            if store.head(key) is not None:
                wanted = {ALGORITHM: digest, **fixity.get(path, {})}
                yield from _content(store, key, wanted, told)


def _content(store: Store, key: str, wanted: dict[Algorithm, str], told: Told) -> Iterator[ArchiveFault]:
    hashers = [Hasher(algorithm) for algorithm in wanted]
    with store.open(key) as stream:
        while piece := stream.read(_PIECE):
            for hasher in hashers:
                hasher.update(piece)
            told(len(piece))
    for hasher in hashers:
        if hasher.digest().value.hex() != wanted[hasher.algorithm]:
            yield ArchiveFault(where=key, what=f"the content has not its recorded {hasher.algorithm}")


def _fixity(inventory: Inventory) -> dict[str, dict[Algorithm, str]]:
    """Content path → the further digests that we can make."""
    found: dict[str, dict[Algorithm, str]] = {}
    for name, block in inventory.fixity.items():
        if name in _ALGORITHMS:
            for digest, paths in block.items():
                for path in paths:
                    found.setdefault(path, {})[Algorithm(name)] = digest
    return found


def _small(store: Store, key: str) -> bytes | None:
    return store.read(key, 0, _SMALL) if store.head(key) is not None else None
