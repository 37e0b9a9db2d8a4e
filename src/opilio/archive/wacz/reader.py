"""Reads a WACZ of anybody: refuses what would harm, gives its WARC files and pages, and finds what is wrong with it."""

import contextlib
import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from opilio.archive.wacz import layout
from opilio.archive.wacz.errors import NotAWacz
from opilio.archive.wacz.signing import is_signed_well
from opilio.archive.wacz.zip_safety import LIMITS, ZipLimits, check_directory, check_entries
from opilio.kernel.errors import Damaged, OpilioError
from opilio.kernel.files import reading

_PIECE = 1 << 20  # bytes
_MOST_DOCUMENT = 64 << 20  # bytes of a document that is read at once
_LONGEST_PAGE = 16 << 20  # bytes of a line in a list of pages
_WARCS = (".warc", ".warc.gz", ".arc", ".arc.gz")
_HASHES = {"sha256": hashlib.sha256, "sha512": hashlib.sha512, "md5": hashlib.md5}
#: What Python's reader may say of a broken file.
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OverflowError)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """Something that is wrong with a WACZ."""

    name: str  # the file inside
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedPage:
    """A page as a WACZ lists it."""

    url: str
    title: str = ""
    seed: bool = False


class WaczFile:
    """An open WACZ."""

    def __init__(self, path: Path, limits: ZipLimits = LIMITS) -> None:
        self._path = path
        with reading(path):
            self._stream = path.open("rb")
        try:
            check_directory(self._stream, path, limits)
            self._zip = self._opened()
            check_entries(self._zip.infolist(), self._zip.start_dir, path, limits)
        except BaseException:
            self._stream.close()
            raise
        self._entries = {entry.filename: entry for entry in self._zip.infolist() if not entry.is_dir()}

    def __enter__(self) -> "WaczFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._zip.close()
        self._stream.close()

    @property
    def names(self) -> list[str]:
        """The files inside."""
        return list(self._entries)

    def warcs(self) -> list[str]:
        """The WARC and ARC files, in the order of their names."""
        inside = (name for name in self._entries if name.startswith(layout.ARCHIVE))
        return sorted(name for name in inside if name.lower().endswith(_WARCS))

    def nested(self) -> list[str]:
        """WACZ files inside of this one."""
        return sorted(name for name in self._entries if name.lower().endswith(".wacz"))

    def size(self, name: str) -> int:
        """Bytes of a file, unpacked."""
        return self._entry(name).file_size

    def pieces(self, name: str) -> Iterator[bytes]:
        """A file inside, a piece at a time; never more than it was announced to be."""
        entry = self._entry(name)
        with self._mapped(name), self._zip.open(entry) as stream:
            while piece := stream.read(_PIECE):
                yield piece

    def document(self) -> dict[str, Any]:
        """The datapackage; empty when it cannot be read."""
        return self._json(layout.DATAPACKAGE)

    def pages(self) -> Iterator[ListedPage]:
        """The pages that the lists hold, as far as they can be read."""
        for name in (layout.PAGES, layout.EXTRA_PAGES):
            if name in self._entries:
                for line in self._lines(name):
                    page = _page(line)
                    if page is not None:
                        yield page

    def faults(self) -> Iterator[Fault]:
        """All that is wrong: files that are missing, changed or not listed, and the digest of the whole."""
        listed = self._listed()
        if listed is None:
            yield Fault(name=layout.DATAPACKAGE, reason="it is missing, or cannot be read")
            return
        for name, resource in listed.items():
            reason = self._wrong(name, resource)
            if reason:
                yield Fault(name=name, reason=reason)
        for name in self._entries:
            if name not in listed and name not in (layout.DATAPACKAGE, layout.DIGEST):
                yield Fault(name=name, reason="the datapackage does not list it")
        yield from self._wrong_digest()

    def _wrong(self, name: str, resource: Mapping[str, Any]) -> str:
        """What is wrong with a file, in words; empty when it is as listed."""
        if name not in self._entries:
            return "it is listed, and is not there"
        announced, size = str(resource.get("hash", "")), resource.get("bytes")
        kind, _, value = announced.partition(":")
        if kind not in _HASHES:
            return f"its digest {announced[:80]!r} is of a kind that is not known"
        try:
            found = self._digest(name, kind)
        except OpilioError as error:
            return error.what
        if found != value.lower():
            return f"it has the digest {kind}:{found}, where {announced[:160]} is listed"
        if isinstance(size, int) and size != self.size(name):
            return f"it has {self.size(name)} bytes, where {size} are listed"
        return ""

    def _wrong_digest(self) -> Iterator[Fault]:
        if layout.DIGEST not in self._entries:
            return  # it may be left out
        told = self._json(layout.DIGEST)
        found = f"sha256:{self._digest(layout.DATAPACKAGE, 'sha256')}"
        if told.get("hash") != found:
            yield Fault(name=layout.DIGEST, reason=f"the datapackage has the digest {found}, and another is told")
        signed = told.get("signedData")
        if isinstance(signed, dict) and "publicKey" in signed and not is_signed_well(signed, found):
            yield Fault(name=layout.DIGEST, reason="the signature is not that of its key over the datapackage")

    def _listed(self) -> dict[str, Mapping[str, Any]] | None:
        """The files that the datapackage lists, by their paths."""
        resources = self.document().get("resources")
        if not isinstance(resources, list):
            return None
        return {str(each.get("path")): each for each in resources if isinstance(each, dict)}

    def _digest(self, name: str, kind: str) -> str:
        made = _HASHES[kind](usedforsecurity=False)
        for piece in self.pieces(name):
            made.update(piece)
        return made.hexdigest()

    def _json(self, name: str) -> dict[str, Any]:
        if name not in self._entries or self.size(name) > _MOST_DOCUMENT:
            return {}
        try:
            found = json.loads(b"".join(self.pieces(name)))
        except (ValueError, RecursionError, Damaged):
            return {}
        return found if isinstance(found, dict) else {}

    def _lines(self, name: str) -> Iterator[bytes]:
        entry = self._entry(name)
        with self._mapped(name), self._zip.open(entry) as stream:
            while line := stream.readline(_LONGEST_PAGE):
                yield line

    def _entry(self, name: str) -> zipfile.ZipInfo:
        if name not in self._entries:
            raise NotAWacz(f"{name[:200]!r} is not in it", where=str(self._path), remedy="Check the name.")
        return self._entries[name]

    def _opened(self) -> zipfile.ZipFile:
        with self._mapped(""):
            return zipfile.ZipFile(self._stream)

    @contextlib.contextmanager
    def _mapped(self, name: str) -> Iterator[None]:
        """Turn what Python's reader says into our errors."""
        try:
            yield
        except OpilioError:
            raise
        except _BROKEN as error:
            what = f"{name[:200]!r} in it cannot be read" if name else "the ZIP file cannot be read"
            remedy = "Copy it again, or ask whoever made it."
            raise Damaged(f"{what}: {str(error)[:200]}", where=str(self._path), remedy=remedy) from error


def _begins(stream: BinaryIO) -> bool:
    return stream.read(4) in (b"PK\x03\x04", b"PK\x05\x06")


def _page(line: bytes) -> ListedPage | None:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or not isinstance(told.get("url"), str):
        return None
    title = told.get("title")
    return ListedPage(url=told["url"], title=title if isinstance(title, str) else "", seed=told.get("seed") is True)
