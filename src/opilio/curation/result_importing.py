"""Brings files of reviewers into a result: checked, laid beside the harvest, then added by the action.

Everything that can be refused is refused before a byte is written; files whose action fails go again.
"""

import datetime
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from opilio.curation.actions.result_imports import import_files
from opilio.curation.harvest_folders import folder_of, send
from opilio.curation.missing_urls import web_url
from opilio.curation.models import Result
from opilio.curation.patch_jobs import IMPORTS
from opilio.curation.patching import checked_note, existing_of
from opilio.curation.result_places import require_here
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields, NotAllowed
from opilio.people.privileges import Privilege, Subject
from opilio.works.added_files import (
    LARGEST_FILE,
    Standing,
    checked_type,
    keep_warc,
    read_stream,
    write_standing,
)

_WHERE = "result.import"
_MOST_FILES = 50  # of one import


@dataclass(frozen=True, kw_only=True)
class Upload:
    """A file that somebody brings."""

    name: str
    size: int
    stream: BinaryIO


@dataclass(frozen=True, kw_only=True)
class Words:
    """What is said about an import."""

    note: str
    existing: str = "replace"
    version: int | None = None


def import_at_url(
    actor: Actor, row: Result, upload: Upload, words: Words, *, url: str, content_type: str = "",
    at: datetime.datetime | None = None,
) -> Result:  # fmt: skip
    """Let a file stand at a URL, as of now or of a time that lies behind us."""
    place, kind, now = web_url(url), checked_type(content_type), actor.clock.now()
    moment = (at or now).astimezone(datetime.UTC)
    if moment > now:
        raise InvalidFields({"at": ["It lies in the future; nothing can have been captured then."]}, where=_WHERE)
    if not upload.size:
        raise InvalidFields({"file": ["The file is empty."]}, where=_WHERE)
    _check(actor, row, [upload], words, most=min(LARGEST_FILE, settings.OPILIO.server_max_upload_bytes))
    origin = (("added-by", actor.username), ("added-at", now.isoformat()), ("file-name", _one_line(upload.name)))
    standing = Standing(
        url=place, content=read_stream(upload.stream), content_type=kind, at=moment, note=origin
    )  # fmt: skip
    with _beside(row) as folder:
        return _added(actor, row, [write_standing(folder, standing)], words)


def import_warcs(actor: Actor, row: Result, uploads: Sequence[Upload], words: Words) -> Result:
    """Add all captures of WARC files."""
    if not 1 <= len(uploads) <= _MOST_FILES:
        raise InvalidFields({"files": [f"Give one to {_MOST_FILES} WARC files."]}, where=_WHERE)
    _check(actor, row, uploads, words, most=settings.OPILIO.server_max_upload_bytes)
    with _beside(row) as folder:
        kept = [keep_warc(folder, one.stream, one.size, number=place) for place, one in enumerate(uploads, 1)]
        return _added(actor, row, kept, words)


def _check(actor: Actor, row: Result, uploads: Sequence[Upload], words: Words, *, most: int) -> None:
    subject = Subject(agency=row.harvest.agency_id, owner=row.harvest.owner_id)
    if not actor.may(Privilege.ENDORSE_HARVEST, subject):
        remedy = f"It needs the privilege {Privilege.ENDORSE_HARVEST}; ask an administrator."
        raise NotAllowed(f"{actor.username} may not add to the {row}", where=_WHERE, remedy=remedy)
    checked_note(words.note, _WHERE)
    existing_of(words.existing, _WHERE)
    require_here(row)
    for one in uploads:
        if one.size > most:
            said = f"{one.name[:80]} has {one.size:,} bytes; at most {most:,} can be added at a time."
            raise InvalidFields({"file": [said]}, where=_WHERE)


def _added(actor: Actor, row: Result, files: Sequence[Path], words: Words) -> Result:
    base = folder_of(row.harvest_id, captures=False).path
    send(row.harvest_id)  # before the job that reads them can run elsewhere
    return import_files(
        actor, result_id=row.pk, files=[path.relative_to(base).as_posix() for path in files], note=words.note,
        existing=words.existing, version=words.version,
    )  # fmt: skip


@contextmanager
def _beside(row: Result) -> Iterator[Path]:
    """A folder of its own beside the harvest, which goes again when the import fails."""
    folder = folder_of(row.harvest_id, captures=False).path / IMPORTS / secrets.token_hex(8)
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _one_line(text: str) -> str:
    return "".join(each if each.isprintable() else " " for each in text)[:255]
