"""Whether a ZIP file of somebody else may be unpacked: decided from its directory, before any entry is read."""

import stat
import struct
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from opilio.archive.wacz.errors import NotAWacz, UnsafeZip

_END = struct.Struct("<4s4H2LH")
_END_MARK = b"PK\x05\x06"
_WIDE_PLACE = struct.Struct("<4sLQL")
_WIDE_END = struct.Struct("<4sQ2H2L4Q")
_LOCAL = 30  # bytes of a local header before its name
_KNOWN = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_REMEDY = "Ask whoever made it for another copy; this one is not unpacked."


@dataclass(frozen=True, kw_only=True, slots=True)
class ZipLimits:
    """How large and how dense a ZIP file may be."""

    entries: int = 100_000
    directory: int = 64 << 20  # bytes of the list of entries
    ratio: int = 200  # unpacked to packed, beyond the first bytes
    free: int = 1 << 20  # bytes that an entry may have whatever their ratio
    name: int = 1_000  # characters


LIMITS = ZipLimits()


def check_directory(stream: BinaryIO, where: Path, limits: ZipLimits = LIMITS) -> None:
    """`UnsafeZip` when the list of entries alone is too much to read; `NotAWacz` when there is none."""
    count, size = _announced(stream, where)
    if count > limits.entries:
        raise _unsafe(where, f"it lists {count:,} files, and {limits.entries:,} are the limit")
    if size > limits.directory:
        raise _unsafe(where, f"its list of files has {size:,} bytes, and {limits.directory:,} are the limit")


def check_entries(entries: Sequence[zipfile.ZipInfo], end: int, where: Path, limits: ZipLimits = LIMITS) -> None:
    """`UnsafeZip` with the name of the first entry that is not harmless; `end` is where the list of entries begins."""
    names: set[str] = set()
    for entry in entries:
        if reason := _harm(entry, limits):
            raise _unsafe(where, f"{entry.filename[:200]!r} {reason}")
        if entry.filename in names:
            raise _unsafe(where, f"{entry.filename[:200]!r} is in it twice")
        names.add(entry.filename)
    _check_overlaps(entries, end, where)


def is_safe_name(name: str, longest: int = LIMITS.name) -> bool:
    """Whether a name stays inside the folder that it is unpacked into."""
    if not name or len(name) > longest or "\\" in name or name.startswith("/") or name[1:2] == ":":
        return False
    if not name.isprintable():
        return False
    return all(part not in ("", ".", "..") for part in name.removesuffix("/").split("/"))


def _harm(entry: zipfile.ZipInfo, limits: ZipLimits) -> str:
    """Why an entry is not harmless; empty when it is."""
    if not is_safe_name(entry.orig_filename, limits.name) or not is_safe_name(entry.filename, limits.name):
        return "would be unpacked outside of its folder, or cannot be a name"
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is a link or a device, and no file"
    if entry.flag_bits & _ENCRYPTED:
        return "is encrypted"
    return _inflation(entry, limits)


def _inflation(entry: zipfile.ZipInfo, limits: ZipLimits) -> str:
    if entry.compress_type not in _KNOWN:
        return f"is compressed by method {entry.compress_type}, which a WACZ does not use"
    if entry.compress_type == zipfile.ZIP_STORED and entry.file_size != entry.compress_size:
        return "says two different sizes"
    if entry.file_size > limits.free and entry.file_size > limits.ratio * max(entry.compress_size, 1):
        return f"would unfold to {entry.file_size:,} bytes from {entry.compress_size:,}"
    return ""


def _check_overlaps(entries: Sequence[zipfile.ZipInfo], end: int, where: Path) -> None:
    """Each entry ends before the next begins: otherwise few bytes are unpacked again and again."""
    ordered = sorted(entries, key=lambda entry: entry.header_offset)
    starts = [entry.header_offset for entry in ordered[1:]]
    for entry, limit in zip(ordered, [*starts, end], strict=True):
        length = _LOCAL + len(entry.orig_filename) + entry.compress_size  # at least
        if entry.header_offset < 0 or entry.header_offset + length > limit:
            raise _unsafe(where, f"{entry.filename[:200]!r} lies upon another file")


def _announced(stream: BinaryIO, where: Path) -> tuple[int, int]:
    """How many entries, and how many bytes of list, the end of the file announces."""
    size = stream.seek(0, 2)
    begin = max(0, size - _END.size - 0xFFFF)
    stream.seek(begin)
    tail = stream.read()
    at = tail.rfind(_END_MARK)
    if at < 0 or len(tail) - at < _END.size:
        raise NotAWacz("the file is no ZIP file, or its end is missing", where=str(where), remedy="Copy it again.")
    _, _, _, _, count, length, _, _ = _END.unpack_from(tail, at)
    wide = _wide(stream, begin + at - _WIDE_PLACE.size)
    return wide or (count, length)


def _wide(stream: BinaryIO, place: int) -> tuple[int, int] | None:
    """The same of a ZIP64 file."""
    if place < 0:
        return None
    stream.seek(place)
    data = stream.read(_WIDE_PLACE.size)
    if len(data) < _WIDE_PLACE.size or not data.startswith(b"PK\x06\x07"):
        return None
    _, _, offset, _ = _WIDE_PLACE.unpack(data)
    stream.seek(min(offset, place))
    data = stream.read(_WIDE_END.size)
    if len(data) < _WIDE_END.size or not data.startswith(b"PK\x06\x06"):
        return None
    fields = _WIDE_END.unpack(data)
    return fields[7], fields[8]


def _unsafe(where: Path, what: str) -> UnsafeZip:
    return UnsafeZip(f"the ZIP file is not harmless: {what}", where=str(where), remedy=_REMEDY)
