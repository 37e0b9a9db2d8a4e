"""What publishing asks of a node, wherever it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from opilio.search.generations.verify import Progress
from opilio.search.nodes.copying import Copied
from opilio.search.nodes.source import Source


@dataclass(frozen=True, kw_only=True, slots=True)
class Current:
    """What a node serves."""

    generation: str
    since: datetime  # when it was switched to it
    made: datetime | None = None  # when the generation was built; None when its manifest cannot be read
    counts: Mapping[str, int] = field(default_factory=dict)


class Place(Protocol):
    """The generations at a node, and which of them it serves. Each step may be repeated after a crash."""

    @property
    def address(self) -> str:
        """Where it is, without secrets."""
        ...

    def current(self) -> Current | None:
        """What it serves; None before the first generation."""
        ...

    def held(self) -> list[str]:
        """The generations that are there whole, oldest first."""
        ...

    def take(self, source: Source, progress: Progress | None = None) -> Copied:
        """A verified copy; nothing is served differently."""
        ...

    def probe(self, generation: str) -> None:
        """Open the copy and compare its counts and answers with its manifest; an error unless all are right."""
        ...

    def switch(self, generation: str, *, instead_of: str) -> None:
        """Serve another generation, at once and whole; `SwitchedMeanwhile` unless `instead_of` is served now."""
        ...

    def keep(self, count: int) -> tuple[str, ...]:
        """Remove all but the newest `count` and those in use; which."""
        ...
