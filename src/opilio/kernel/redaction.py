"""Secrets taken out of what is about to be written down, by the name of the field, in URLs and in plain text.

Pure functions over plain values; `logs` runs every event through `plain`. What comes out is bounded in size and depth,
holds nothing but JSON's types, and no character that could forge or hide a line.
"""

import dataclasses
import math
import re
from collections.abc import Iterable, Mapping
from urllib.parse import unquote_plus

HIDDEN = "[hidden]"

LONGEST_TEXT = 2_000  # characters
MOST_ITEMS = 50
DEEPEST = 6

# Any field whose name contains one of these …
_STRONG = (
    "password", "passwd", "passphrase", "secret", "token", "credential", "cookie", "authorization", "apikey",
    "privatekey", "accesskey", "sessionid", "sessid", "sessionkey", "csrf", "signature",
)  # fmt: skip
# … or has one of these as a word of its own.
_WEAK = frozenset({"key", "keys", "pwd", "pass", "auth", "jwt", "bearer", "otp", "pin", "sid", "sig", "salt"})
# Names of ours that carry no secret.
_HARMLESS = frozenset({"host_key", "dedup_key", "primary_key", "public_key", "sort_key", "token_id", "credential_id"})

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_NOT_LETTERS = re.compile(r"[^a-z]+")
_USERINFO = re.compile(r"(?<=://)[^\s/?#\"'<>]+@")
_PARAMETER = re.compile(r"(?<=[?&;#])([^\s=&?;#]{1,80})=([^\s&;#\"'<>]*)")
_HEADER = re.compile(r"(?i)\b((?:proxy-)?authorization|(?:set-)?cookie2?)(\\?['\"]?\s{0,3}[:=]\s{0,3})[^\r\n]+")
_ASSIGNED = re.compile(
    r"(?i)\b([\w.-]{0,40}?(?:password|passwd|passphrase|secret|token|credential|api[_-]?key)[\w.-]{0,40})"
    r"(\\?['\"]?\s{0,3}[=:]\s{0,3})(?!\[hidden\])(\"[^\"]*\"?|'[^']*'?|[^\s,;&)}\]]+)"
)
_BEARER = re.compile(r"(?i)\b(bearer|basic|digest)\s+[A-Za-z0-9+/=._~-]{8,}")
# C0, DEL, C1, lone surrogates, line and paragraph separators, bidirectional and invisible format characters.
_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


def is_secret(name: str) -> bool:
    """Whether a field, header or parameter of this name holds a secret."""
    if name.lower() in _HARMLESS:
        return False
    squeezed = _NOT_LETTERS.sub("", name.lower())
    if any(word in squeezed for word in _STRONG):
        return True
    return any(word.lower() in _WEAK for word in _WORDS.findall(name))


def plain(value: object, depth: int = 0) -> object:
    """The value as it may be written down: JSON's types only, secrets hidden, size bounded, controls visible."""
    if value is None or isinstance(value, bool | int | float):
        return _number(value)
    if isinstance(value, str):
        return text(value)
    return _structure(value, depth) if depth < DEEPEST else "…"


def plain_fields(fields: Mapping[str, object]) -> dict[str, object]:
    """The same for the fields of an event."""
    return _plain_fields(fields.items(), 0)


def text(value: str, limit: int = LONGEST_TEXT) -> str:
    """A text without secrets or control characters, cut to `limit` characters."""
    hidden = without_secrets(value[: 4 * limit])
    line = _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", hidden[:limit])
    more = len(value) - limit
    return f"{line}… ({more} more)" if more > 0 else line


def without_secrets(value: str) -> str:
    """A text with the secrets of URLs, headers and assignments in it replaced."""
    if "://" in value:
        value = _USERINFO.sub(f"{HIDDEN}@", value)
    if "=" in value:
        value = _PARAMETER.sub(_hide_parameter, value)
    if "=" in value or ":" in value:
        value = _HEADER.sub(rf"\1\2{HIDDEN}", value)
        value = _ASSIGNED.sub(rf"\1\2{HIDDEN}", value)
    return _BEARER.sub(rf"\1 {HIDDEN}", value)


def _number(value: object) -> object:
    """JSON has no infinities, and Python prints no endless numbers."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return "a huge number" if isinstance(value, int) and value.bit_length() > 512 else value


def _structure(value: object, depth: int) -> object:
    if isinstance(value, Mapping):
        return _plain_fields(value.items(), depth)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value) if field.repr)
        return _plain_fields(fields, depth)
    if isinstance(value, list | tuple | set | frozenset):
        return _plain_items(value, depth)
    return text(repr(value[:LONGEST_TEXT]) if isinstance(value, bytes | bytearray) else str(value))


def _hide_parameter(found: re.Match[str]) -> str:
    return f"{found[1]}={HIDDEN}" if found[2] and is_secret(unquote_plus(found[1])) else found[0]


def _plain_fields(fields: Iterable[tuple[object, object]], depth: int) -> dict[str, object]:
    found: dict[str, object] = {}
    for number, (key, value) in enumerate(fields):
        if number == MOST_ITEMS:
            found["…"] = "more"
            break
        name = text(str(key), 80)
        found[name] = HIDDEN if _hides(str(key), value) else plain(value, depth + 1)
    return found


def _hides(name: str, value: object) -> bool:
    """Whether something is set is no secret, so None, yes and no are shown."""
    return value is not None and not isinstance(value, bool) and is_secret(name)


def _plain_items(items: Iterable[object], depth: int) -> list[object]:
    found: list[object] = []
    for number, value in enumerate(items):
        if number == MOST_ITEMS:
            found.append("…")
            break
        found.append(_plain_item(value, depth + 1))
    return found


def _plain_item(value: object, depth: int) -> object:
    """Headers and form fields often come as pairs of a name and a value."""
    if not isinstance(value, tuple | list) or len(value) != 2 or not isinstance(value[0], str | bytes):
        return plain(value, depth)
    name = value[0].decode("latin-1") if isinstance(value[0], bytes) else value[0]
    return [text(name), HIDDEN if _hides(name, value[1]) else plain(value[1], depth + 1)]
