"""Where a copy of a generation comes from: a folder here; stores and services have their own."""

from pathlib import Path
from typing import BinaryIO, Protocol

from opilio.kernel.files import reading
from opilio.search.generations.manifest import Manifest
from opilio.search.generations.verify import read_manifest


class Source(Protocol):
    """A generation that can be copied. Whoever copies checks every byte against the manifest."""

    def manifest(self) -> Manifest:
        """What it is made of."""
        ...

    def open(self, name: str) -> BinaryIO:
        """One of its files, from the beginning."""
        ...


class FolderSource:
    """A generation in a folder of this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def manifest(self) -> Manifest:
        return read_manifest(self._folder)

    def open(self, name: str) -> BinaryIO:
        path = self._folder / name
        with reading(path):
            return path.open("rb")
