"""Strings of a script that look like URLs or paths: guesses, taken only when a plan asks for them."""

import re
from collections.abc import Iterator

from opilio.extract.links import LinkKind, Reference

_MOST = 1_000  # guesses of one script
_SCHEME = r"(?:https?:)?//[A-Za-z0-9][^\s\"'`<>\\{}|^]{2,1000}"
_PATH = r"\.{0,2}/[A-Za-z0-9_~][^\s\"'`<>\\{}|^()*;,]{1,500}"
_ENDINGS = "html?|php|aspx?|jsp|json|pdf|png|jpe?g|gif|svg|webp|css|js|xml"
_FILE = rf"[A-Za-z0-9_~][A-Za-z0-9_~./\-]{{0,300}}\.(?:{_ENDINGS})(?:\?[^\s\"'`<>\\]{{0,300}})?"
_LITERAL = re.compile(rf"([\"'`])({_SCHEME}|{_PATH}|{_FILE})\1")


def script_references(text: str) -> Iterator[Reference]:
    """The strings of a script that look like something to fetch."""
    source = text.replace("\\/", "/")
    for count, literal in enumerate(_LITERAL.finditer(source)):
        if count >= _MOST:
            return
        yield Reference(literal[2], LinkKind.SPECULATIVE, "script", "string")
