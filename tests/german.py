"""Finds English words in navigation, forms and states of a page that is drawn in German."""

from collections.abc import Mapping

from selectolax.lexbor import LexborHTMLParser

#: Where navigation, forms and states stand on a page.
PLACES = "nav a, nav p, label, legend, button, option, .help, .badge, .optional, th, .tabs a, summary"


def english(page: str, german: Mapping[str, str]) -> set[str]:
    """Words of these places that the catalogue knows in German, and that stand there in English all the same."""
    nodes = LexborHTMLParser(page).css(PLACES)
    texts = {" ".join(text.split()) for node in nodes for text in (node.text(), node.text(deep=False))}
    known = set(german.values())  # some are words of both languages
    return {text for text in texts if text and text not in known and german.get(text, text) != text}
