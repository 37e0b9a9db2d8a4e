"""What the description of a package is made from: what was frozen, and what happened since."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

IDENTIFIERS = "Opilio"  # the type of our identifiers


@dataclass(frozen=True, kw_only=True, slots=True)
class PackedFile:
    """A file of a package, with its digest."""

    path: str  # in the package, with /
    size: int  # bytes
    checksum: str  # hex
    algorithm: str = "SHA-512"  # as METS writes it
    created: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """A result on the way from what was captured to what is handed over."""

    number: int
    derived_from: int | None
    made_at: datetime
    made_by: str
    provenance: str = ""
    notes: tuple[str, ...] = ()
    digest: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Happening:
    """An event of preservation."""

    identifier: str
    result: int
    kind: str
    at: datetime
    outcome: str
    by: str
    detail: str = ""
    software: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Remark:
    """A note that somebody pinned to the harvest or to its target."""

    about: str
    at: datetime
    by: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Withheld:
    """A takedown that counts: what readers must not see."""

    level: str  # hide, block or destroy
    reach: str  # what the value names
    value: str
    authority: str
    reason: str
    ordered_at: datetime
    reference: str = ""
    captured_from: datetime | None = None
    captured_to: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PackageFacts:
    """Everything that is said about a package, beside its files."""

    identifier: str  # of the result: info:opilio/harvest/42/result/2
    harvest: int
    result: int
    sections: Mapping[str, Any]  # of the snapshot
    snapshot_digest: str
    frozen_at: datetime
    packed_at: datetime
    packed_by: str
    software: str  # that packs
    started_at: datetime | None = None
    ended_at: datetime | None = None
    agent: str = ""  # that ran the harvest
    display: bool = True
    display_note: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)
    reference: str = ""  # of the target, filled in where the snapshot has none
    steps: tuple[Step, ...] = ()
    events: tuple[Happening, ...] = ()
    remarks: tuple[Remark, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)  # of the deposit form

    @property
    def target(self) -> Mapping[str, Any]:
        """The target or group, as it was."""
        return _mapping(self.sections.get("target"))

    @property
    def people(self) -> Mapping[str, Any]:
        """Owner and agency, as they were."""
        return _mapping(self.sections.get("people"))

    @property
    def title(self) -> str:
        """What it is called: by its description, else by its name."""
        described = _mapping(self.target.get("description-record"))
        return str(described.get("title") or self.target.get("name") or f"Harvest {self.harvest}")

    def rows(self, section: str) -> list[Mapping[str, Any]]:
        """The rows of a section that has several."""
        found = self.sections.get(section)
        return [_mapping(one) for one in found] if isinstance(found, list) else []

    def number_of(self, result: int) -> str:
        """The identifier of another result of the same harvest."""
        return f"{self.identifier.rpartition('/')[0]}/{result}"


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
