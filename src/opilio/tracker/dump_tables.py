"""The seventeen tables of the tracker as data coordination centres know them, and where each column is kept here.

A column is read from a row of ours, and given back to it, as text; phases go by the numbers of a profile's labels.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.db.models import Model

from opilio.deliveries.profile import DeliveryProfile
from opilio.deliveries.states import Phase
from opilio.tracker.errors import BadTrackerDump
from opilio.tracker.models import (
    Attempt,
    Centre,
    Delivery,
    DeliveryFinding,
    DeliverySession,
    DocumentFinding,
    FindingKind,
    Offering,
    PhaseRow,
    ProcessingType,
    Protocol,
    ResourceState,
    SessionTask,
    Source,
    StatusRow,
    XmlDocument,
    ZipFile,
)

Text = str | None
Written = Callable[[Any], Text]
Read = Callable[[str], Any]


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column: our attribute, and its form."""

    attribute: str
    write: Written = lambda value: None if value is None else str(value)
    read: Read = str
    needed: bool = True  # False: may be empty
    refers: str = ""  # table whose identifiers it holds


@dataclass(frozen=True, kw_only=True)
class DumpTable:
    """One table: our model, and its columns by their names there."""

    name: str
    model: type[Model]
    columns: Mapping[str, Column]
    reference: bool = False  # its rows are ours already, known by their names


def _time(value: datetime | None) -> Text:
    return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S") if value else None


def _read_time(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)


def _read_bool(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError(f"{text!r} is neither 0 nor 1")
    return text == "1"


def text(attribute: str, *, needed: bool = True) -> Column:
    """A text; empty where there is none."""
    return Column(attribute=attribute, needed=needed, write=lambda value: value or None)


def number(attribute: str, *, needed: bool = True) -> Column:
    """A whole number."""
    return Column(attribute=attribute, read=int, needed=needed)


def moment(attribute: str, *, needed: bool = True) -> Column:
    """A time, in UTC, to the second."""
    return Column(attribute=attribute, write=_time, read=_read_time, needed=needed)


def day(attribute: str) -> Column:
    """A day, or none."""
    return Column(attribute=attribute, read=date.fromisoformat, needed=False)


def refers(attribute: str, table: str, *, needed: bool = True) -> Column:
    """The identifier of a row of another table."""
    return Column(attribute=attribute, read=int, refers=table, needed=needed)


ID = number("pk")
STAMP = moment("last_update")
CHANGED = moment("updated")
_NAMED = {"id": ID, "short_name": text("short_name"), "description": text("description", needed=False),
          "last_update": STAMP}  # fmt: skip
_STANDS = {"phase_id": refers("phase_id", "phase"), "status_id": refers("status_id", "a_status")}
_NAME_PARTS = {
    "centre_id": refers("centre_id", "centre", needed=False), "created": day("created"),
    "inc": number("inc", needed=False),
}  # fmt: skip
_CONTENT = {"size_bytes": number("size_bytes", needed=False), "content_md5": text("content_md5", needed=False)}

#: In the order in which rows are made: what is referred to comes first.
TABLES: tuple[DumpTable, ...] = (
    DumpTable(name="centre", model=Centre, columns={
        "id": ID, "short_name": text("short_name"), "imits_name": text("imits_name", needed=False),
        "full_name": text("full_name"), "email": text("email"), "phone": text("phone", needed=False),
        "address": text("address", needed=False),
        "is_active": Column(attribute="active", write=lambda value: str(int(value)), read=_read_bool),
        "created": moment("created"), "last_update": CHANGED,
    }),
    DumpTable(name="source_protocol", model=Protocol, columns=_NAMED, reference=True),
    DumpTable(name="resource_state", model=ResourceState, columns=_NAMED, reference=True),
    DumpTable(name="processing_type", model=ProcessingType, columns=_NAMED, reference=True),
    DumpTable(name="phase", model=PhaseRow, columns=_NAMED, reference=True),
    DumpTable(name="a_status", model=StatusRow, columns={**_NAMED, "rgba": text("rgba")}, reference=True),
    DumpTable(name="an_exception", model=FindingKind, columns=_NAMED, reference=True),
    DumpTable(name="file_source", model=Source, columns={
        "id": ID, "centre_id": refers("centre_id", "centre"), "protocol_id": refers("protocol_id", "source_protocol"),
        "hostname": text("hostname"), "username": text("username"), "accesskey": text("access_key", needed=False),
        "base_path": text("base_path", needed=False), "state_id": refers("state_id", "resource_state"),
        "created": moment("created"), "last_update": CHANGED,
    }),
    DumpTable(name="zip_file", model=ZipFile, columns={
        "id": ID, "file_name": text("file_name"), **_NAME_PARTS, **_CONTENT, "last_update": STAMP,
    }),
    DumpTable(name="zip_action", model=Delivery, columns={
        "id": ID, "zip_id": refers("zip_id", "zip_file"), "todo_id": refers("todo_id", "processing_type"), **_STANDS,
        "last_update": STAMP,
    }),
    DumpTable(name="file_source_has_zip", model=Offering, columns={
        "id": ID, "za_id": refers("delivery_id", "zip_action"), "file_source_id": refers("source_id", "file_source"),
        "num_retries": number("num_retries"), "last_update": STAMP,
    }),
    DumpTable(name="zip_download", model=Attempt, columns={
        "id": ID, "zf_id": refers("offering_id", "file_source_has_zip"), "request": moment("request"),
        "received": moment("received", needed=False), "downloaded_size_bytes": number("downloaded_size_bytes"),
        **_STANDS, "last_update": STAMP,
    }),
    DumpTable(name="xml_file", model=XmlDocument, columns={
        "id": ID, "zip_id": refers("attempt_id", "zip_download"), "fname": text("fname"), **_NAME_PARTS, **_CONTENT,
        **_STANDS, "last_update": STAMP,
    }),
    DumpTable(name="zip_log", model=DeliveryFinding, columns={
        "id": ID, "zip_id": refers("attempt_id", "zip_download", needed=False),
        "exception_id": refers("kind_id", "an_exception"), "message": text("message", needed=False),
        "last_update": STAMP,
    }),
    DumpTable(name="xml_log", model=DocumentFinding, columns={
        "id": ID, "xml_id": refers("document_id", "xml_file"), "exception_id": refers("kind_id", "an_exception"),
        "message": text("message", needed=False), "line": number("line", needed=False),
        "col": number("col", needed=False), "last_update": STAMP,
    }),
    DumpTable(name="crawling_session", model=DeliverySession, columns={
        "id": ID, "start_time": moment("start_time"), "finish_time": moment("finish_time", needed=False),
        "status": number("status"), "created": moment("created"), "last_update": STAMP,
    }),
    DumpTable(name="session_task", model=SessionTask, columns={
        "id": ID, "session_id": refers("session_id", "crawling_session"), "phase_id": refers("phase_id", "phase"),
        "comment": text("comment", needed=False), "start_time": moment("start_time"),
        "finish_time": moment("finish_time", needed=False), "status": number("status"), "created": moment("created"),
        "last_update": STAMP,
    }),
)  # fmt: skip


class PhaseNumbers:
    """Phases by the numbers and names of a profile; phases of ours that it does not name keep to the one before."""

    def __init__(self, profile: DeliveryProfile) -> None:
        labels = {Phase[name.upper()]: label for name, label in profile.labels.items()}
        if not labels:
            labels_needed = "Give a profile that names its phases, as impc does."
            raise BadTrackerDump(f"The profile {profile.name} names no phases", remedy=labels_needed)
        self.names = {label.number: label.name for label in labels.values()}
        self._ours = {label.number: phase for phase, label in labels.items()}
        self._theirs = {phase: self._near(phase, labels) for phase in Phase}

    def ours(self, number: int) -> int:
        """Our phase of a number there."""
        if number not in self._ours:
            raise ValueError(f"there is no phase {number}")
        return int(self._ours[number])

    def theirs(self, phase: int) -> int:
        """The number there of our phase."""
        return self._theirs[Phase(phase)]

    @staticmethod
    def _near(phase: Phase, labels: Mapping[Phase, Any]) -> int:
        before = [one for one in labels if one <= phase]
        chosen = max(before) if before else min(labels)
        return int(labels[chosen].number)
