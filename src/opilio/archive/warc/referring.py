"""The id by which a revisit names the record that has its body, read from the record at a place."""

import re
from pathlib import Path

from opilio.archive.warc.names import find
from opilio.archive.warc.streamed import StreamedRecord
from opilio.kernel.capture import Position
from opilio.kernel.errors import OpilioError
from opilio.kernel.files import mapped

_ID = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,30}:[!-;=?-~]{1,200}")
_FIELDS = {"response": "warc-record-id", "resource": "warc-record-id", "revisit": "warc-refers-to"}


def original_record(folder: Path, place: Position) -> str | None:
    """The id of a capture; of a revisit, of the one that it refers to. None where nobody can read it there."""
    path = find(folder, place.file)
    if path is None:
        return None
    try:
        with mapped(path):
            stream = path.open("rb")
            stream.seek(place.offset)
        with StreamedRecord(stream, where=f"{path} at {place.offset}") as record:
            found = record.fields.get(_FIELDS.get(record.kind, ""), "").strip("<>")
    except OpilioError:  # a revisit is as good without it, and `opilio archive verify` tells what is broken there
        return None
    return found if _ID.fullmatch(found) else None
