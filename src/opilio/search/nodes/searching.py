"""What a node's service asks of the contents of a generation, beside what verifying asks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from opilio.kernel.access import Reader
from opilio.search.generations.contents import Opened
from opilio.search.generations.manifest import Manifest


class Searching(Opened, Protocol):
    """An open generation that answers readers. `BadQuestion` for parameters that cannot be used."""

    def search(self, question: Mapping[str, str], reader: Reader) -> Mapping[str, Any]:
        """Results that the reader may see, as JSON will hold them."""
        ...

    def suggest(self, question: Mapping[str, str], reader: Reader) -> Mapping[str, Any]:
        """What continues the words typed, of what the reader may see, as JSON will hold it."""
        ...


class SearchContents(Protocol):
    """Opens a generation for readers."""

    def open(self, folder: Path, manifest: Manifest) -> Searching:
        """The contents; an error of Opilio when they cannot be opened."""
        ...
