"""Decides what a resource is: page type and extension from the MIME type, then the signature, then the path."""

from dataclasses import dataclass
from urllib.parse import unquote

from opilio.extract.page_types import ALIASES, EXTENSIONS, FAMILIES, MIME_TYPES, PageType
from opilio.extract.signatures import UNMISTAKABLE, sniff, xml_root

#: MIME types that servers send when they do not know.
_VAGUE = frozenset(
    {"", "application/octet-stream", "binary/octet-stream", "application/unknown", "unknown/unknown", "*/*"}
)
_READABLE = frozenset({PageType.HTML, PageType.TEXT})
_XML = frozenset({"application/xml", "text/xml"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """What a resource is, and who said so."""

    page_type: PageType
    extension: str  # without a dot, from page_types.EXTENSIONS
    mime: str  # the essence of Content-Type, lower case; empty when there was none
    decided_by: str  # "mime", "signature", "path" or "nothing"


def essence(content_type: str) -> str:
    """The MIME type of a Content-Type header without its parameters; empty when it is malformed."""
    found = content_type.partition(";")[0].strip().lower()
    return found if found.count("/") == 1 and " " not in found and len(found) <= 127 else ""


def kind_of(body: bytes, *, content_type: str, url: str) -> Kind:
    """What the resource is, from its header, its bytes and its URL."""
    mime = essence(content_type)
    by_mime = _by_mime(mime, body)
    if by_mime is not None and by_mime[0] not in _READABLE:
        return Kind(page_type=by_mime[0], extension=by_mime[1], mime=mime, decided_by="mime")
    shown = sniff(body)
    if shown is not None and (by_mime is None or shown in UNMISTAKABLE):
        page_type, extension = _of_extension(shown)
        return Kind(page_type=page_type, extension=extension, mime=mime, decided_by="signature")
    if by_mime is not None:
        return Kind(page_type=by_mime[0], extension=by_mime[1], mime=mime, decided_by="mime")
    return _by_path(body, mime, url)


def _by_mime(mime: str, body: bytes) -> tuple[PageType, str] | None:
    if mime in _VAGUE:
        return None
    if mime in _XML or (mime.endswith("+xml") and mime not in MIME_TYPES):
        return _of_extension(xml_root(body) or "xml")
    if mime == "application/feed+json":
        return PageType.FEED, "json"
    if mime in MIME_TYPES:
        return _specific(MIME_TYPES[mime], body)
    if mime.endswith("+json"):
        return PageType.JSON, "json"
    family = FAMILIES.get(mime.partition("/")[0])
    return None if family is None else (family, "txt" if family is PageType.TEXT else "bin")


def _specific(extension: str, body: bytes) -> tuple[PageType, str] | None:
    """A few MIME types are too broad: a sitemap travels as gzip, an office file as zip."""
    if extension in ("gz", "zip"):
        return _of_extension(sniff(body) or extension)
    return _of_extension(extension)


def _of_extension(extension: str) -> tuple[PageType, str]:
    return (PageType.SITEMAP, "xml") if extension == "sitemap" else (EXTENSIONS[extension][0], extension)


def _by_path(body: bytes, mime: str, url: str) -> Kind:
    name = unquote(url.partition("?")[0].partition("#")[0]).rpartition("/")[2]
    _, dot, ending = name.rpartition(".")
    ending = ALIASES.get(ending.lower(), ending.lower())
    if dot and ending in EXTENSIONS:
        return Kind(page_type=EXTENSIONS[ending][0], extension=ending, mime=mime, decided_by="path")
    if body and b"\x00" not in body[:1024]:
        return Kind(page_type=PageType.TEXT, extension="txt", mime=mime, decided_by="nothing")
    return Kind(page_type=PageType.OTHER, extension="bin", mime=mime, decided_by="nothing")
