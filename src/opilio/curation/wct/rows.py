"""A row of a dump as it was read, before anything is known about its meaning."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class RawRow:
    """Texts by column, and where the row stood; None is NULL."""

    table: str
    file: str
    line: int
    cells: Mapping[str, str | None]

    @property
    def digest(self) -> str:
        """Tells whether a row of a later dump is still the same; an empty text counts as NULL."""
        told = sorted((name, value) for name, value in self.cells.items() if value)
        text = json.dumps(told, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]


@dataclass(frozen=True, kw_only=True, slots=True)
class BadLine:
    """Something in a dump that is no row."""

    table: str
    file: str
    line: int
    reason: str
