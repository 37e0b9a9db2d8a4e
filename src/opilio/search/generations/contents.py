"""What generations ask of their contents: open a folder, count, and answer a question the same way every time."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from opilio.search.generations.manifest import Manifest


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """What a question found."""

    total: int
    first: tuple[str, ...]  # what stands first, in order


class Opened(Protocol):
    """The contents of a generation, open for reading by several threads. Reading changes no file."""

    def counts(self) -> Mapping[str, int]:
        """How much is inside, by kind; the same for every copy."""
        ...

    def probe(self, query: str) -> Found:
        """The answer to a probe; the same at any time and for every copy."""
        ...

    def close(self) -> None:
        """Let go of files and memory. Called once, when nobody reads any more."""
        ...


class Contents(Protocol):
    """Knows how to open what lies in the folder of a generation."""

    def open(self, folder: Path, manifest: Manifest) -> Opened:
        """The contents; an error of Opilio when they cannot be opened."""
        ...
