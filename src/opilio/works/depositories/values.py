"""What is handed over, what comes back, and what every depository promises."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from opilio.works.depositories.errors import Untrue

#: Told a step, how much of it is done, and of how much; may raise to leave.
Told = Callable[[str, int, int], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """A file of a package."""

    path: str  # in the package; of a package that is one file, its name
    size: int  # bytes
    sha512: str  # hex


@dataclass(frozen=True, kw_only=True, slots=True)
class Package:
    """A package that is whole and waits to be handed over."""

    key: str  # under which a depository knows it, however often it is tried
    path: Path  # the file, or the folder
    parts: tuple[Part, ...]
    title: str = ""
    identifier: str = ""  # of the result in it
    media_type: str = "application/zip"

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(part.size for part in self.parts)

    @property
    def sha512(self) -> str:
        """Of one file its own digest; of several that of the list of them, as `sha512sum` would write it."""
        return self.parts[0].sha512 if self.path.is_file() else digest_of_list(self.parts)

    def file(self, part: Part) -> Path:
        """Where a part lies."""
        return self.path if self.path.is_file() else self.path / part.path


@dataclass(frozen=True, kw_only=True, slots=True)
class Receipt:
    """What a depository says that it has."""

    archive_id: str
    size: int  # bytes
    sha512: str  # hex, as of the package
    where: str = ""  # for people
    told: Mapping[str, Any] = field(default_factory=dict)  # what else it said


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """What was read again at the depository."""

    files: int
    bytes: int
    how: str  # in a sentence


class Depository(Protocol):
    """Takes packages. A package handed over twice under one key is there once."""

    def find(self, package: Package) -> Receipt | None:
        """What it has under the key of a package; None: nothing."""
        ...

    def deposit(self, package: Package, answers: Mapping[str, str], told: Told) -> Receipt:
        """Hand a package over; what is there afterwards is whole, or nothing."""
        ...

    def check(self, package: Package, receipt: Receipt, told: Told) -> Checked:
        """Read again what went there; `Untrue` when it is not the package."""
        ...

    def probe(self) -> str:
        """Whether it can be reached and used, changing nothing that stays; what was found, in a sentence."""
        ...


def digest_of_list(parts: Iterable[Part]) -> str:
    """One digest over all parts, whatever their order."""
    lines = sorted(f"{part.sha512}  {part.path}\n" for part in parts)
    return hashlib.sha512("".join(lines).encode(), usedforsecurity=False).hexdigest()


def require_same(package: Package, receipt: Receipt, where: str) -> None:
    """`Untrue` unless a receipt is about this package; of what was not packed aside there is nothing to compare."""
    if package.parts and (receipt.size, receipt.sha512.lower()) != (package.size, package.sha512):
        what = (
            f"the depository says it has {receipt.size} bytes with sha512 {receipt.sha512[:16]}…, "
            f"and was given {package.size} with {package.sha512[:16]}…"
        )
        raise Untrue(what, where=where, remedy="Ask those who run it to remove what it has, then archive again.")
