"""Turns the references of an archived document into paths of replay, byte by byte as far as possible.

Absolute and root-relative references get a prefix and keep their bytes; relative ones lead to the right place as they
are, because paths of replay end with the archived URL. Only odd spellings are taken apart and written anew.
"""

import html
import re

from opilio.kernel.errors import BadUrl
from opilio.kernel.urls import join, parse

_ODD = re.compile(rb"[\t\n\r\\]|\.\.|%2e", re.IGNORECASE)
_BEGIN = re.compile(
    rb"[\x00-\x20]*+(?:(?P<absolute>https?://(?=[^/?#]))|(?P<network>//(?=[^/?#]))|(?P<root>/)|(?P<scheme>[a-z][a-z0-9+.\-]*+:))",
    re.IGNORECASE,
)
_HIDDEN = re.compile(rb"[^/?#&]*+&")  # an escape before anything that would show what kind of reference it is
_ESCAPES = str.maketrans({"&": "&amp;", '"': "&quot;", "'": "&#39;", "<": "&lt;", ">": "&gt;"})


class References:
    """The references of one document. `base` may change while the document is read."""

    def __init__(self, *, stamp: str, url: str, encoding: str = "utf-8") -> None:
        self.stamp = stamp
        self.encoding = encoding
        self._prefix = f"/{stamp}/".encode("ascii")
        self.set_base(url)

    def set_base(self, url: str) -> None:
        """From now on references are relative to this URL."""
        parts = parse(url)
        port = f":{parts.port}" if parts.port is not None else ""
        self.base = url
        self._scheme = f"{parts.scheme}:".encode("ascii")
        self._origin = f"{parts.scheme}://{parts.host}{port}".encode("ascii")

    def plain(self, value: bytes) -> bytes:
        """The path for a reference that stands as it is, as in a style sheet or a header."""
        path = self._quick(value)
        return path if path is not None else self._slow(value)

    def attribute(self, value: bytes) -> bytes:
        """The same for the value of an attribute, in which characters may be escaped."""
        hidden = b"&" in value and _HIDDEN.match(value) is not None
        path = None if hidden else self._quick(value)
        if path is not None:
            return path
        clear = unescaped(value, self.encoding) if b"&" in value else value
        path = self._slow(clear)
        return value if path is clear else escaped(path)

    def absolute(self, value: bytes) -> str | None:
        """The URL that a reference means; None when it cannot be read or is not of the web."""
        try:
            url = join(self.base, value.decode(self.encoding, "replace"))
        except (BadUrl, LookupError):
            return None
        return url if url.startswith(("http://", "https://")) else None

    def _quick(self, value: bytes) -> bytes | None:
        """A prefix before the bytes, or the bytes as they are; None when the reference must be taken apart."""
        if _ODD.search(value) is not None:
            return None
        found = _BEGIN.match(value)
        if found is None or found.lastgroup is None:
            return value
        rest = value[found.start(found.lastgroup) :]
        match found.lastgroup:
            case "absolute":
                return self._prefix + rest
            case "network":
                return self._prefix + self._scheme + rest
            case "root":
                return self._prefix + self._origin + rest if not rest.startswith(b"//") else None
            case _:
                return None if found["scheme"].lower() in (b"http:", b"https:") else value

    def _slow(self, value: bytes) -> bytes:
        url = self.absolute(value)
        if url is None or value.lstrip(b"\x00\t\n\f\r ").startswith(b"#"):
            return value
        return self._prefix + url.encode("ascii", "ignore")


def unescaped(value: bytes, encoding: str) -> bytes:
    """The value of an attribute without its escapes."""
    try:
        return html.unescape(value.decode(encoding, "surrogateescape")).encode(encoding, "surrogateescape")
    except (LookupError, UnicodeError):
        text = html.unescape(value.decode("latin-1"))
        return text.encode("latin-1", "xmlcharrefreplace")


def escaped(value: bytes) -> bytes:
    """A value that can stand in an attribute, in whatever quotes."""
    return value.decode("latin-1").translate(_ESCAPES).encode("latin-1")
