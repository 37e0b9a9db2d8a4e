"""Text, title and links of office files: Office Open XML (docx, xlsx, pptx) and OpenDocument (odt, ods, odp).

Runs in the helper process only. A file is a zip of XML parts: names are only compared, never used as paths; the number
of entries, what they unpack to and the nesting of XML are limited, and DOCTYPE and entities are refused.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any, Final

from opilio.extract.document import Document
from opilio.extract.extracted import Meta
from opilio.extract.links import LinkKind, Reference
from opilio.extract.options import Options
from opilio.extract.xml_reading import XmlReader, XmlRefused, attribute

_CHUNK = 65_536
_RATIO = 1_000  # unpacked to packed size from which a large part is a bomb
_LARGE = 10 * 1024 * 1024
_MOST_LINKS = 50_000
#: Extension → the parts that hold text, in reading order by name.
_PARTS: Final = {
    "docx": re.compile(r"word/(?:document|footnotes|endnotes|comments|header\d*|footer\d*)\.xml"),
    "xlsx": re.compile(r"xl/(?:sharedStrings|worksheets/sheet\d+)\.xml"),
    "pptx": re.compile(r"ppt/(?:slides/slide|notesSlides/notesSlide)\d+\.xml"),
    "odt": re.compile(r"content\.xml"),
    "ods": re.compile(r"content\.xml"),
    "odp": re.compile(r"content\.xml"),
}
_PROPERTIES = re.compile(r"docProps/core\.xml|meta\.xml")
_RELATIONS = re.compile(r"(?:word|xl|ppt)/(?:.*/)?_rels/[^/]*\.rels")
_WORDS = frozenset({"t", "p", "h", "span", "a"})  # elements whose character data is text
_LINES = frozenset({"p", "h", "br", "tab", "si", "row", "table-row", "line-break"})
_NUMBER = re.compile(r"(\d+)")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, KeyError, OSError)

Handler = Callable[[str, Any], None]


def read_office(body: bytes, extension: str, options: Options) -> Document:
    """Read an office file; old binary formats give nothing but a note."""
    if extension not in _PARTS:
        return Document(notes=(f"The text of .{extension} files is not read.",))
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            return _Reading(archive, options).document(extension)
    except XmlRefused as refusal:
        return Document(problem=refusal.what)
    except _BROKEN as error:
        return Document(problem=f"it cannot be unpacked ({type(error).__name__})")


class _Reading:
    """One file being read."""

    def __init__(self, archive: zipfile.ZipFile, options: Options) -> None:
        self._archive = archive
        self._options = options
        self._room = options.max_unpacked_bytes
        self._text_room = options.max_text
        self._pieces: list[str] = []
        self._references: list[Reference] = []
        self._properties: dict[str, str] = {}
        self._notes: list[str] = []

    def document(self, extension: str) -> Document:
        entries = self._archive.infolist()
        if len(entries) > self._options.max_zip_entries:
            raise XmlRefused(f"it has more than {self._options.max_zip_entries} entries")
        for entry in sorted(entries, key=_reading_order):
            self._part(entry, extension)
        lines = (" ".join(line.split()) for line in "".join(self._pieces).split("\n"))
        values = self._properties
        return Document(
            title=values.get("title", ""),
            language=values.get("language", "")[:35],
            metas=tuple(Meta(name, value) for name, value in values.items()),
            references=tuple(self._references),
            text="\n".join(line for line in lines if line)[: self._options.max_text],
            notes=tuple(self._notes),
        )

    def _part(self, entry: zipfile.ZipInfo, extension: str) -> None:
        if _PARTS[extension].fullmatch(entry.filename):
            self._read(entry, _ignore, self._on_line, self._on_text)
        elif _PROPERTIES.fullmatch(entry.filename):
            self._read(entry, _ignore, self._on_property)
        elif _RELATIONS.fullmatch(entry.filename):
            self._read(entry, self._on_relation, _ignore)

    def _read(self, entry: zipfile.ZipInfo, start: Handler, end: Handler, data: Handler | None = None) -> None:
        if entry.file_size > _LARGE and entry.file_size > _RATIO * max(1, entry.compress_size):
            raise XmlRefused("a part of it unpacks to far more than it seems")

        def on_start(name: str, attributes: dict[str, str]) -> None:
            self._on_link(name, attributes)
            start(name, attributes)

        reader = XmlReader(start=on_start, end=end, max_depth=self._options.max_xml_depth, data=data)
        problem = reader.read(self._chunks(entry), None)
        if problem:
            raise XmlRefused(problem)

    def _chunks(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        with self._archive.open(entry) as part:
            while chunk := part.read(_CHUNK):
                self._room -= len(chunk)
                if self._room < 0:
                    raise XmlRefused(f"it unpacks to more than {self._options.max_unpacked_bytes} bytes")
                yield chunk

    def _on_text(self, name: str, text: str) -> None:
        if name in _WORDS and text and self._text_room > 0:
            self._pieces.append(text[: self._text_room])
            self._text_room -= len(text)

    def _on_line(self, name: str, _text: str) -> None:
        if name in _LINES:
            self._pieces.append("\n")

    def _on_property(self, name: str, text: str) -> None:
        if text.strip() and len(self._properties) < 50:
            self._properties.setdefault(name, text.strip()[:10_000])

    def _on_relation(self, name: str, attributes: dict[str, str]) -> None:
        if name == "relationship" and attributes.get("TargetMode") == "External":
            self._link(attributes.get("Target", ""))

    def _on_link(self, name: str, attributes: dict[str, str]) -> None:
        if name == "a":
            self._link(attribute(attributes, "href"))

    def _link(self, ref: str) -> None:
        if ref and not ref.startswith("#") and len(self._references) < _MOST_LINKS:
            self._references.append(Reference(ref, LinkKind.LINK, "office", "target"))


def _ignore(_name: str, _what: object) -> None:
    """For the half of the events that a part has no use for."""


def _reading_order(entry: zipfile.ZipInfo) -> list[tuple[int, str]]:
    """Slide 2 before slide 10."""
    pieces = _NUMBER.split(entry.filename)
    return [(int(piece), "") if piece.isdigit() and len(piece) < 10 else (0, piece) for piece in pieces]
