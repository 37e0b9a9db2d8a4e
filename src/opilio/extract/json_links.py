"""The links in JSON: JSON-LD in pages, web application manifests, and plain JSON (as guesses).

Documents are walked without recursion; what is no JSON, too large or too deep gives nothing.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from opilio.extract.links import LinkKind, Reference

MAX_JSON = 5_000_000  # characters that are read at all
_MAX_STRING = 2_000  # a longer string is no URL
_LD_LINKS: Final = frozenset(
    ["url", "mainEntityOfPage", "item", "target", "discussionUrl", "significantLink", "relatedLink"]
)
_LD_EMBEDS: Final = frozenset(
    ["image", "logo", "photo", "thumbnail", "thumbnailUrl", "contentUrl", "embedUrl", "primaryImageOfPage"]
)
_LD_NOTHING: Final = frozenset({"@context", "@type", "sameAs"})
_VOCABULARIES: Final = ("http://schema.org", "https://schema.org", "http://www.schema.org", "https://www.schema.org")


def json_value(text: str) -> Any:
    """The value of a JSON text; None when it is none that can be read safely."""
    if len(text) > MAX_JSON:
        return None
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def json_ld_references(text: str) -> Iterator[Reference]:
    """The pages and pictures that a block of JSON-LD names."""
    for key, value in _strings(json_value(text), skipped=_LD_NOTHING):
        if key in _LD_EMBEDS and _is_reference(value):
            yield Reference(value, LinkKind.EMBED, "json-ld", key)
        elif (key in _LD_LINKS or key == "@id") and _is_reference(value) and not value.startswith(_VOCABULARIES):
            yield Reference(value, LinkKind.LINK if key != "@id" else LinkKind.SPECULATIVE, "json-ld", key)


def manifest_references(text: str) -> Iterator[Reference]:
    """The start page, shortcuts and icons of a web application manifest."""
    for key, value in _strings(json_value(text), skipped=frozenset({"id", "scope"})):
        if key == "src":
            yield Reference(value, LinkKind.EMBED, "manifest", key)
        elif key in ("start_url", "url"):
            yield Reference(value, LinkKind.LINK, "manifest", key)


def json_references(text: str) -> Iterator[Reference]:
    """Every string of a JSON document that is a whole URL, as a guess."""
    for key, value in _strings(json_value(text), skipped=_LD_NOTHING):
        if value.startswith(("http://", "https://")) and " " not in value:
            yield Reference(value, LinkKind.SPECULATIVE, "json", key)


def _is_reference(value: str) -> bool:
    return value.startswith(("http://", "https://", "/", "./", "../")) and "{" not in value


def _strings(value: Any, *, skipped: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Every string with the name under which it stands, in document order."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        key, item = waiting.pop()
        if isinstance(item, str):
            if 0 < len(item) <= _MAX_STRING:
                yield key, item
        elif isinstance(item, list):
            waiting.extend((key, one) for one in reversed(item))
        elif isinstance(item, dict):
            waiting.extend((name, one) for name, one in reversed(item.items()) if name not in skipped)
