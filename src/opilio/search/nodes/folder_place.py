"""A node in a folder of this machine: `generations/<id>/` with a link `current` to the one that is served.

A node without a place of its own shares the generations of the index; then the link is `nodes/<name>`.
"""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import OpilioError
from opilio.kernel.files import ensure_folder
from opilio.kernel.locks import locked
from opilio.search.generations.contents import Contents
from opilio.search.generations.errors import BrokenManifest, DamagedGeneration
from opilio.search.generations.library import Generations
from opilio.search.generations.manifest import Manifest
from opilio.search.generations.pins import pinned
from opilio.search.generations.verify import Progress, verify
from opilio.search.nodes import link as links
from opilio.search.nodes.copying import Copied, copy_generation, require_same
from opilio.search.nodes.errors import SwitchedMeanwhile
from opilio.search.nodes.place import Current
from opilio.search.nodes.source import Source

GENERATIONS, CURRENT = "generations", "current"


class FolderPlace:
    """See `Place` for the promises."""

    def __init__(
        self,
        generations: Generations,
        link: Path,
        contents: Contents,
        *,
        in_use: Callable[[], set[str]] | None = None,
        own: bool = False,
    ) -> None:
        """`in_use` names what else must be kept: where several nodes share the generations, what the others serve.

        `own` generations are copies, of which a damaged one may be replaced.
        """
        self.generations = generations
        self.link = link
        self._contents = contents
        self._in_use = in_use or set
        self._own = own

    @property
    def address(self) -> str:
        return str(self.link)

    def current(self) -> Current | None:
        name = links.served(self.link)
        if not name:
            return None
        when = links.since(self.link)
        try:
            manifest = self.generations.manifest(name)
        except OpilioError:
            return Current(generation=name, since=when)
        return Current(generation=name, since=when, made=manifest.made, counts=manifest.counts)

    def held(self) -> list[str]:
        return self.generations.ids()

    def take(self, source: Source, progress: Progress | None = None) -> Copied:
        manifest = source.manifest()
        if not self._own:
            with pinned(self.generations.path(manifest.id)):
                require_same(self.generations, manifest)
            return Copied(shared=len(manifest.files))
        with self.generations.changing("copying a generation to a node"):
            if self.sound_or_dropped(manifest):
                return Copied(shared=len(manifest.files))
            return copy_generation(source, self.generations, progress)

    def probe(self, generation: str) -> None:
        with pinned(self.generations.path(generation)) as folder:
            verify(folder, self._contents)

    def switch(self, generation: str, *, instead_of: str) -> None:
        with self._switching(), pinned(self.generations.path(generation)) as folder:
            found = links.served(self.link)
            if found not in (instead_of, generation):
                remedy = "See what it serves, then publish again."
                what = f"the node serves {found or 'nothing'} and not {instead_of or 'nothing'} any more"
                raise SwitchedMeanwhile(what, where=self.address, remedy=remedy)
            if found != generation:
                links.point(self.link, folder)

    def keep(self, count: int) -> tuple[str, ...]:
        with self._switching():
            links.sweep(self.link)
        with self.generations.changing("removing old generations"):
            self.generations.sweep()
            return self.generations.keep(count, in_use=self._kept)

    def sound_or_dropped(self, manifest: Manifest) -> bool:
        """Whether a sound copy is here, for the holder of the lock; a damaged one that nobody uses is removed."""
        if manifest.id not in self.generations.ids():
            return False
        try:
            require_same(self.generations, manifest)
        except (DamagedGeneration, BrokenManifest):
            self.generations.remove(manifest.id, in_use=self._kept)
            return False
        return True

    def _kept(self) -> set[str]:
        return {links.served(self.link), *self._in_use()}

    @contextlib.contextmanager
    def _switching(self) -> Iterator[None]:
        """Alone among those who switch; a build that goes on for hours beside it does not matter."""
        ensure_folder(self.link.parent)
        lock = self.link.with_name(f".{self.link.name}.lock")
        with locked(lock, purpose="switching a node", clock=self.generations.clock):
            yield


def own_place(folder: Path, contents: Contents, *, clock: Clock = SYSTEM) -> FolderPlace:
    """The node of a folder that is its own."""
    return FolderPlace(Generations(folder / GENERATIONS, clock=clock), folder / CURRENT, contents, own=True)
