"""Which attributes of which elements are references, and what kind of link each makes."""

from collections.abc import Iterator

import re2
from selectolax.lexbor import LexborNode

from opilio.extract.css import css_references
from opilio.extract.links import LinkKind, Reference
from opilio.extract.rels import kind_of_rel
from opilio.extract.srcset import srcset_urls

_EMBED = LinkKind.EMBED
_STYLED = re2.compile(rb"style[\t\n\f\r ]*=[^<]*url\(")

#: Element → its attributes that hold the URL of something embedded.
EMBEDS: dict[str, tuple[str, ...]] = {
    "img": ("src", "lowsrc"),
    "source": ("src",),
    "video": ("src", "poster"),
    "audio": ("src",),
    "track": ("src",),
    "iframe": ("src",),
    "frame": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "input": ("src",),
    "script": ("src",),
    "image": ("href", "xlink:href"),
    "feimage": ("href", "xlink:href"),
    "use": ("href", "xlink:href"),
}
#: Where scripts that load pictures late keep the real URL.
_LAZY = frozenset({"data-src", "data-original", "data-lazy-src"})
_LAZY_SETS = frozenset({"data-srcset", "data-lazy-srcset"})
_WITH_SETS = frozenset({"img", "source"})
_WITH_LAZY = frozenset({"img", "source", "iframe", "video"})


def embed_references(node: LexborNode, element: str, *, lazy: bool) -> Iterator[Reference]:
    """What an element of `EMBEDS` loads."""
    attributes = node.attributes
    for attribute in EMBEDS[element]:
        value = attributes.get(attribute)
        if value and not value.startswith("#"):
            yield Reference(value, _EMBED, element, attribute)
    if element in _WITH_SETS and "srcset" in attributes:
        for url in srcset_urls(attributes["srcset"] or ""):
            yield Reference(url, _EMBED, element, "srcset")
    if lazy and element in _WITH_LAZY:
        for attribute in _LAZY & attributes.keys():
            yield Reference(attributes[attribute] or "", LinkKind.SPECULATIVE, element, attribute)
        for attribute in _LAZY_SETS & attributes.keys():
            for url in srcset_urls(attributes[attribute] or ""):
                yield Reference(url, LinkKind.SPECULATIVE, element, attribute)


def link_references(node: LexborNode) -> Iterator[Reference]:
    """What a link element leads to."""
    attributes = node.attributes
    rel = " ".join((attributes.get("rel") or "").lower().split())
    kind = kind_of_rel(rel)
    if kind is None:
        return
    href = attributes.get("href")
    if href:
        yield Reference(href, kind, "link", "href", rel)
    for url in srcset_urls(attributes.get("imagesrcset") or ""):
        yield Reference(url, _EMBED, "link", "imagesrcset", rel)


def has_styles(markup: bytes) -> bool:
    """Whether style attributes of a page may load something."""
    return b"url(" in markup and (_STYLED.search(markup) is not None or b"STYLE" in markup or b"Style" in markup)


def has_backgrounds(markup: bytes) -> bool:
    """Whether cells of a page may have pictures."""
    return b"background=" in markup


def style_references(node: LexborNode) -> Iterator[Reference]:
    """What the style attribute of an element loads."""
    return css_references(node.attrs.get("style") or "", "style")


def background_reference(node: LexborNode) -> Iterator[Reference]:
    """The picture of the old background attribute."""
    value = node.attrs.get("background")
    if value:
        yield Reference(value, _EMBED, node.tag or "", "background")
