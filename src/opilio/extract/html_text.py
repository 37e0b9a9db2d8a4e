"""The visible text of a parsed page, one block per line, with its boilerplate told apart.

Blocks are told apart before parsing: `with_breaks` puts a form feed, which is white space everywhere in HTML, in front
of every tag that begins or ends a block. The text then comes from the parser in one piece, which is many times faster
than visiting each text node. `visible_text` takes elements out of the tree: links must have been read before.
"""

import re
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from opilio.extract.html_walk import Walk
from opilio.extract.options import Options

BREAK: Final = "\f"

# The first letters of block elements, with as few others as possible: an expression by full names costs five times as
# much. A needless break (link, template, …) does no harm.
_BLOCK_TAG = re.compile(
    rb"<(?=/?+(?:[dDlLuUoO][dDiIlLtTpP]|[tThHnN][aAbBdDfFhHrReE1-6]|[pP][\s>rR/]|[bBaAsS][lLrReEdDsS]"
    rb"|[fF](?:[iI]|[oO][oOrR])|[mM](?:[aA][iI]|[eE][nN])|[cClL][eE]))"
)
_ROLES = frozenset({"navigation", "banner", "contentinfo", "complementary", "search"})
_ARTICLE = frozenset({"article", "main", "section"})
_OF_ARTICLE = frozenset({"header", "footer"})  # inside an article they belong to it, and are no boilerplate
_LINKED = 0.7  # share of a list's characters in links, from which it is a menu
_FEWEST = 3  # links of a menu
_MOST_NODES = 2_000  # regions and lists that are looked at
_CLIMB = 64


def with_breaks(markup: bytes) -> bytes:
    """HTML with a form feed in front of every tag of a block."""
    return _BLOCK_TAG.sub(b"\f<", markup)


class VisibleText(NamedTuple):
    """The text of a page."""

    text: str = ""
    boilerplate: tuple[tuple[int, int], ...] = ()  # spans of the text; boilerplate is moved to its end
    cut: bool = False  # whether it was longer than the limit


def visible_text(document: LexborHTMLParser, walk: Walk, *, markup: bytes, options: Options) -> VisibleText:
    """The text of a page that was walked; what nobody sees and what is boilerplate is taken out of the tree."""
    top = document.body or document.root
    if top is None:
        return VisibleText()
    for node in walk.unseen:
        node.decompose()
    aside = ""
    if options.mark_boilerplate:
        regions = walk.regions + _by_role(document) if b"role=" in markup else walk.regions
        aside = _lines(BREAK.join(_taken_out(regions[:_MOST_NODES], walk.lists[:_MOST_NODES])))
    return together(_lines(BREAK.join((top.text(), *walk.shadow_texts))), aside, options.max_text)


def together(main: str, aside: str, limit: int) -> VisibleText:
    """A page's own text with its boilerplate behind it, cut at a limit."""
    text = f"{main}\n{aside}" if main and aside else main or aside
    if len(text) <= limit:
        return VisibleText(text, ((len(text) - len(aside), len(text)),) if aside else ())
    start = min(len(text) - len(aside), limit)
    return VisibleText(text[:limit], ((start, limit),) if start < limit else (), cut=True)


def _lines(raw: str) -> str:
    lines = [" ".join(block.split()) for block in raw.split(BREAK) if block and not block.isspace()]
    return "\n".join(lines)


def _by_role(document: LexborHTMLParser) -> list[LexborNode]:
    return [node for node in document.css("[role]") if node.attrs.get("role") in _ROLES]


def _taken_out(regions: list[LexborNode], lists: list[LexborNode]) -> list[str]:
    """The text of each boilerplate region and menu; they are removed from the tree."""
    found = []
    for node in regions:
        above = _above(node)
        if "html" in above and (node.tag not in _OF_ARTICLE or not above & _ARTICLE):
            found.append(node.text())
            node.decompose()
    budget = 1_000_000  # characters of lists that may be read more than once
    for node in lists:
        text = node.text()
        budget -= 2 * len(text)
        if budget < 0:
            break
        if _is_menu(node, text) and "html" in _above(node):
            found.append(text)
            node.decompose()
    return found


def _is_menu(node: LexborNode, text: str) -> bool:
    links = node.css("a[href]")
    if len(links) < _FEWEST:
        return False
    whole = len("".join(text.split()))
    return sum(len("".join(link.text().split())) for link in links) >= _LINKED * whole


def _above(node: LexborNode) -> set[str]:
    """The names of the elements around one; without `html` when something around it was already taken out."""
    names: set[str] = set()
    current = node.parent
    for _ in range(_CLIMB):
        if current is None:
            break
        names.add(current.tag or "")
        current = current.parent
    return names
