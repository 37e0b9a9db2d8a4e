"""Addresses, types, languages, sizes and times as readers of search results see them."""

import datetime
import re
import unicodedata
from typing import Final
from urllib.parse import unquote, urlsplit

from django.conf.locale import LANG_INFO

_KINDS: Final = {
    "html": "Web page", "text": "Text", "pdf": "PDF", "feed": "Feed", "sitemap": "Sitemap", "xml": "XML",
    "json": "JSON", "office": "Office document", "image": "Picture", "audio": "Sound", "video": "Film",
    "style": "Style sheet", "script": "Script", "archive": "Archive file", "other": "Other",
}  # fmt: skip
_SCHEME: Final = re.compile(r"^https?://(?=[^/])", re.IGNORECASE)
_ENCODED: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_LONGEST: Final = 120  # characters of an address on a line
_LATEST: Final = 253_402_300_799.0  # the end of the year 9999


def readable(url: str) -> str:
    """A URL as people read it: without http://, percent signs decoded where they stand for letters, not too long."""
    bare = "".join(letter if _shown(letter) else "�" for letter in _SCHEME.sub("", url))
    whole = _ENCODED.sub(_decoded, bare).rstrip("/")
    return whole if len(whole) <= _LONGEST else f"{whole[: _LONGEST // 2]} … {whole[-_LONGEST // 3 :]}"


def web_address(url: str) -> str:
    """The URL if a browser may be sent there, else empty: a link never runs a script."""
    try:
        scheme = urlsplit(url).scheme.lower()
    except ValueError:
        return ""
    return url if scheme in ("http", "https") else ""


def kind_label(kind: str) -> str:
    """The name of a kind of page."""
    return _KINDS.get(kind, kind)


def language_label(code: str) -> str:
    """The English name of a language, or its code; unknown ones are said to be so."""
    known = LANG_INFO.get(code.lower()) or LANG_INFO.get(code.partition("-")[0].lower())
    if known and "name" in known:
        return str(known["name"])
    return "Unknown" if code in ("", "und", "unknown") else code


def size(number: int) -> str:
    """Bytes as people read them."""
    if number < 1_000:
        return f"{number} bytes"
    shown, unit = number / 1_000, "kB"
    for larger in ("MB", "GB"):
        if shown >= 999.5:
            shown, unit = shown / 1_000, larger
    return f"{shown:.3g} {unit}" if shown < 100 else f"{shown:.0f} {unit}"


def moment(seconds: float) -> datetime.datetime | None:
    """A time of the index; None for unknown, and for what no calendar holds."""
    if not 0 < seconds <= _LATEST:
        return None
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)


def day(seconds: float) -> str:
    """The day of a time: 2 Jan 2026; empty for unknown."""
    at = moment(seconds)
    return f"{at.day} {at:%b %Y}" if at else ""


def _decoded(found: re.Match[str]) -> str:
    """Percent signs as letters, if all of them are letters that may be shown."""
    try:
        letters = unquote(found[0], errors="strict")
    except UnicodeDecodeError:
        return found[0]
    return letters if all(map(_shown, letters)) else found[0]


def _shown(letter: str) -> bool:
    """Whether a letter can stand in an address without changing how the rest is read."""
    return unicodedata.category(letter)[0] not in "CZ"
