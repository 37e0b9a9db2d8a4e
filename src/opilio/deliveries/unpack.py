"""Unpacks a delivery into a folder of its own, as if it were hostile.

Names from the archive are data and never paths: documents are stored by their number. What a careful reader could
understand in two ways (overlaps, two entries of one name) is refused, and sizes are counted while inflating.
"""

import hashlib
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from opilio.deliveries.errors import BadArchive
from opilio.deliveries.profile import ArchiveLimits
from opilio.deliveries.zip_directory import directory_size
from opilio.kernel.files import ensure_folder, mapped, sync_folder

_BLOCK = 1 << 20
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_LOCAL_HEADER = 30  # bytes of a local header before its name
_SMALL = 1 << 16  # bytes below which a ratio says nothing
_NESTED = (".zip", ".jar", ".7z", ".rar", ".tar", ".gz", ".bz2", ".xz", ".zst")


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """A file that was in a delivery."""

    number: int
    name: str
    path: Path
    size: int
    sha256: str
    md5: str


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """An entry that was not unpacked, and why; the delivery is taken without it."""

    name: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Unpacked:
    """What was in a delivery."""

    documents: Sequence[Document]
    left_out: Sequence[LeftOut]


def file_name(number: int) -> str:
    """What the file of a document is called here, whatever the archive calls it."""
    return f"{number:05d}"


def unpack(archive: Path, into: Path, limits: ArchiveLimits) -> Unpacked:
    """Unpack into a folder that is emptied first; `BadArchive` leaves nothing behind."""
    if into.exists():
        shutil.rmtree(into)
    ensure_folder(into)
    try:
        with _opened(archive, limits) as opened:
            wanted, left_out = _judged(opened.infolist(), limits, archive.name)
            documents = list(_written(opened, wanted, into, limits, archive.name))
        sync_folder(into)
    except BaseException:
        shutil.rmtree(into, ignore_errors=True)
        raise
    return Unpacked(documents=documents, left_out=left_out)


@contextmanager
def _opened(archive: Path, limits: ArchiveLimits) -> Iterator[zipfile.ZipFile]:
    with mapped(archive):
        size = directory_size(archive)
        if size > limits.directory_bytes:
            what = f"Its directory has {size:,} bytes; {limits.directory_bytes:,} are allowed"
            raise BadArchive(what, kind="too-large", where=archive.name)
        try:
            with zipfile.ZipFile(archive) as opened:
                yield opened
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
            remedy = "Ask the partner to pack it again."
            what = f"It cannot be unpacked: {str(error).rstrip('.')}"
            raise BadArchive(what, kind="corrupt", where=archive.name, remedy=remedy) from error


def _judged(
    entries: Sequence[zipfile.ZipInfo], limits: ArchiveLimits, where: str
) -> tuple[list[zipfile.ZipInfo], list[LeftOut]]:
    if len(entries) > limits.entries:
        raise BadArchive(
            f"It has {len(entries):,} entries; {limits.entries:,} are allowed", kind="too-many", where=where
        )
    names = [one.filename for one in entries]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadArchive(f"The name {twice!r} is in it twice", kind="duplicate-name", where=where)
    _require_apart(entries, where)
    wanted: list[zipfile.ZipInfo] = []
    left_out: list[LeftOut] = []
    for one in entries:
        _require_plain(one, limits, where)
        why = _why_left_out(one)
        if why:
            left_out.append(LeftOut(name=one.filename, why=why))
        else:
            wanted.append(one)
    return wanted, left_out


def _require_apart(entries: Sequence[zipfile.ZipInfo], where: str) -> None:
    """No two entries share bytes: each begins after the one before has ended."""
    end = 0
    for one in sorted(entries, key=lambda entry: entry.header_offset):
        if one.header_offset < end:
            raise BadArchive(f"{one.filename!r} overlaps another entry", kind="overlap", where=where)
        end = one.header_offset + _LOCAL_HEADER + len(one.orig_filename.encode("utf-8")) + one.compress_size


def _require_plain(entry: zipfile.ZipInfo, limits: ArchiveLimits, where: str) -> None:
    """What no honest partner packs."""
    name, mode = entry.filename, entry.external_attr >> 16
    kind = what = ""
    if entry.flag_bits & _ENCRYPTED:
        kind, what = "encrypted", f"{name!r} is encrypted"
    elif entry.compress_type not in _METHODS:
        kind, what = "method", f"{name!r} is packed by a method other than stored or deflate"
    elif stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        kind, what = "link", f"{name!r} is a link or a device"
    elif (
        name.startswith(("/", "\\"))
        or ":" in name
        or "\\" in name
        or ".." in name.split("/")
        or "\0" in entry.orig_filename
    ):
        kind, what = "path", f"{name!r} leads out of the archive"
    elif limits.ascii_names and not (name.isascii() and name.isprintable()):
        kind, what = "name", f"{name!r} has characters that names may not have"
    elif entry.file_size > limits.entry_bytes:
        kind, what = "too-large", f"{name!r} has {entry.file_size:,} bytes; {limits.entry_bytes:,} are allowed"
    elif entry.file_size > max(entry.compress_size, 1) * limits.ratio and entry.file_size > _SMALL:
        kind, what = "ratio", f"{name!r} inflates more than {limits.ratio:g} times"
    if kind:
        raise BadArchive(what, kind=kind, where=where, remedy="Ask the partner to pack it again.")


def _why_left_out(entry: zipfile.ZipInfo) -> str:
    name = entry.filename.rstrip("/")
    if entry.is_dir():
        return "It is a folder."
    if "/" in name:
        return "It lies in a folder; documents lie at the top."
    if name.lower().endswith(_NESTED):
        return "It is an archive in the archive."
    return ""


def _written(
    opened: zipfile.ZipFile, entries: Sequence[zipfile.ZipInfo], into: Path, limits: ArchiveLimits, where: str
) -> Iterator[Document]:
    total = 0
    for number, entry in enumerate(entries, start=1):
        made = _inflated(opened, entry, number, into, limits, where)
        total += made.size
        if total > limits.total_bytes:
            raise BadArchive(f"It holds more than {limits.total_bytes:,} bytes", kind="too-large", where=where)
        yield made


def _inflated(
    opened: zipfile.ZipFile, entry: zipfile.ZipInfo, number: int, into: Path, limits: ArchiveLimits, where: str
) -> Document:
    path = into / file_name(number)
    sha256, md5, size = hashlib.sha256(), hashlib.md5(usedforsecurity=False), 0
    most = min(limits.entry_bytes, max(int(max(entry.compress_size, 1) * limits.ratio), _SMALL))
    with mapped(path), opened.open(entry) as packed, path.open("xb") as stream:
        while block := packed.read(_BLOCK):
            size += len(block)
            if size > most:
                raise BadArchive(f"{entry.filename!r} inflates beyond what it says", kind="ratio", where=where)
            sha256.update(block)
            md5.update(block)
            stream.write(block)
    return Document(
        number=number, name=entry.filename, path=path, size=size, sha256=sha256.hexdigest(), md5=md5.hexdigest()
    )
