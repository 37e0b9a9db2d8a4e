"""One harvest in the work store: its list of files, changed by one writer at a time, and the contents below it."""

from collections.abc import Callable, Mapping
from pathlib import Path

from opilio.archive.store.errors import ChangedMeanwhile, KeyTaken, NoSuchKey
from opilio.archive.store.store import Store
from opilio.kernel.digests import Algorithm, Digest, Hasher, digest_of_stream
from opilio.kernel.errors import Damaged
from opilio.kernel.files import ensure_folder, reading, writing
from opilio.works.sharing.state import SharedFile, SharedState, state_from_json, state_to_json

_PIECE = 1 << 20  # bytes


class Shelf:
    """The objects below `harvests/<number>`."""

    def __init__(self, store: Store, harvest: str) -> None:
        self.store = store
        self.harvest = harvest
        self._state_key = f"harvests/{harvest}/state.json"

    def state(self) -> SharedState | None:
        """What is there now; None when nothing ever was."""
        found = self._read()
        return found[1] if found is not None else None

    def put(self, path: str, source: Path) -> SharedFile:
        """Keep a content; that of a path it becomes by `change`."""
        with reading(source), source.open("rb") as stream:
            digest = digest_of_stream(stream, Algorithm.SHA256)
        file = SharedFile(source.stat().st_size, digest.value.hex())
        key = file.key(self.harvest, path)
        kept = self.store.head(key)
        if kept is None or kept.size != file.size:
            self.store.put(key, source, expected=digest)
        return file

    def change(
        self, put: Mapping[str, SharedFile], removed: frozenset[str] = frozenset(),
        allowed: Callable[[], None] = lambda: None,
    ) -> SharedState:  # fmt: skip
        """Make paths have contents, and others none; what no path has any more is deleted.

        `allowed` is asked right before, and raises when this process has no right to it any more.
        """
        while True:
            found = self._read()
            before = found[1] if found is not None else SharedState(version=0)
            after = before.changed(put, removed)
            if after is before and found is not None:
                return after
            allowed()
            if self._written(found[0] if found is not None else None, after):
                for key in sorted(before.keys(self.harvest) - after.keys(self.harvest)):
                    self.store.delete(key)
                return after

    def fetch(self, path: str, file: SharedFile, target: Path) -> None:
        """Bring a content onto the disk, whole and proven; `NoSuchKey` when it was replaced meanwhile."""
        ensure_folder(target.parent)
        key = file.key(self.harvest, path)
        hasher = Hasher(Algorithm.SHA256)
        with self.store.open(key) as stream, writing(target) as out:
            while piece := stream.read(_PIECE):
                hasher.update(piece)
                out.write(piece)
            if not hasher.digest().matches(Digest(Algorithm.SHA256, bytes.fromhex(file.sha256))):
                remedy = "Try again; if it happens again, the object is damaged: restore it from a copy of the bucket."
                raise Damaged("the work store gives something else than was kept", where=self.where(key), remedy=remedy)

    def drop(self) -> None:
        """Remove everything of the harvest."""
        for found in list(self.store.list(f"harvests/{self.harvest}")):
            self.store.delete(found.key)

    def where(self, key: str) -> str:
        """An object with its store, for messages."""
        return f"{self.store.address}/{key}"

    def _read(self) -> tuple[bytes, SharedState] | None:
        try:
            with self.store.open(self._state_key) as stream:
                data = stream.read()
        except NoSuchKey:
            return None
        return data, state_from_json(data, self.where(self._state_key))

    def _written(self, before: bytes | None, after: SharedState) -> bool:
        try:
            if before is None:
                return self.store.put(self._state_key, state_to_json(after))
            self.store.replace(self._state_key, state_to_json(after), instead_of=before)
        except (ChangedMeanwhile, KeyTaken):
            return False
        return True
