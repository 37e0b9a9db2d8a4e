"""What a derived result shall have otherwise than its parent, as its row keeps it in JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from opilio.archive.results.deriving import Existing
from opilio.kernel.errors import InvalidInput
from opilio.works.result_picks import Pick, picks_of


@dataclass(frozen=True, kw_only=True, slots=True)
class WantedChange:
    """Resources to leave out, WARC files to add; the JSON is `{"remove": […], "add": […], "existing": "…"}`."""

    remove: tuple[Pick, ...] = ()
    add: tuple[str, ...] = ()  # WARC files, below the folder of the harvest
    existing: Existing = Existing.REPLACE
    again: int | None = None  # harvest from which the same was pruned, where a rule prunes

    def document(self) -> dict[str, Any]:
        """As JSON."""
        told: dict[str, Any] = {"remove": [pick.document() for pick in self.remove]} if self.remove else {}
        if self.add:
            told |= {"add": list(self.add), "existing": self.existing.value}
        return told | ({"again": self.again} if self.again is not None else {})

    def files(self, folder: Path) -> tuple[Path, ...]:
        """The WARC files where they lie; none may lie outside of the folder."""
        return tuple(_inside(folder, name) for name in self.add)


def change_of(document: Mapping[str, Any]) -> WantedChange:
    """The change again; `InvalidInput` where the JSON is none."""
    add, remove, again = document.get("add", []), document.get("remove", []), document.get("again")
    existing = document.get("existing", Existing.REPLACE)
    if not isinstance(add, list) or not all(isinstance(name, str) for name in add):
        raise _wrong("add")
    if not isinstance(remove, list) or existing not in set(Existing):
        raise _wrong("remove or existing")
    if again is not None and not isinstance(again, int):
        raise _wrong("again")
    return WantedChange(remove=picks_of(remove), add=tuple(add), existing=Existing(existing), again=again)


def _inside(folder: Path, name: str) -> Path:
    parts = PurePosixPath(name).parts
    if not parts or PurePosixPath(name).is_absolute() or ".." in parts:
        raise _wrong("add")
    found = (folder / name).resolve()
    if not found.is_relative_to(folder.resolve()):
        raise _wrong("add")
    return folder / name


def _wrong(where: str) -> InvalidInput:
    return InvalidInput("what the result shall have otherwise cannot be read", where=where, remedy="Begin it anew.")
