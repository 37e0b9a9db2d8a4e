"""The generations in one folder: listed, found, removed, and swept clean of what dead processes left.

A finished generation is a folder named by its id. Whatever begins with a dot is not: `.building-`, `.copying-` and
`.removing-` folders belong to a process that works, or to one that died.
"""

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import OpilioError
from opilio.kernel.files import ensure_folder, mapped, sync_folder
from opilio.kernel.locks import Holder, locked
from opilio.search.generations.errors import GenerationInUse, NoGeneration
from opilio.search.generations.identifiers import checked_id, is_id
from opilio.search.generations.leftovers import drop_old_temporaries
from opilio.search.generations.manifest import Manifest
from opilio.search.generations.pins import alone
from opilio.search.generations.verify import read_manifest

InUse = Callable[[], set[str]]  # the generations that nodes serve now
LOCK = ".generations.lock"
_UNFINISHED = (".building-", ".copying-", ".removing-")


class Generations:
    """The generations below a folder. One process changes them at a time; any number reads."""

    def __init__(self, root: Path, *, clock: Clock = SYSTEM) -> None:
        self.root = root
        self.clock = clock

    def ids(self) -> list[str]:
        """Those that are finished, oldest first."""
        if not self.root.is_dir():
            return []
        return sorted(path.name for path in self.root.iterdir() if is_id(path.name) and path.is_dir())

    def newest(self) -> str:
        """The last one; empty when there is none."""
        return next(reversed(self.ids()), "")

    def before(self, name: str) -> str:
        """The newest of those that are older; empty when there is none."""
        return next((each for each in reversed(self.ids()) if each < checked_id(name)), "")

    def path(self, name: str) -> Path:
        """The folder of a finished generation."""
        folder = self.root / checked_id(name)
        if not folder.is_dir():
            kept = ", ".join(self.ids()[-3:]) or "none"
            raise NoGeneration(f"there is no generation {name}", where=str(self.root), remedy=f"The newest: {kept}.")
        return folder

    def manifest(self, name: str) -> Manifest:
        """What a generation says of itself."""
        return read_manifest(self.path(name))

    @contextlib.contextmanager
    def changing(self, purpose: str) -> Iterator[Holder]:
        """Alone among those who add and remove; `Conflict`, naming the other, when somebody else is at it."""
        ensure_folder(self.root)
        with locked(self.root / LOCK, purpose=purpose, clock=self.clock) as holder:
            yield holder

    def sweep(self, *, but: str = "") -> int:
        """Remove what dead processes left, except the folder named `but`; how many.

        For the holder of the lock: as long as it is held, nobody alive owns such a folder.
        """
        drop_old_temporaries(self.root, self.clock)
        found = [path for path in self.root.iterdir() if path.name.startswith(_UNFINISHED) and path.name != but]
        for path in found:
            with mapped(path):
                shutil.rmtree(path)
        return len(found)

    def finish(self, folder: Path, name: str) -> Path:
        """Give a folder, whose files are durable, the name of a generation; for the holder of the lock."""
        target = self.root / checked_id(name)
        with mapped(target):
            folder.rename(target)
            sync_folder(self.root)
        return target

    def remove(self, name: str, *, in_use: InUse) -> None:
        """Remove one; `GenerationInUse` when a node serves it or somebody has it open."""
        folder = self.path(name)
        aside = self.root / f".removing-{name}"
        with alone(folder):
            if name in in_use():
                remedy = "Publish another one to that node first."
                raise GenerationInUse("a node serves the generation", where=str(folder), remedy=remedy)
            with mapped(folder):
                folder.rename(aside)
                sync_folder(self.root)
        with mapped(aside):
            shutil.rmtree(aside)

    def keep(self, count: int, *, in_use: InUse) -> tuple[str, ...]:
        """Remove all but the newest `count` and those in use, for the holder of the lock; which were removed."""
        removed = []
        for name in self.ids()[: -max(1, count)]:
            with contextlib.suppress(GenerationInUse):
                self.remove(name, in_use=in_use)
                removed.append(name)
        return tuple(removed)

    def forget_all(self) -> None:
        """Remove every generation that nobody has open; for folders that hold copies for a moment only."""
        for name in self.ids():
            with contextlib.suppress(GenerationInUse):
                self.remove(name, in_use=set)

    def listed(self) -> list[tuple[str, Manifest | None]]:
        """Each with its manifest, oldest first; None where that is damaged."""
        return [(name, self._read(name)) for name in self.ids()]

    def _read(self, name: str) -> Manifest | None:
        try:
            return self.manifest(name)
        except OpilioError:
            return None
