"""What would become of a delivery: the same rules as for one that was pulled, on a file of this machine."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from opilio.deliveries.errors import BadArchive
from opilio.deliveries.profile import DeliveryProfile
from opilio.deliveries.schemas import Schema
from opilio.deliveries.unpack import Document, unpack


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """Something about a delivery or one of its documents that its partner should know."""

    kind: str  # for machines
    what: str
    document: str = ""  # empty: the delivery itself
    line: int | None = None
    column: int | None = None
    fatal: bool = True  # whether it would not be taken


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """A delivery that was checked."""

    name: str
    documents: Sequence[str]
    found: Sequence[Found]

    @property
    def good(self) -> bool:
        """Whether it would be taken as it is."""
        return not any(one.fatal for one in self.found)


def check(path: Path, profile: DeliveryProfile, centres: frozenset[str] | None = None) -> Checked:
    """Name, archive and documents of a delivery; nothing is kept."""
    known = frozenset(profile.centres) if centres is None else centres
    judged = profile.deliveries.rule.judge(path.name, known)
    found = [Found(kind="name", what=fault) for fault in judged.faults]
    with tempfile.TemporaryDirectory(prefix="opilio-check-") as folder:
        try:
            unpacked = unpack(path, Path(folder) / "documents", profile.archive)
        except BadArchive as error:
            return Checked(name=path.name, documents=(), found=[*found, Found(kind=error.kind, what=str(error))])
        found += [Found(kind="left-out", what=one.why, document=one.name, fatal=False) for one in unpacked.left_out]
        documents = [one for one in unpacked.documents if profile.is_document(one.name)]
        found += _of_others(unpacked.documents, profile) + _of_documents(documents, profile, known)
        if not documents:
            found.append(Found(kind="empty", what="There is no document at the top of the archive."))
        return Checked(name=path.name, documents=[one.name for one in documents], found=found)


def _of_others(files: Sequence[Document], profile: DeliveryProfile) -> list[Found]:
    endings = ", ".join(sorted({kind.names.ending for kind in profile.documents}))
    return [
        Found(kind="left-out", what=f"It does not end in {endings}.", document=one.name, fatal=False)
        for one in files
        if not profile.is_document(one.name)
    ]


def _of_documents(documents: Sequence[Document], profile: DeliveryProfile, centres: frozenset[str]) -> list[Found]:
    schemas = {kind.name: Schema(path) for kind in profile.documents if (path := profile.schema_of(kind))}
    found: list[Found] = []
    for document in documents:
        kind, faults = profile.kind_of(document.name, centres)
        found += [Found(kind="document-name", what=fault, document=document.name) for fault in faults]
        if kind is not None and kind.name in schemas:
            found += _of_schema(document, schemas[kind.name])
    return found


def _of_schema(document: Document, schema: Schema) -> list[Found]:
    return [
        Found(kind=one.kind, what=one.message, document=document.name, line=one.line, column=one.column)
        for one in schema.faults(document.path)
    ]
