"""Rewrites one start tag: references into paths of replay, and what would reach out of the archive made harmless.

Attributes that need no change keep their bytes, and so does the rest of the tag.
"""

import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Final, NamedTuple

from opilio.archive.replay.css_rewriting import rewrite_css
from opilio.archive.replay.references import References, escaped, unescaped
from opilio.archive.replay.refresh_rewriting import rewrite_refresh
from opilio.archive.replay.srcset_rewriting import rewrite_srcset

_ATTRIBUTE = re.compile(
    rb"([^\t\n\f\r />=][^\t\n\f\r />=]*+)"
    rb"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\t\n\f\r >]*+)))?+"
)
#: Attributes that hold a URL on whatever element they stand.
_URLS: Final = frozenset(
    b"href src action formaction poster background cite longdesc manifest xlink:href lowsrc dynsrc codebase "
    b"icon".split()
)
_URLS_OF: Final[Mapping[bytes, frozenset[bytes]]] = {
    b"object": frozenset((b"data", b"archive")),
    b"applet": frozenset((b"archive", b"object")),
}
_SETS: Final = frozenset((b"srcset", b"imagesrcset"))
#: Attributes with CSS in them.
_STYLES: Final = frozenset(b"style fill stroke filter mask clip-path cursor marker-start marker-mid marker-end".split())
#: Attributes that would ask others, or refuse what is served in place of others.
_DROPPED: Final = frozenset(b"ping integrity crossorigin csp credentialless attributionsrc referrerpolicy".split())
_FRAMES: Final = frozenset(b"iframe frame".split())
_OUTWARD: Final = frozenset((b"_top", b"_parent"))
#: Hints that make a browser connect to others, or load what nobody asked for.
_HINTS: Final = frozenset(b"preconnect dns-prefetch prefetch prerender compression-dictionary".split())
#: Instructions in meta elements that are for the live site only.
_SILENCED: Final = frozenset(
    b"content-security-policy content-security-policy-report-only x-dns-prefetch-control set-cookie accept-ch "
    b"delegate-ch origin-trial x-webkit-csp".split()
)
_WORTH = re.compile(
    rb"href|src|action|poster|background|cite|longdesc|manifest|code|archive|icon|data|style|url\(|ping|integrity"
    rb"|crossorigin|csp|credentialless|attribution|referrer|target|sandbox|http-equiv|type",
    re.IGNORECASE,
)
_MOST_ATTRIBUTES = 2_000  # of a tag; later ones pass as they are
_SPECULATION = b"speculationrules"

Nested = Callable[[bytes], bytes]


class Attribute(NamedTuple):
    """One attribute of a tag."""

    name: bytes  # lower case
    value: bytes  # as written, without quotes
    begin: int  # of the attribute inside the tag
    end: int
    value_begin: int  # -1: it has no value
    value_end: int


class TagRewriting:
    """Rewrites the start tags of one document."""

    def __init__(self, references: References, *, top: bool, nested: Nested) -> None:
        self._references = references
        self._top = top  # whether the document fills the window
        self._nested = nested  # rewrites a document inside an attribute
        self._based = False  # whether a base element was seen

    def rewrite(self, tag: bytes, name: bytes, inside: bytes) -> bytes:
        """The tag as replay serves it."""
        if _WORTH.search(inside) is None:
            return tag
        attributes = parse_attributes(inside)
        changes: list[tuple[int, int, bytes]] = []
        for each in attributes:
            value = self._changed(name, each, attributes)
            if value is None:
                changes.append((each.begin, each.end, b""))
            elif value is not each.value:
                changes.append(_new_value(each, value))
        if not changes:
            return tag
        start = 1 + len(name)
        return tag[:start] + _applied(inside, changes) + b">"

    def _changed(self, name: bytes, each: Attribute, attributes: list[Attribute]) -> bytes | None:
        """The new value of an attribute, the same object where nothing changes, None where it is dropped."""
        if each.name in _DROPPED:
            return None
        if each.name in _URLS or each.name in _URLS_OF.get(name, ()):
            return self._url(name, each, attributes)
        if each.name in _SETS:
            return self._clear(each.value, lambda value: rewrite_srcset(value, self._references.plain))
        if each.name in _STYLES:
            return self._clear(each.value, lambda value: rewrite_css(value, self._references.plain))
        handler = _BY_ELEMENT.get((name, each.name)) or _BY_ATTRIBUTE.get(each.name)
        return handler(self, name, each, attributes) if handler else each.value

    def _url(self, name: bytes, each: Attribute, attributes: list[Attribute]) -> bytes | None:
        if name == b"base":
            return self._base(each) if each.name == b"href" else each.value
        if name == b"link" and each.name == b"href" and _only_hints(_words(attributes, b"rel")):
            return None
        return self._references.attribute(each.value)

    def _base(self, each: Attribute) -> bytes | None:
        """The first base element says what references are relative to; another is nothing."""
        if self._based:
            return None
        self._based = True
        url = self._references.absolute(unescaped(each.value, self._references.encoding))
        if url is None:
            return None
        self._references.set_base(url)
        return escaped(f"/{self._references.stamp}/{url}".encode("ascii", "ignore"))

    def _clear(self, value: bytes, rewrite: Callable[[bytes], bytes]) -> bytes:
        """Rewrite a value without its escapes, and escape it again if it changed."""
        clear = unescaped(value, self._references.encoding) if b"&" in value else value
        changed = rewrite(clear)
        return value if changed == clear else escaped(changed)

    def target(self, name: bytes, each: Attribute, attributes: list[Attribute]) -> bytes | None:
        """`_top` and `_parent` of a page that fills the window mean the page itself."""
        return b"_self" if self._top and each.value.lower() in _OUTWARD else each.value

    def sandbox(self, name: bytes, each: Attribute, attributes: list[Attribute]) -> bytes | None:
        """A frame without an origin would be refused its own resources; the result's origin is what confines it."""
        if name not in _FRAMES or b"allow-same-origin" in each.value.lower():
            return each.value
        return (each.value + b" allow-same-origin").strip()

    def srcdoc(self, name: bytes, each: Attribute, attributes: list[Attribute]) -> bytes | None:
        """A document inside an attribute."""
        return self._clear(each.value, self._nested)

    def content(self, name: bytes, each: Attribute, attributes: list[Attribute]) -> bytes | None:
        """Of a meta element: where a refresh leads to."""
        if not _words(attributes, b"http-equiv") & {b"refresh"}:
            return each.value
        return self._clear(each.value, lambda value: rewrite_refresh(value, self._references.plain))

    def equivalent(self, name: bytes, each: Attribute, attributes: list[Attribute]) -> bytes | None:
        """Of a meta element: policies of the live site do not hold here."""
        return b"x-archived-" + each.value if each.value.strip().lower() in _SILENCED else each.value

    def named(self, name: bytes, each: Attribute, attributes: list[Attribute]) -> bytes | None:
        """Of a meta element: the archive needs to know which page asks."""
        return b"x-archived-referrer" if each.value.strip().lower() == b"referrer" else each.value

    def script_type(self, name: bytes, each: Attribute, attributes: list[Attribute]) -> bytes | None:
        """Rules for loading other pages beforehand are none here."""
        return b"x-archived" if each.value.strip().lower() == _SPECULATION else each.value


_Handler = Callable[[TagRewriting, bytes, Attribute, list[Attribute]], bytes | None]
_BY_ELEMENT: Final[Mapping[tuple[bytes, bytes], _Handler]] = {
    (b"meta", b"content"): TagRewriting.content,
    (b"meta", b"http-equiv"): TagRewriting.equivalent,
    (b"meta", b"name"): TagRewriting.named,
    (b"script", b"type"): TagRewriting.script_type,
    (b"iframe", b"srcdoc"): TagRewriting.srcdoc,
}
_BY_ATTRIBUTE: Final[Mapping[bytes, _Handler]] = {
    b"target": TagRewriting.target,
    b"formtarget": TagRewriting.target,
    b"sandbox": TagRewriting.sandbox,
}


def parse_attributes(inside: bytes) -> list[Attribute]:
    """The attributes of a tag, in order."""
    found = []
    for each in islice(_ATTRIBUTE.finditer(inside), _MOST_ATTRIBUTES):
        group = each.lastindex or 1
        valued = group > 1
        begin, end = each.span(group) if valued else (-1, -1)
        value = each[group] if valued else b""
        found.append(
            Attribute(
                name=each[1].lower(), value=value, begin=each.start(), end=each.end(), value_begin=begin, value_end=end
            )
        )  # fmt: skip
    return found


def _words(attributes: list[Attribute], name: bytes) -> set[bytes]:
    value = next((each.value for each in attributes if each.name == name), b"")
    return set(unescaped(value, "latin-1").lower().split())


def _only_hints(words: set[bytes]) -> bool:
    return bool(words) and words <= _HINTS


def _new_value(each: Attribute, value: bytes) -> tuple[int, int, bytes]:
    """A value that stands without quotes gets them: the new one may hold what would end it."""
    if each.value_begin < 0:
        return each.begin, each.end, each.name
    if each.end == each.value_end:  # no quote behind it
        return each.value_begin, each.value_end, b'"' + value.replace(b'"', b"&quot;") + b'"'
    return each.value_begin, each.value_end, value


def _applied(inside: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    parts, position = [], 0
    for begin, end, value in changes:
        parts += [inside[position:begin], value]
        position = end
    return b"".join([*parts, inside[position:]])
