"""A node in object storage: files by their digest, a manifest for each generation, and one small object `current.json`.

A file that two generations share is kept once. Services follow `current.json` and copy what it names to a disk of
their own; so does the probe.
"""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import BinaryIO

from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.digests import Algorithm, digest_of_stream, parse_digest
from opilio.kernel.errors import Conflict, Missing
from opilio.search.generations.contents import Contents
from opilio.search.generations.errors import BrokenManifest, DamagedGeneration
from opilio.search.generations.identifiers import checked_id, is_id
from opilio.search.generations.library import Generations
from opilio.search.generations.manifest import LARGEST, Manifest, dumped, parsed
from opilio.search.generations.pins import pinned
from opilio.search.generations.verify import Progress, verify
from opilio.search.nodes.copying import Copied, copy_generation
from opilio.search.nodes.errors import SwitchedMeanwhile
from opilio.search.nodes.objects import Listed, Objects
from opilio.search.nodes.place import Current
from opilio.search.nodes.source import Source

_CURRENT = "current.json"
_ORPHANED = timedelta(days=1)  # files that are older and belong to no generation were left by a killed publisher


class StoreSource:
    """A generation in object storage, to be copied from there."""

    def __init__(self, objects: Objects, generation: str) -> None:
        self._objects = objects
        self._generation = checked_id(generation)
        self._known: Manifest | None = None

    def manifest(self) -> Manifest:
        if self._known is None:
            key = _manifest_key(self._generation)
            with self._objects.open(key) as stream:
                found = parsed(stream.read(LARGEST + 1), where=f"{self._objects.address}/{key}")
            if found.id != self._generation:
                remedy = "Publish the generation again."
                raise BrokenManifest(f"{key} is the manifest of {found.id}", where=self._objects.address, remedy=remedy)
            self._known = found
        return self._known

    def open(self, name: str) -> BinaryIO:
        entry = next(each for each in self.manifest().files if each.name == name)
        return self._objects.open(_file_key(entry.sha256))


class StorePlace:
    """See `Place` for the promises. `scratch` is a folder of this machine, where copies are probed."""

    def __init__(self, objects: Objects, scratch: Path, contents: Contents, *, clock: Clock = SYSTEM) -> None:
        self._objects = objects
        self._scratch = Generations(scratch, clock=clock)
        self._contents = contents
        self._clock = clock

    @property
    def address(self) -> str:
        return self._objects.address

    def current(self) -> Current | None:
        found = read_current(self._objects)
        if found is None:
            return None
        name, since, _ = found
        try:
            manifest = self.source(name).manifest()
        except (Missing, BrokenManifest):
            return Current(generation=name, since=since)
        return Current(generation=name, since=since, made=manifest.made, counts=manifest.counts)

    def source(self, generation: str) -> StoreSource:
        """A generation of this node, to be copied."""
        return StoreSource(self._objects, generation)

    def held(self) -> list[str]:
        names = (each.key.removeprefix("generations/").removesuffix(".json") for each in self._listed("generations"))
        return sorted(name for name in names if is_id(name))

    def take(self, source: Source, progress: Progress | None = None) -> Copied:
        """Files that are there in full length are not sent again; a probe reads them all back."""
        manifest = source.manifest()
        copied = Copied()
        for entry in manifest.files:
            key = _file_key(entry.sha256)
            found = self._objects.head(key)
            if found is None or found.size != entry.size:
                with source.open(entry.name) as stream:
                    self._objects.put(key, stream, expected=parse_digest(f"sha256:{entry.sha256}"))
                copied = Copied(files=copied.files + 1, size=copied.size + entry.size)
            if progress is not None:
                progress(copied.size, manifest.size)
        self._objects.put(_manifest_key(manifest.id), dumped(manifest))
        return Copied(files=copied.files, size=copied.size, shared=len(manifest.files) - copied.files)

    def probe(self, generation: str) -> None:
        """Every byte is fetched once; objects that are damaged are removed, so that the next copy sends them again."""
        source = self.source(generation)
        with self._scratch.changing("probing a node"):
            self._scratch.sweep()
            self._scratch.forget_all()
            try:
                copy_generation(source, self._scratch)
                with pinned(self._scratch.path(generation)) as folder:
                    verify(folder, self._contents)
            except Missing as error:
                what = f"a file of the generation is missing ({error.where})"
                raise DamagedGeneration(what, where=self.address, remedy="Publish it again.") from error
            except DamagedGeneration:
                self._drop_damaged(source.manifest())
                raise
            finally:
                self._scratch.forget_all()

    def switch(self, generation: str, *, instead_of: str) -> None:
        self.source(generation).manifest()  # or it is not here
        found = read_current(self._objects)
        if found is not None and found[0] == generation:
            return
        if (found[0] if found is not None else "") != instead_of:
            raise self._switched(instead_of)
        document = {"generation": generation, "since": self._clock.now().astimezone(UTC).isoformat()}
        data = json.dumps(document).encode()
        try:
            if found is None:
                self._objects.put(_CURRENT, data)
            else:
                self._objects.replace(_CURRENT, data, instead_of=found[2])
        except Conflict as error:
            raise self._switched(instead_of) from error

    def keep(self, count: int) -> tuple[str, ...]:
        found = self.current()
        names = self.held()
        old = [name for name in names[: -max(1, count)] if found is None or name != found.generation]
        wanted = {entry.sha256 for name in names if name not in old for entry in self.source(name).manifest().files}
        unwanted = {entry.sha256 for name in old for entry in self.source(name).manifest().files}
        for name in old:
            self._objects.delete(_manifest_key(name))
        for digest in sorted((unwanted | self._orphans()) - wanted):
            self._objects.delete(_file_key(digest))
        return tuple(old)

    def _orphans(self) -> set[str]:
        before = self._clock.now() - _ORPHANED
        return {each.key.removeprefix("files/") for each in self._listed("files") if each.modified < before}

    def _drop_damaged(self, manifest: Manifest) -> None:
        for entry in manifest.files:
            key = _file_key(entry.sha256)
            if self._objects.head(key) is None:
                continue
            with self._objects.open(key) as stream:
                found = digest_of_stream(stream, Algorithm.SHA256)
            if found.value.hex() != entry.sha256:
                self._objects.delete(key)

    def _listed(self, folder: str) -> list[Listed]:
        return list(self._objects.list(folder))

    def _switched(self, instead_of: str) -> SwitchedMeanwhile:
        what = f"the node does not serve {instead_of or 'nothing'} any more"
        return SwitchedMeanwhile(what, where=self.address, remedy="See what it serves, then publish again.")


def read_current(objects: Objects) -> tuple[str, datetime, bytes] | None:
    """What `current.json` of a store says: the generation, since when, and the bytes that say so."""
    try:
        with objects.open(_CURRENT) as stream:
            text = stream.read(10_000)
    except Missing:
        return None
    try:
        document = json.loads(text)
        since = datetime.fromisoformat(document["since"]).astimezone(UTC)
        return checked_id(document["generation"]), since, text
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        remedy = "Remove the object, then publish again."
        raise BrokenManifest(f"{_CURRENT} is damaged", where=objects.address, remedy=remedy) from error


def _file_key(sha256: str) -> str:
    return f"files/{sha256}"


def _manifest_key(generation: str) -> str:
    return f"generations/{generation}.json"
