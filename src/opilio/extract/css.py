"""The references of a style sheet: `url(…)`, `@import` and the strings of `image-set(…)`.

One pass by a pattern that never backtracks over what it has read, so hostile style sheets cost no more than others.
"""

import re
from collections.abc import Iterator

from opilio.extract.links import LinkKind, Reference

_STRING = r"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?"
_URL = rf"url\(\s*+(?:{_STRING}|(?:[^)\"'\s\\]|\\[0-9A-Fa-f]{{1,6}}+\s?|\\.)*+)"
_COMMON = (
    rf"/\*.*?(?:\*/|\Z)|@namespace[^;}}]*+|(?P<import>@import\s*+(?:{_URL}|{_STRING}))|(?P<url>{_URL})"
    rf"|(?P<string>{_STRING})"
)
_TOKEN = re.compile(_COMMON, re.IGNORECASE | re.DOTALL)
_TOKEN_WITH_SETS = re.compile(rf"{_COMMON}|(?P<set>image-set\()|(?P<end>[;}}])", re.IGNORECASE | re.DOTALL)
_INSIDE = re.compile(r"(?:@import\s*+)?(?:url\(\s*+)?[\"']?(.*?)[\"']?\Z", re.IGNORECASE | re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{1,6})\s?|(\r\n|\n)|(.))", re.DOTALL)


def css_references(text: str, element: str = "css") -> Iterator[Reference]:
    """What a style sheet loads, as references relative to it."""
    in_set = False
    pattern = _TOKEN_WITH_SETS if "image-set(" in text else _TOKEN
    for token in pattern.finditer(text):
        kind = token.lastgroup
        if kind == "set":
            in_set = True
        elif kind == "end":
            in_set = False
        elif kind is not None and (kind != "string" or in_set):
            ref = _reference(token[0])
            if ref and not ref.startswith("#"):
                yield Reference(ref, LinkKind.EMBED, element, "import" if kind == "import" else "url")


def _reference(token: str) -> str:
    inside = _INSIDE.match(token)
    text = inside[1].strip() if inside else ""
    return _ESCAPE.sub(_unescape, text) if "\\" in text else text


def _unescape(found: re.Match[str]) -> str:
    if found[1]:
        code = int(found[1], 16)
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\N{REPLACEMENT CHARACTER}"
    return found[3] or ""
