"""The text of a page as crawl stores and results keep it: one string, in front of which stands what is known about it.

A text of which nothing more is known is kept as it is, which is also how all texts were kept before.
"""

import json
from dataclasses import dataclass

_MARK = "\x02"  # begins a text with a head: a line of JSON
_HEADINGS = 100  # that are kept
_HEADING = 300  # characters


@dataclass(frozen=True, kw_only=True, slots=True)
class PageText:
    """What a reader of a page sees."""

    text: str  # one block per line
    main: int | None = None  # characters of it that come before navigation and the like; None: all
    headings: tuple[tuple[int, str], ...] = ()  # level and text
    canonical: str = ""  # the URL that the page names as its own

    @property
    def main_text(self) -> str:
        """The text without navigation and the like."""
        return self.text if self.main is None else self.text[: self.main].rstrip("\n")


def kept_text(page: PageText) -> str:
    """The text with its head, for keeping."""
    head: dict[str, object] = {}
    if page.main is not None:
        head["main"] = page.main
    if page.headings:
        head["headings"] = [[level, text[:_HEADING]] for level, text in page.headings[:_HEADINGS]]
    if page.canonical:
        head["canonical"] = page.canonical
    if not head and not page.text.startswith(_MARK):
        return page.text
    return f"{_MARK}{json.dumps(head, ensure_ascii=False)}\n{page.text}"


def page_text_of(kept: str) -> PageText:
    """The text again; `ValueError` if its head is broken."""
    if not kept.startswith(_MARK):
        return PageText(text=kept)
    line, _, text = kept[len(_MARK) :].partition("\n")
    head = json.loads(line)
    if not isinstance(head, dict):
        raise ValueError("the head of a text is no object")
    main = head.get("main")
    headings = tuple((int(level), str(words)) for level, words in head.get("headings", ()))
    return PageText(
        text=text, main=None if main is None else int(main), headings=headings, canonical=str(head.get("canonical", ""))
    )
