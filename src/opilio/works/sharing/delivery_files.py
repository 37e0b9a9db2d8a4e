"""Files of deliveries where machines share no disk: archives in the work store, by their content, and copies here.

Documents are not shared: an archive gives them again, each proven by its digest. Without a store this is the folder.
"""

import shutil
import threading
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from opilio.archive.store.errors import NoSuchKey, StoreUnavailable
from opilio.archive.store.store import Store
from opilio.deliveries.profile import ArchiveLimits
from opilio.deliveries.pulling import Place
from opilio.deliveries.unpack import Unpacked, file_name, unpack
from opilio.kernel.digests import Algorithm, Digest, Hasher, digest_of_stream
from opilio.kernel.errors import Damaged, Missing
from opilio.kernel.files import reading, writing
from opilio.kernel.logs import logger
from opilio.works.sharing.turns import turn_at

T = TypeVar("T")
_PIECE = 1 << 20  # bytes
_YOUNG = 600.0  # seconds after its last use in which a copy is not removed
_LONGEST_PAUSE = 30.0  # seconds between two questions to a store that is away
_TICK = 0.5  # seconds in which an order to stop is noticed

_log = logger(__name__)


@dataclass(frozen=True, kw_only=True)
class DeliveryFiles:
    """The folder of deliveries on this machine, and the store that it shares with others."""

    folder: Path
    store: Store | None = None  # None: all machines share the folder
    most: int = 0  # bytes of copies that this machine keeps; with a store only
    patience: float = 0.0  # seconds for which a store that is away is waited for
    stopped: Callable[[], bool] = lambda: False  # whether waiting is in vain

    def send(self, archive: Path) -> None:
        """Let others have what came, before it is written down that it did."""
        store = self.store
        if store is None:
            return
        digest = _digest(archive)
        self._patiently(lambda: store.put(_key(digest.value.hex()), archive, expected=digest))

    def has(self, place: Place, sha256: str) -> bool:
        """Whether an archive is at hand."""
        store = self.store
        if place.archive.is_file() or store is None:
            return place.archive.is_file()
        return self._patiently(lambda: store.head(_key(sha256))) is not None

    def archive(self, place: Place, sha256: str) -> Path:
        """Have an archive here; `Missing` when nobody has it."""
        if self.store is not None:
            with turn_at(place.folder / "turn"):
                self._bring(self.store, place, sha256)
        return place.archive

    def unpack(self, place: Place, sha256: str, limits: ArchiveLimits) -> Unpacked:
        """Have its documents here, anew."""
        if self.store is None:
            return unpack(place.archive, place.documents, limits)
        with turn_at(place.folder / "turn"):
            self._bring(self.store, place, sha256)
            return unpack(place.archive, place.documents, limits)

    def document(
        self, place: Place, sha256: str, number: int, content: str, limits: Callable[[], ArchiveLimits]
    ) -> Path:  # fmt: skip
        """Have one document of an archive here; `content` is its digest."""
        path = place.documents / file_name(number)
        if self.store is None:
            return path
        with turn_at(place.folder / "turn"):
            if not _is(path, content):
                self._bring(self.store, place, sha256)
                unpack(place.archive, place.documents, limits())
                self._require(path, content)
            elif place.archive.is_file():
                place.archive.touch()
        return path

    def drop(self, sha256: str) -> None:
        """Remove an archive from the store."""
        if self.store is not None:
            self.store.delete(_key(sha256))

    def tidy(self, known: Collection[str]) -> int:
        """Remove copies that stand for nothing any more, and those not used for longest beyond the room; how many."""
        if self.store is None:
            return 0
        found = sorted(self._copies(), key=lambda each: each[1])
        total, removed = sum(size for _, _, size in found), 0
        for folder, used, size in found:
            name = folder.relative_to(self.folder).as_posix()
            if time.time() - used > _YOUNG and (name not in known or total > self.most):
                shutil.rmtree(folder, ignore_errors=True)
                total, removed = total - size, removed + 1
                _log.info("delivery_copy_removed", folder=name)
        return removed

    def _bring(self, store: Store, place: Place, sha256: str) -> None:
        if _is(place.archive, sha256):
            place.archive.touch()
            return
        self._patiently(lambda: _fetch(store, sha256, place.archive))
        _log.info("delivery_fetched", folder=place.folder.relative_to(self.folder).as_posix())

    def _require(self, path: Path, content: str) -> None:
        if not _is(path, content):
            remedy = "Have the delivery fetched anew."
            raise Damaged("The archive of a delivery no longer gives the document", where=str(path), remedy=remedy)

    def _copies(self) -> Iterator[tuple[Path, float, int]]:
        """Folders of archives here: last use, bytes."""
        for archive in self.folder.rglob("delivery.zip"):
            size = sum(path.stat().st_size for path in archive.parent.rglob("*") if path.is_file())
            yield archive.parent, archive.stat().st_mtime, size

    def _patiently(self, work: Callable[[], T]) -> T:
        end, pause = time.monotonic() + self.patience, 1.0
        while True:
            try:
                return work()
            except StoreUnavailable as away:
                if self.stopped() or time.monotonic() + pause > end:
                    raise
                _log.warning("delivery_store_away", error=str(away), again_in=pause)
            self._wait(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _wait(self, seconds: float) -> None:
        end, tick = time.monotonic() + seconds, threading.Event()
        while (left := end - time.monotonic()) > 0 and not self.stopped():
            tick.wait(min(left, _TICK))


def _key(sha256: str) -> str:
    return f"deliveries/{sha256}/delivery.zip"


def _digest(path: Path) -> Digest:
    with reading(path), path.open("rb") as stream:
        return digest_of_stream(stream, Algorithm.SHA256)


def _is(path: Path, sha256: str) -> bool:
    """Whether a file has a content; one of another history of its folder has not."""
    return path.is_file() and _digest(path).value.hex() == sha256


def _fetch(store: Store, sha256: str, target: Path) -> None:
    """Bring an archive onto the disk, whole and proven."""
    key, hasher = _key(sha256), Hasher(Algorithm.SHA256)
    where = f"{store.address}/{key}"
    try:
        with store.open(key) as stream, writing(target) as out:
            while piece := stream.read(_PIECE):
                hasher.update(piece)
                out.write(piece)
            if hasher.digest().value.hex() != sha256:
                remedy = "Try again; if it happens again, have the delivery fetched anew."
                raise Damaged("the work store gives something else than was kept", where=where, remedy=remedy)
    except NoSuchKey:
        remedy = "Have the delivery fetched anew, or let the machine run a session that has it on its disk."
        raise Missing("The archive of a delivery is in no store", where=where, remedy=remedy) from None
