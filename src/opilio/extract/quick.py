"""The quick way to read an HTML page: by a small C extension, without a parser, wherever the page leaves no doubt.

The extension is built at installation where there is a C compiler (`tools/native.py`). Without it, and for every page
with something in it about which its rules are silent, lexbor reads the page. Both give the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html.entities import html5
from typing import Final, NamedTuple, cast

from selectolax.lexbor import LexborNode

from opilio.extract.extension import EXTENSION
from opilio.extract.extracted import Heading
from opilio.extract.html_text import VisibleText, together
from opilio.extract.html_walk import TOLD, Walk
from opilio.extract.links import LinkKind
from opilio.extract.options import Options

_DEPTH, _ATTRIBUTES = 400, 60  # more than the extension ever follows

_Reference = tuple[str, LinkKind, str, str, str, str]
_Event = tuple[int, str, dict[str, str | None], str]
_Found = tuple[list[_Reference], list[_Event], str | None, list[tuple[int, str]], str, str, str]
_Read = Callable[[bytes, bool, bool, bool], _Found | None]


class QuickPage(NamedTuple):
    """What a parse with a walk over its tree would give."""

    walk: Walk
    text: VisibleText
    language: str  # as the page declares it


def _loaded() -> _Read | None:
    if EXTENSION is None:
        return None
    EXTENSION.prepare(html5, LinkKind.LINK)
    found: _Read = EXTENSION.read
    return found


_READ: Final = _loaded()


def available() -> bool:
    """Whether the extension was built."""
    return _READ is not None


def read_quickly(markup: bytes, options: Options) -> QuickPage | None:
    """What a page in UTF-8 holds; None when a parser has to read it."""
    if _READ is None or _needs_parser(markup, options):
        return None
    found = _READ(markup, options.anchors, options.mark_boilerplate, options.script_strings)
    if found is None:
        return None
    links, events, title, headings, language, main, aside = found
    walk = _walked(links, events, options)
    if title is not None:
        walk.take_title(title)
    walk.headings = [Heading(level, text) for level, text in headings]
    return QuickPage(walk, together(main, aside, options.max_text), language)


def _needs_parser(markup: bytes, options: Options) -> bool:
    size = len(markup)
    if size > options.max_html_bytes or options.forms:
        return True
    return options.max_tag_depth < _DEPTH or options.max_tag_attributes < _ATTRIBUTES


def _walked(links: list[_Reference], events: list[_Event], options: Options) -> Walk:
    """The walk that would have met links and other elements in this order."""
    walk = Walk(options)
    begin = 0
    for place, name, attributes, text in events:
        if place > begin:
            walk.references += links[begin:place]
            begin = place
        TOLD[name](walk, cast("LexborNode", _Told(name, attributes, text)))
    walk.references += links[begin:] if begin else links
    return walk


@dataclass(slots=True)
class _Told:
    """An element as the extension tells of it: as much of a parser's node as the walk asks for."""

    tag: str
    attributes: dict[str, str | None]
    text_content: str

    @property
    def attrs(self) -> dict[str, str | None]:
        return self.attributes

    @property
    def first_child(self) -> "_Told | None":
        return self if self.text_content else None
