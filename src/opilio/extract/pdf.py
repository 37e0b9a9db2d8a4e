"""Text, title and links of PDF files, by pypdf. Runs in the helper process only: hostile files loop and swell."""

import io
from collections.abc import Iterator
from typing import Any

from pypdf import PageObject, PdfReader
from pypdf.errors import PyPdfError

from opilio.extract.document import Document
from opilio.extract.extracted import Meta
from opilio.extract.links import LinkKind, Reference
from opilio.extract.options import Options

_MOST_LINKS = 50_000
_MOST_ANNOTATIONS = 5_000  # of one page
#: What pypdf raises on broken files besides its own errors.
_BROKEN = (PyPdfError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, OSError,
           AssertionError, NotImplementedError, EOFError)  # fmt: skip


def read_pdf(body: bytes, options: Options) -> Document:
    """Read a PDF; a page that cannot be read is noted and left out."""
    try:
        reader = PdfReader(io.BytesIO(body), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            return Document(problem="it is encrypted")
        return _Reading(reader, options).document()
    except _BROKEN as error:
        return Document(problem=f"it is no readable PDF ({type(error).__name__})")


class _Reading:
    """One file being read."""

    def __init__(self, reader: PdfReader, options: Options) -> None:
        self._reader = reader
        self._options = options
        self._lines: list[str] = []
        self._room = options.max_text
        self._references: list[Reference] = []
        self._unreadable = 0

    def document(self) -> Document:
        count = len(self._reader.pages)
        kept = min(count, self._options.max_pdf_pages)
        for number in range(kept):
            self._page(number)
        notes = []
        if count > kept:
            notes.append(f"{count - kept} of {count} pages above the limit were left out.")
        if self._unreadable:
            notes.append(f"{self._unreadable} of {count} pages could not be read.")
        values = _properties(self._reader)
        return Document(
            title=values.get("title", ""),
            language=_language(self._reader),
            metas=tuple(Meta(name, value) for name, value in values.items()),
            references=tuple(self._references),
            text="\n".join(self._lines),
            notes=tuple(notes),
        )

    def _page(self, number: int) -> None:
        try:
            page = self._reader.pages[number]
            if len(self._references) < _MOST_LINKS:
                self._references.extend(_links(page))
            text = page.extract_text() if self._room > 0 else ""
        except _BROKEN:
            self._unreadable += 1
            return
        for line in text.splitlines():
            clean = " ".join(line.split())[: max(0, self._room)]
            if clean:
                self._lines.append(clean.encode("utf-8", "replace").decode())
                self._room -= len(clean) + 1


def _links(page: PageObject) -> Iterator[Reference]:
    """The URIs of a page's annotations."""
    annotations: Any = page.get("/Annots")
    annotations = annotations.get_object() if annotations is not None else []
    for one in list(annotations or [])[:_MOST_ANNOTATIONS]:
        action = one.get_object().get("/A")
        uri = action.get_object().get("/URI") if action is not None else None
        if uri is not None:
            yield Reference(str(uri.get_object()), LinkKind.LINK, "pdf", "uri")


def _properties(reader: PdfReader) -> dict[str, str]:
    """The document information, without the producer's private entries."""
    try:
        information: dict[str, Any] = dict(reader.metadata or {})
        pairs = {str(key).lstrip("/").lower(): str(value) for key, value in list(information.items())[:50]}
    except _BROKEN:
        return {}
    return {key: clean for key, value in pairs.items() if (clean := " ".join(value.split())[:10_000])}


def _language(reader: PdfReader) -> str:
    try:
        return str(reader.root_object.get("/Lang") or "")[:35]
    except _BROKEN:
        return ""
