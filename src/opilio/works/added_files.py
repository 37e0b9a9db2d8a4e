"""WARC files for results from what people bring: any file that is to stand at a URL, or WARC files of their own."""

import gzip
import mimetypes
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from urllib.parse import urlsplit

from opilio.archive.indexing.captures import captures
from opilio.archive.indexing.flaws import Flaw
from opilio.archive.warc.info import WarcInfo
from opilio.archive.warc.sink import WarcOptions, WarcSink
from opilio.extract.kind import essence, kind_of
from opilio.extract.page_types import MIME_TYPES
from opilio.kernel.capture import MetadataFields, Resource
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import ensure_folder, mapped, reading, require_space

LARGEST_FILE = 256 << 20  # bytes of one file that is to stand at a URL
_BLOCK = 1 << 20
_PREFIX = "import"
_UNKNOWN = "application/octet-stream"
_GZIP, _WARC = b"\x1f\x8b", b"WARC/"


class NotAddable(InvalidInput):
    """A file that cannot be added to a result."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A file that is to stand at a URL."""

    url: str
    content: bytes
    content_type: str  # empty: found out
    at: datetime  # aware, UTC
    note: MetadataFields = ()  # where it came from


def write_standing(folder: Path, standing: Standing) -> Path:
    """Write one as a resource record of a new WARC file in a folder of its own; nothing is left of one that fails."""
    with _aside(folder):
        info = WarcInfo(description="Added to a result by a reviewer.")
        sink = WarcSink(folder, worker="reviewer", options=WarcOptions(prefix=_PREFIX), info=info)
        try:
            kind = standing.content_type or type_of(standing.content, standing.url)
            resource = Resource(url=standing.url, content_type=kind, content=standing.content, at=standing.at)
            place = sink.append_resource(resource)
            if standing.note:
                sink.append_metadata(place, standing.note)
        finally:
            sink.close()
    return folder / place.file


def keep_warc(folder: Path, stream: BinaryIO, size: int, *, number: int = 1) -> Path:
    """Copy a WARC file into a folder and look through it; `NotAddable` says what is wrong with it."""
    beginning = stream.read(len(_WARC))
    stream.seek(0)
    if not beginning.startswith((_GZIP, _WARC)):
        raise NotAddable("It is no WARC file", where="file", remedy="Give a file that ends in .warc or .warc.gz.")
    with _aside(folder):
        require_space(folder, size)
        path = folder / f"{_PREFIX}-{number}.warc{'.gz' if beginning.startswith(_GZIP) else ''}"
        with mapped(path), path.open("xb") as target:
            shutil.copyfileobj(stream, target, _BLOCK)
        require_captures(path)
    return path


def require_captures(path: Path) -> int:
    """How many captures a WARC file has; one that is damaged, or has none, is refused."""
    flaws: list[Flaw] = []
    try:
        found = sum(1 for _ in captures(path, flaws))
    except (gzip.BadGzipFile, EOFError) as error:
        raise NotAddable(f"The WARC file cannot be read: {error}", where="file", remedy="Upload it anew.") from error
    if flaws:
        remedy = "Repair it first: opilio archive recover FILE."
        raise NotAddable(f"The WARC file is not sound: {flaws[0].what}", where="file", remedy=remedy)
    if not found:
        raise NotAddable("The WARC file has no capture", where="file", remedy="Give one with responses in it.")
    return found


def type_of(content: bytes, url: str) -> str:
    """The MIME type of a file by its bytes, else by the path of its URL."""
    kind = kind_of(content[:_BLOCK], content_type="", url=url)
    by_kind = next((mime for mime, extension in MIME_TYPES.items() if extension == kind.extension), "")
    by_name = mimetypes.guess_type(PurePosixPath(urlsplit(url).path).name, strict=False)[0] or ""
    if kind.decided_by == "signature" and by_kind:
        return by_kind
    return by_name or by_kind or _UNKNOWN


def checked_type(text: str) -> str:
    """A MIME type as somebody wrote it; empty: to be found out."""
    typed = text.strip()
    if typed and not essence(typed):
        raise NotAddable(f"{typed[:80]!r} is no MIME type", where="content_type", remedy="Write one as text/html.")
    return typed if typed.isascii() and typed.isprintable() else ""


def read_all(path: Path) -> bytes:
    """The bytes of a file that is not too large to stand at a URL."""
    with reading(path), path.open("rb") as stream:
        return read_stream(stream)


def read_stream(stream: BinaryIO) -> bytes:
    """The same for a stream."""
    found = stream.read(LARGEST_FILE + 1)
    if len(found) > LARGEST_FILE:
        what = f"The file has more than {LARGEST_FILE >> 20} MiB"
        raise NotAddable(what, where="file", remedy="Bring it as a WARC file.")
    return found


@contextmanager
def _aside(folder: Path) -> Iterator[None]:
    """A folder that goes again when what is done in it fails."""
    fresh = not folder.exists()
    ensure_folder(folder)
    try:
        yield
    except BaseException:
        if fresh:
            shutil.rmtree(folder, ignore_errors=True)
        raise
