"""An archive in a store: begun once, its objects found and read. Works on every `Store`."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from opilio.archive.store.errors import (
    BrokenInventory,
    DamagedObject,
    KeyTaken,
    NoArchive,
    NoObject,
    OccupiedStore,
    UnfitStore,
)
from opilio.archive.store.keys import joined
from opilio.archive.store.ocfl import layout
from opilio.archive.store.ocfl.inventory import LARGEST, Inventory, parse, sidecar
from opilio.archive.store.store import Store
from opilio.kernel.digests import Algorithm, Digest, Hasher
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import ensure_folder, writing
from opilio.kernel.names import inside

Told = Callable[[int, int], None]  # files done, of how many
_PIECE = 1 << 20  # bytes
_LOOKS = 3  # a writer may change the inventory between our look at it and at its sidecar


class Archive:
    """Archived harvests. An object counts once it has its inventory."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @classmethod
    def begin(cls, store: Store) -> "Archive":
        """The archive of a store, made if the store is empty; `OccupiedStore` when it holds something else."""
        if store.head(layout.ROOT_NAME) is None:
            _refuse_contents(store)
            for name, data in layout.declarations().items():
                store.put(name, data)
            _prove_conditions(store)
        return cls.open(store)

    @classmethod
    def open(cls, store: Store) -> "Archive":
        """The archive of a store; `NoArchive` when there is none."""
        if store.head(layout.ROOT_NAME) is None:
            remedy = "Check the address, or store a first result there: opilio archive store put."
            raise NoArchive("there is no archive in this store", where=store.address, remedy=remedy)
        config = store.head(layout.CONFIG_NAME)
        if config is None or not layout.is_this_layout(store.read(layout.CONFIG_NAME, 0, _PIECE)):
            remedy = f"Use a store whose layout is {layout.EXTENSION} with its ordinary parameters."
            raise OccupiedStore("the archive has another layout", where=store.address, remedy=remedy)
        return cls(store)

    def identifiers(self) -> Iterator[str]:
        """The identifier of every object; one whose inventory cannot be read is an error."""
        for root in self.roots():
            yield self.parsed(root)[0].id

    def roots(self) -> Iterator[str]:
        """Where objects lie."""
        for stored in self.store.list():
            parts = stored.key.split("/")
            if len(parts) == 5 and parts[4] == layout.INVENTORY:
                yield "/".join(parts[:4])

    def inventory(self, identifier: str) -> Inventory:
        """The inventory of an object."""
        return self.found(identifier)[0]

    def found(self, identifier: str) -> tuple[Inventory, bytes]:
        """The inventory and its file; `NoObject` when there is none."""
        root = layout.object_root(identifier)
        if self.store.head(joined(root, layout.INVENTORY)) is None:
            remedy = "List what is there: opilio archive store list."
            raise NoObject(f"the archive has no {identifier}", where=self.store.address, remedy=remedy)
        inventory, data = self.parsed(root)
        if inventory.id != identifier:
            raise BrokenInventory(f"it is that of {inventory.id[:100]}", where=self.where(root), remedy="Restore it.")
        return inventory, data

    def open_file(self, identifier: str, path: str, version: int | None = None) -> BinaryIO:
        """A file of a version, as a stream."""
        key = self.inventory(identifier).content_path(path, version)
        return self.store.open(joined(layout.object_root(identifier), key))

    def export(
        self, identifier: str, folder: Path, version: int | None = None, told: Told = lambda done, of: None
    ) -> int:
        """Write a version's files into an empty folder, each checked by its digest on the way; how many."""
        inventory = self.inventory(identifier)
        state = inventory.version(version).state
        ensure_folder(folder)
        if any(folder.iterdir()):
            raise InvalidInput("the folder is not empty", where=str(folder), remedy="Name a new one.")
        for done, (path, digest) in enumerate(state.items()):
            told(done, len(state))
            self._export(joined(layout.object_root(identifier), inventory.manifest[digest][0]), digest, folder, path)
        return len(state)

    def where(self, key: str) -> str:
        """A key with its store, for messages."""
        return joined(self.store.address, key)

    def _export(self, key: str, digest: str, folder: Path, path: str) -> None:
        target = inside(folder, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        hasher = Hasher(Algorithm.SHA512)
        with self.store.open(key) as stream, writing(target) as copy:
            while piece := stream.read(_PIECE):
                hasher.update(piece)
                copy.write(piece)
            if not hasher.digest().matches(Digest(Algorithm.SHA512, bytes.fromhex(digest))):
                remedy = "Check the object: opilio archive store check; restore it from another copy."
                raise DamagedObject("the content has not its recorded digest", where=self.where(key), remedy=remedy)

    def parsed(self, root: str) -> tuple[Inventory, bytes]:
        """The inventory of an object, proven by its sidecar, or by being newer than it."""
        key = joined(root, layout.INVENTORY)
        for _ in range(_LOOKS):
            data = self.store.read(key, 0, LARGEST)
            inventory = parse(data, where=self.where(key))
            beside = self.sidecar_of(root)
            if beside == sidecar(data) or self._is_settling(root, inventory, data, beside):
                return inventory, data
        remedy = "Restore the inventory from a copy, such as that of its newest version."
        raise BrokenInventory("the inventory has not the digest beside it", where=self.where(key), remedy=remedy)

    def sidecar_of(self, folder: str) -> bytes | None:
        """The file beside an inventory; None when there is none."""
        key = joined(folder, layout.SIDECAR)
        return self.store.read(key, 0, _PIECE) if self.store.head(key) is not None else None

    def _is_settling(self, root: str, inventory: Inventory, data: bytes, beside: bytes | None) -> bool:
        """Whether the inventory is sound although a writer fell before its sidecar was written.

        Then the sidecar is missing or still that of the version before, and the newest version's folder has the same
        digest as the inventory, or none yet.
        """
        number = inventory.head.number
        before = self.sidecar_of(joined(root, f"v{number - 1}")) if number > 1 else None
        copied = self.sidecar_of(joined(root, f"v{number}"))
        return beside in (None, before) and (copied == sidecar(data) if copied is not None else beside == before)


def _refuse_contents(store: Store) -> None:
    """`OccupiedStore` unless a store is empty, or holds what a beginning left that fell."""
    ours = layout.declarations()
    for stored in store.list():
        if stored.key not in ours:
            remedy = "Name an empty folder or prefix, or one that holds an archive."
            what = f"the store holds {stored.key[:100]}, and no archive"
            raise OccupiedStore(what, where=store.address, remedy=remedy)


def _prove_conditions(store: Store) -> None:
    """`UnfitStore` when the store overwrites what it was asked not to: results could be lost."""
    try:
        store.put(layout.ROOT_NAME, layout.ROOT_TEXT + b"\n")
    except KeyTaken:
        return
    store.delete(layout.ROOT_NAME)
    remedy = "Use a server that honours If-None-Match on PUT."
    raise UnfitStore("the server overwrites objects although it was asked not to", where=store.address, remedy=remedy)
