"""The work store: where machines share harvests without a common disk, and the copies that this machine has of them."""

import functools
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from opilio.archive.store.addresses import open_store
from opilio.archive.store.s3_options import S3Options, s3_options
from opilio.archive.store.store import Store
from opilio.kernel.errors import Unavailable
from opilio.kernel.files import ensure_folder
from opilio.kernel.locks import held_by
from opilio.kernel.logs import logger
from opilio.kernel.settings import Settings
from opilio.works.sharing.copying import Allowed, Copying, anybody
from opilio.works.sharing.parts import WarcParts
from opilio.works.sharing.shelf import Shelf
from opilio.works.sharing.turns import InUse, if_unused

_YOUNG = 600.0  # seconds after its last use in which a copy is not removed for room

_log = logger(__name__)


@dataclass(frozen=True, kw_only=True)
class WorkStore:
    """A store with the home folder of this machine before it."""

    store: Store
    home: Path
    most: int  # bytes of copies that this machine keeps

    def copying(self, harvest: int) -> Copying:
        """A harvest and its copy in the home folder."""
        return self._copying(harvest, self.home / "harvests" / str(harvest), str(harvest))

    def helping(self, harvest: int) -> Copying:
        """The same for an agent that helps another with a harvest: a folder of its own, with its captures alone."""
        return self._copying(harvest, self.home / "helping" / str(harvest), f"{harvest}-helping")

    def bring(self, harvest: int, *, captures: bool) -> None:
        """Have the newest state of a harvest in the home folder.

        While the store is away, what is here is used as it is; `Unavailable` when nothing is.
        """
        copying = self.copying(harvest)
        try:
            if not copying.fetch(heavy=captures):
                return
        except Unavailable as away:
            if not copying.note.is_file() or not copying.folder.is_dir():
                raise
            _log.warning("work_store_away", harvest=harvest, error=str(away))
        self._used(harvest).touch()
        self.make_room(keep=harvest)

    def send(self, harvest: int, allowed: Allowed = anybody) -> int:
        """Send what changed in the home folder; how many files."""
        return self.copying(harvest).send(allowed=allowed)

    def use(self, harvest: int) -> InUse:
        """Keep the copy of a harvest here until the mark is ended."""
        return InUse(self._used(harvest))

    def drop_parts(self, harvest: int) -> None:
        """Remove what checkpoints of a harvest left that will never be sealed."""
        parts = WarcParts(Shelf(self.store, str(harvest)))
        for file in sorted(parts.files()):
            parts.drop(file)

    def make_room(self, *, keep: int | None = None) -> int:
        """Remove the copies that were not used for longest, until the rest fits; how many."""
        found = sorted(self._copies(), key=lambda each: each[1])
        total, removed = sum(size for _, _, size in found), 0
        for harvest, used, size in found:
            if total <= self.most:
                break
            if harvest != keep and time.time() - used > _YOUNG and self._removed(harvest):
                total, removed = total - size, removed + 1
        return removed

    def _copies(self) -> list[tuple[int, float, int]]:
        """Harvests with a copy here: number, last use, bytes."""
        notes = (self.home / "shared").glob("*.json") if (self.home / "shared").is_dir() else ()
        found = []
        for note in notes:
            if note.stem.isdecimal():
                used = self._used(int(note.stem))
                at = used.stat().st_mtime if used.is_file() else note.stat().st_mtime
                found.append((int(note.stem), at, _size(self.home / "harvests" / note.stem)))
        return found

    def _removed(self, harvest: int) -> bool:
        copying = self.copying(harvest)
        with if_unused(self._used(harvest)) as unused:
            if not unused or held_by(copying.folder / "lock") is not None or copying.unsent():
                return False
            shutil.rmtree(copying.folder, ignore_errors=True)
            copying.forget()
        _log.info("copy_removed", harvest=harvest)
        return True

    def _used(self, harvest: int) -> Path:
        return ensure_folder(self.home / "shared") / f"{harvest}.used"

    def _copying(self, harvest: int, folder: Path, note: str) -> Copying:
        return Copying(shelf=Shelf(self.store, str(harvest)), folder=folder, note=self.home / "shared" / f"{note}.json")


def work_store(settings: Settings) -> WorkStore | None:
    """The work store of an installation; None where all machines share the home folder."""
    address = settings.shared_store
    if not address:
        return None
    store = _opened(address, s3_options(settings))
    return WorkStore(store=store, home=settings.home, most=int(settings.work_cache_gigabytes * 1e9))


@functools.lru_cache(maxsize=8)
def _opened(address: str, options: S3Options) -> Store:
    return open_store(address, options)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
