"""A link of a page as crawl stores and results keep it, on one line: hop and kind, URL, how often, anchor text."""

from typing import NamedTuple

from opilio.kernel.capture import Hop


class PageLink(NamedTuple):
    """One link of a page. A tuple and not a dataclass, because a crawl makes a hundred per page."""

    hop: Hop
    kind: str  # what it came from: a, img, css …; one word
    url: str  # canonical: without a space
    times: int = 1  # how often the page has it
    text: str = ""  # anchor text on one line; empty where it has none


def link_line(link: PageLink) -> str:
    """The link as a line; what is usual (once, without a text) is left out."""
    hop, kind, url, times, text = link
    if not text and times == 1:
        return f"{hop}{kind} {url}"
    return f"{hop}{kind} {url} {times} {text}"


def link_of(line: str) -> PageLink:
    """The link of a line; `ValueError` if it is none."""
    head, _, rest = line.partition(" ")
    url, _, more = rest.partition(" ")
    if not more:
        return PageLink(Hop(head[:1]), head[1:], url)
    times, _, text = more.partition(" ")
    return PageLink(Hop(head[:1]), head[1:], url, int(times), text)


def url_of_line(line: str) -> str:
    """Only the URL of a line."""
    return line.split(" ", 2)[1]
