"""What is done with an archived body: nothing, or rewritten as a page, a drawing or a style sheet; in which charset."""

import re
from dataclasses import dataclass
from enum import Enum, auto

from opilio.extract.charset import decide, header_charset
from opilio.extract.charset_labels import MULTIBYTE, SINGLE_BYTE
from opilio.extract.kind import essence

SAMPLE = 1 << 16  # bytes that the decision needs
_HTML = frozenset({"text/html"})
_XHTML = frozenset({"application/xhtml+xml"})
_XML = frozenset({"image/svg+xml", "application/xml", "text/xml", "application/mathml+xml"})
_DRAWN = re.compile(rb"<(?:\w+:)?(?:svg|html)[\s>]|<\?xml-stylesheet|xmlns=[\"']http://www\.w3\.org/1999/xhtml")
_LOOKS_LIKE_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype|html|head|body|title|script|style|meta|link|div|p|a|h[1-6]|table"
    rb"|frameset|iframe|br|font|center)[\s>/]",
    re.IGNORECASE | re.DOTALL,
)
_BOM = re.compile(rb"\A(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\x00]*")
#: Destinations for which a page is a page; scripts and pictures that are served as text/html are none.
_PAGES = frozenset(("", "document", "iframe", "frame", "embed", "object", "empty"))
#: Charsets in which ASCII bytes may mean something else.
_APART = frozenset(("utf-16-be", "utf-16-le", "iso2022_jp"))


class Treatment(Enum):
    """What is done with a body."""

    NONE = auto()  # served as it is
    HTML = auto()
    XHTML = auto()
    XML = auto()  # references only: no script and no banner of ours
    CSS = auto()


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """How a body is served."""

    treatment: Treatment
    content_type: str  # with the charset, where it was not said
    encoding: str = "utf-8"  # Python's codec

    @property
    def apart(self) -> bool:
        """Whether its bytes must be decoded before markup can be seen in them."""
        return self.encoding in _APART


def treatment_of(content_type: str, destination: str, start: bytes) -> Treatment:
    """What is to be done with a body that begins so."""
    mime = essence(content_type)
    if destination == "style" or mime == "text/css":
        return Treatment.CSS if mime in ("text/css", "") or destination == "style" else Treatment.NONE
    if destination not in _PAGES:
        return Treatment.XML if mime == "image/svg+xml" else Treatment.NONE
    if mime in _HTML or (not mime and _LOOKS_LIKE_HTML.match(start)):
        return Treatment.HTML if _may_be_markup(start, destination) else Treatment.NONE
    if mime in _XHTML:
        return Treatment.XHTML
    return Treatment.XML if mime in _XML and _DRAWN.search(start) else Treatment.NONE


def document_of(content_type: str, destination: str, sample: bytes) -> Document:
    """How a body with this type and beginning is served."""
    treatment = treatment_of(content_type, destination, sample[:2048])
    if treatment is Treatment.NONE:
        return Document(treatment=treatment, content_type=content_type)
    markup = {Treatment.HTML: "html", Treatment.CSS: "css"}.get(treatment, "xml")
    charset = decide(sample, content_type=content_type, markup=markup).name
    codec = MULTIBYTE.get(charset) or SINGLE_BYTE.get(charset) or "latin-1"
    return Document(treatment=treatment, content_type=_labelled(content_type, treatment, charset), encoding=codec)


def _labelled(content_type: str, treatment: Treatment, charset: str) -> str:
    """The type with the charset that the page declares itself: our script moves that declaration further down."""
    if treatment in (Treatment.CSS, Treatment.XML) or header_charset(content_type) is not None:
        return content_type
    mime = essence(content_type) or "text/html"
    return f"{mime}; charset={charset}" if charset not in ("replacement", "x-user-defined") else content_type


def _may_be_markup(start: bytes, destination: str) -> bool:
    """Scripts ask for data under the type of pages; what is no markup is served as it is."""
    found = _BOM.match(start)
    first = start[found.end() : found.end() + 1] if found else start[:1]
    return first == b"<" if destination == "empty" else first not in (b"{", b"[")
