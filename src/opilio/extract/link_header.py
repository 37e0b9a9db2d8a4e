"""The links of HTTP `Link` headers (RFC 8288)."""

import re
from collections.abc import Iterable, Iterator

from opilio.extract.links import LinkKind, Reference
from opilio.extract.rels import kind_of_rel

_MOST = 1_000  # links of one response
_TARGET = re.compile(r"[\s,]*+<([^>]*+)>")
_PARAMETER = re.compile(
    r"\s*+;\s*+([!#$%&'*+\-.^_`|~0-9A-Za-z]*+)\s*+(?:=\s*+(?:\"((?:[^\"\\]|\\.)*+)\"?|([^\s;,\"]*+)))?"
)


def link_header_references(values: Iterable[str]) -> Iterator[Reference]:
    """The links that the values of all Link headers of a response name, relative to the response's URL."""
    count = 0
    for value in values:
        for ref, parameters in _links(value):
            rel = parameters.get("rel", "").lower()
            kind = LinkKind.LINK if "anchor" in parameters else kind_of_rel(rel)
            if kind is not None:
                yield Reference(ref, kind, "header", "link", rel)
            count += 1
            if count >= _MOST:
                return


def _links(value: str) -> Iterator[tuple[str, dict[str, str]]]:
    position = 0
    while (target := _TARGET.match(value, position)) is not None:
        position = target.end()
        parameters: dict[str, str] = {}
        while (found := _PARAMETER.match(value, position)) is not None:
            position = found.end()
            text = found[2] if found[2] is not None else found[3] or ""
            parameters.setdefault(found[1].lower(), text.replace("\\", ""))
        yield target[1].strip(), parameters
        comma = value.find(",", position)
        if comma == -1:
            return
        position = comma
