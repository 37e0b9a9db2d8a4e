"""Rewrites the references of a style sheet: `url(…)`, `@import` and the strings of `image-set(…)`; nothing else.

One pass by a pattern that never goes back, so hostile style sheets cost no more than others.
"""

import re
from collections.abc import Callable

Reference = Callable[[bytes], bytes]

_STRING = rb"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?"
_COMMON = (
    rb"/\*.*?(?:\*/|\Z)|@namespace[^;}]*+"
    rb"|(?P<import>@import\s*+)(?P<imported>" + _STRING + rb")"
    rb"|(?P<url>(?:url|src)\(\s*+)(?:(?P<quoted>"
    + _STRING
    + rb")|(?P<bare>(?:[^)\"'\s\\]|\\[0-9A-Fa-f]{1,6}+\s?+|\\.)*+))"
    rb"|(?P<string>" + _STRING + rb")"
)
_TOKEN = re.compile(_COMMON, re.IGNORECASE | re.DOTALL)
_TOKEN_WITH_SETS = re.compile(_COMMON + rb"|(?P<set>image-set\()|(?P<end>[;}])", re.IGNORECASE | re.DOTALL)
_WORTH = re.compile(rb"url\(|src\(|@import|image-set\(|\\", re.IGNORECASE)
_ESCAPE = re.compile(rb"\\(?:([0-9A-Fa-f]{1,6})[ \t\n\r\f]?|(\r\n|\n)|(.))", re.DOTALL)
_SPECIAL = re.compile(rb"[\"'()\\\s\x00-\x1f]")


def rewrite_css(data: bytes, reference: Reference) -> bytes:
    """The style sheet with each reference replaced by what `reference` makes of it."""
    if _WORTH.search(data) is None:
        return data
    in_set = False

    def replaced(token: re.Match[bytes]) -> bytes:
        nonlocal in_set
        if token.lastgroup in ("set", "end"):
            in_set = token.lastgroup == "set"
            return token[0]
        if token["imported"] is not None:
            return token["import"] + _string(token["imported"], reference)
        if token["url"] is not None:
            return token["url"] + _inside(token, reference)
        return _string(token[0], reference) if token["string"] is not None and in_set else token[0]

    pattern = _TOKEN_WITH_SETS if b"image-set(" in data.lower() else _TOKEN
    return pattern.sub(replaced, data)


def _inside(token: re.Match[bytes], reference: Reference) -> bytes:
    if token["quoted"] is not None:
        return _string(token["quoted"], reference)
    bare: bytes = token["bare"]
    clear = _unescaped(bare)
    path = reference(clear)
    return bare if path is clear else _SPECIAL.sub(_escape, path)


def _string(text: bytes, reference: Reference) -> bytes:
    quote = text[:1]
    closed = len(text) > 1 and text.endswith(quote)
    inner = text[1:-1] if closed else text[1:]
    clear = _unescaped(inner)
    path = reference(clear)
    if path is clear:
        return text
    return quote + _SPECIAL.sub(_escape, path) + (quote if closed else b"")


def _escape(found: re.Match[bytes]) -> bytes:
    return b"\\%x " % found[0][0]


def _unescaped(text: bytes) -> bytes:
    return _ESCAPE.sub(_character, text) if b"\\" in text else text


def _character(found: re.Match[bytes]) -> bytes:
    if found[1]:
        code = int(found[1], 16)
        valid = 0 < code < 0x110000 and not 0xD800 <= code < 0xE000
        return chr(code).encode() if valid else "\N{REPLACEMENT CHARACTER}".encode()
    return found[3] or b""
