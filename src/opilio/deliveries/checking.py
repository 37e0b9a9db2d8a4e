"""What would become of a delivery: the same rules as for one that was pulled, on a file of this machine."""

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from opilio.deliveries.errors import BadArchive, BadDocument
from opilio.deliveries.foreseeing import foreseen
from opilio.deliveries.profile import DeliveryProfile, Level
from opilio.deliveries.schemas import Schema
from opilio.deliveries.unpack import Document, unpack
from opilio.kernel.clock import SYSTEM, Clock

MOST_OF_A_KIND = 50  # breaches of one rule in one document that are told one by one
_EARLIER = "It must have been delivered before."


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


def check(
    path: Path, profile: DeliveryProfile, centres: frozenset[str] | None = None, clock: Clock = SYSTEM
) -> Checked:
    """Name, archive, documents and records of a delivery; nothing is kept."""
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
        found += _of_others(unpacked.documents, profile)
        faulty = _of_documents(documents, profile, known)
        found += faulty
        valid = [one for one in documents if one.name not in {each.document for each in faulty}]
        found += _of_records(valid, profile, known, clock.now().date())
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


def _of_records(
    documents: Sequence[Document], profile: DeliveryProfile, centres: frozenset[str], today: date
) -> list[Found]:
    """What the rules of integrity say, as far as the delivery itself can tell."""
    kinds = [(one.name, one.path, profile.kind_of(one.name, centres)[0]) for one in documents]
    given = [(name, path, kind) for name, path, kind in kinds if kind is not None and kind.records]
    found: list[Found] = []
    told: Counter[tuple[str, str]] = Counter()
    try:
        for name, one in foreseen(given, profile, today):
            told[name, one.rule] += 1
            if told[name, one.rule] > MOST_OF_A_KIND:
                continue
            what = f"{one.record} {one.key.replace(chr(31), '/')}: {one.message}"
            found.append(Found(
                kind=one.rule, what=f"{what} {_EARLIER}" if one.awaits else what, document=name, line=one.line,
                fatal=one.level is not Level.WARN and one.awaits is None,
            ))  # fmt: skip
    except BadDocument as error:
        found.append(Found(kind="records", what=str(error)))
    more = [(name, rule, number - MOST_OF_A_KIND) for (name, rule), number in told.items() if number > MOST_OF_A_KIND]
    return found + [
        Found(kind=rule, what=f"There are {number:,} more like it.", document=name, fatal=False)
        for name, rule, number in more
    ]
