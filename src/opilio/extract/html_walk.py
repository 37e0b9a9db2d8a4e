"""One walk over the elements of a page: gathers references, title, headings and meta elements.

Elements are told apart by lexbor's numbers, which is several times faster than by name.
"""

from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborNode, create_tag

from opilio.extract.css import css_references
from opilio.extract.extracted import Heading, Meta
from opilio.extract.forms import form_references
from opilio.extract.html_references import EMBEDS, background_reference, embed_references, link_references
from opilio.extract.json_links import json_ld_references
from opilio.extract.links import MAX_ANCHOR, LinkKind, Reference, anchor
from opilio.extract.options import Options
from opilio.extract.script_strings import script_references

_LAST_KNOWN = 10_000  # numbers above are made up per document, for elements that lexbor does not know
_MAX_HEADINGS = 1_000
_MAX_METAS = 1_000
_MAX_CONTENT = 10_000  # characters of a meta element
_MAX_TITLE = 2_000
_LINK = LinkKind.LINK

_META_NAMES = ("name", "property", "http-equiv", "itemprop")


class Walk:
    """What one page gave so far."""

    def __init__(self, options: Options, *, speculative: bool = False) -> None:
        self.references: list[
            tuple[str, LinkKind, str, str, str, str]
        ] = []  # each a Reference, or a plain tuple like it
        self.title: str | None = None
        self.headings: list[Heading] = []
        self.metas: list[Meta] = []
        self.base = ""
        self.frames: list[str] = []  # documents inside the page, of srcdoc
        self.unseen: list[LexborNode] = []  # elements whose text nobody sees
        self.regions: list[LexborNode] = []  # navigation and the like
        self.lists: list[LexborNode] = []
        self.shadows: list[LexborNode] = []  # templates whose content is shown
        self.shadow_texts: list[str] = []
        self.templates = False  # whether the page has any
        self.password = False  # whether the page asks for one
        self.lazy = options.lazy_images
        self.budget = 1_000_000  # characters that may still be read twice, for anchors and headings
        self._options = options
        self._anchors = options.anchors
        self._speculative = speculative
        self._link_kind = LinkKind.SPECULATIVE if speculative else _LINK

    def over(self, root: LexborNode) -> None:
        """Walk a tree."""
        handlers = _HANDLERS
        for node in root.traverse():
            tag = node.tag_id
            if tag in handlers:
                handlers[tag](self, node)
            elif tag > _LAST_KNOWN and node.tag == "use":
                self._add(embed_references(node, "use", lazy=False))

    def _add(self, references: Iterator[Reference]) -> None:
        if self._speculative:
            references = (one._replace(kind=LinkKind.SPECULATIVE) for one in references)
        self.references.extend(references)

    def _read(self, node: LexborNode) -> str:
        """The text inside an element, as long as the page has not been read over and over."""
        if self.budget <= 0:
            return ""
        text = node.text()
        self.budget -= len(text)
        return text

    # One method per kind of element; each is a handler of the table below.

    def _a(self, node: LexborNode) -> None:
        attributes = node.attributes  # one dictionary is cheaper than two questions
        href = attributes.get("href") or attributes.get("xlink:href")
        if not href:
            return
        if href[0] == "#" and not self.base:
            if not self.headings:
                self.regions.append(node)  # a jump over what comes first: "skip to the content"
            return
        text = ""
        if self._anchors:
            if self.budget > 0:
                text = node.text()
                length = len(text)
                self.budget -= length
                text = " ".join(text.split()) if length <= MAX_ANCHOR else anchor(text)
            text = text or _label(node)
        rel = attributes.get("rel")
        self.references.append((href, self._link_kind, "a", "href", rel.lower() if rel else "", text))

    def _area(self, node: LexborNode) -> None:
        href = node.attrs.get("href")
        if href:
            rel = (node.attrs.get("rel") or "").lower()
            self._add(iter([Reference(href, _LINK, "area", "href", rel, anchor(node.attrs.get("alt") or ""))]))

    def _link(self, node: LexborNode) -> None:
        self._add(link_references(node))

    def _base(self, node: LexborNode) -> None:
        self.base = self.base or (node.attrs.get("href") or "").strip()

    def _unseen(self, node: LexborNode) -> None:
        self.unseen.append(node)

    def _noframes(self, node: LexborNode) -> None:
        """What old framed sites show to browsers without frames; a parser takes it for text."""
        self.unseen.append(node)
        inside = _content(node)
        if "<" in inside:
            self.frames.append(inside)

    def _region(self, node: LexborNode) -> None:
        self.regions.append(node)

    def _list(self, node: LexborNode) -> None:
        self.lists.append(node)

    def _title(self, node: LexborNode) -> None:
        self.unseen.append(node)
        text = _content(node)
        parent = node.parent
        if self.title is None and (parent is None or parent.tag != "svg"):
            self.take_title(text)

    def take_title(self, text: str) -> None:
        """The title as it is kept."""
        self.title = " ".join(text[: 4 * _MAX_TITLE].split())[:_MAX_TITLE]

    def _meta(self, node: LexborNode) -> None:
        attributes = node.attributes
        content = attributes.get("content")
        if content is None or len(self.metas) >= _MAX_METAS:
            return
        for attribute in _META_NAMES:
            name = attributes.get(attribute)
            if name:
                self.metas.append(Meta(" ".join(name.lower().split())[:200], content[:_MAX_CONTENT], attribute))
                return

    def _heading(self, node: LexborNode) -> None:
        if len(self.headings) < _MAX_HEADINGS:
            text = anchor(self._read(node))
            if text:
                self.headings.append(Heading(int((node.tag or "h1")[1]), text))

    def _style(self, node: LexborNode) -> None:
        self.unseen.append(node)
        text = _content(node)
        if "url(" in text or "import" in text or "URL(" in text:
            self._add(css_references(text, "style"))

    def _script(self, node: LexborNode) -> None:
        self.unseen.append(node)
        text = _content(node)
        attributes = node.attributes
        if attributes.get("src"):
            self._add(embed_references(node, "script", lazy=False))
        if not text:
            return
        kind = (attributes.get("type") or "").strip().lower()
        if kind == "application/ld+json":
            self._add(json_ld_references(text))
        elif self._options.script_strings and kind in ("", "module", "text/javascript", "application/javascript"):
            self._add(script_references(text))

    def _iframe(self, node: LexborNode) -> None:
        self.unseen.append(node)
        self._add(embed_references(node, "iframe", lazy=self.lazy))
        inside = node.attrs.get("srcdoc")
        if inside:
            self.frames.append(inside)

    def _input(self, node: LexborNode) -> None:
        kind = (node.attrs.get("type") or "").lower()
        if kind == "password":
            self.password = True
        elif kind == "image":
            self.embed(node, "input")

    def _form(self, node: LexborNode) -> None:
        if self._options.forms:
            self._add(form_references(node, self._options.max_form_choices))

    def _background(self, node: LexborNode) -> None:
        self._add(background_reference(node))

    def _template(self, node: LexborNode) -> None:
        self.templates = True
        if node.attrs.get("shadowrootmode"):
            self.shadows.append(node)

    def embed(self, node: LexborNode, element: str) -> None:
        """An element that only loads something."""
        self._add(embed_references(node, element, lazy=self.lazy))


def _content(node: LexborNode) -> str:
    """The text inside an element that holds nothing else."""
    child = node.first_child
    return (child.text_content or "") if child is not None else ""


def _label(node: LexborNode) -> str:
    """What a link without text is called: its title, its label, or what its picture shows."""
    found = node.attrs.get("title") or node.attrs.get("aria-label")
    if not found:
        image = node.css_first("img[alt]")
        found = image.attrs.get("alt") if image is not None else ""
    return anchor(found or "")


def _embed_handler(element: str) -> Callable[[Walk, LexborNode], None]:
    def handler(walk: Walk, node: LexborNode) -> None:
        walk.embed(node, element)

    return handler


def _handlers() -> dict[str, Callable[[Walk, LexborNode], None]]:
    # Private methods of the class above, named here once.
    walk = Walk
    by_name: dict[str, Callable[[Walk, LexborNode], None]] = {name: _embed_handler(name) for name in EMBEDS}
    by_name |= dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), walk._heading)
    by_name |= dict.fromkeys(("nav", "header", "footer", "aside", "noscript"), walk._region)
    by_name |= dict.fromkeys(("textarea", "noembed"), walk._unseen) | dict.fromkeys(("ul", "ol"), walk._list)
    by_name |= dict.fromkeys(("body", "table"), walk._background)
    by_name |= {
        "a": walk._a, "area": walk._area, "link": walk._link, "base": walk._base, "title": walk._title,
        "meta": walk._meta, "style": walk._style, "script": walk._script, "iframe": walk._iframe,
        "form": walk._form, "input": walk._input,
        "template": walk._template, "noframes": walk._noframes,
    }  # fmt: skip
    return by_name


#: What is done about an element, by its name.
TOLD = _handlers()
_HANDLERS = {
    number: handler for name, handler in TOLD.items() if (number := create_tag(name).tag_id or 0) <= _LAST_KNOWN
}
