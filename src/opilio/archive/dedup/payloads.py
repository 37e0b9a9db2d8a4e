"""The payload of a stored record, digested without being held: what the standard calls so, transfer coding undone."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from opilio.archive.warc.payload import header_values
from opilio.archive.warc.records import PAYLOAD_DIGEST_FIELD
from opilio.archive.warc.streamed import StreamedRecord
from opilio.archive.warc.streamed_payload import coding_names, known, undone
from opilio.kernel.digests import Algorithm, Digest, parse_digest
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import mapped


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadPayload:
    """A response that was read."""

    url: str
    at: datetime
    record: str
    head: bytes
    status: int | None
    recorded: Digest | None
    digest: Digest | None  # as it is, by the algorithm of the recorded one; None where the coding is not known
    sha256: str  # hex
    size: int  # bytes

    @property
    def honest(self) -> bool:
        """Whether the record says the truth about its payload."""
        return self.recorded is not None and self.digest == self.recorded


def read_payload(path: Path, offset: int) -> ReadPayload | None:
    """Read the record at a place; None when it is no response, or says no time."""
    with mapped(path):
        stream = path.open("rb")
        stream.seek(offset)
    with StreamedRecord(stream, where=f"{path} at {offset}") as record:
        at = _time(record.fields.get("warc-date", ""))
        if record.kind != "response" or at is None:
            return None
        recorded = recorded_digest(record.fields)
        digest, sha256, size = _digested(record, recorded.algorithm if recorded else Algorithm.SHA1)
        return ReadPayload(
            url=record.fields.get("warc-target-uri", "").strip("<>"),
            at=at,
            record=record.fields.get("warc-record-id", "").strip("<>"),
            head=record.head,
            status=record.status,
            recorded=recorded,
            digest=digest,
            sha256=sha256,
            size=size,
        )


def recorded_digest(fields: Mapping[str, str]) -> Digest | None:
    """The payload digest that a record says, from its fields by names in lower case."""
    for name in ("warc-payload-digest", PAYLOAD_DIGEST_FIELD.lower()):
        try:
            return parse_digest(fields.get(name, ""))
        except InvalidInput:
            continue
    return None


def _digested(record: StreamedRecord, algorithm: Algorithm) -> tuple[Digest | None, str, int]:
    codings = coding_names(header_values(record.head, b"transfer-encoding"))
    first, second = hashlib.new(algorithm.value, usedforsecurity=False), hashlib.sha256(usedforsecurity=False)
    size = 0
    for piece in undone(record.pieces(), codings if known(codings) else ()):
        first.update(piece)
        second.update(piece)
        size += len(piece)
    digest = Digest(algorithm, first.digest()) if known(codings) else None
    return digest, second.hexdigest(), size


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
