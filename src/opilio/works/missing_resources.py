"""What the pages of a result ask for and the result has not: embeds that failed, and gaps against the sitemaps."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from opilio.archive.results.view import ResultView
from opilio.crawl.outcomes import Outcome
from opilio.kernel.capture import Hop
from opilio.kernel.page_links import PageLink

_WEB = ("http://", "https://")
_KEPT_OUT = frozenset({Outcome.ROBOTS_DENIED.value, Outcome.SCOPE_DENIED.value, Outcome.EXCLUDED.value})
_THERE = frozenset(
    outcome.value for outcome in Outcome if outcome.captured and not outcome.broken and outcome is not Outcome.BLOCKED
)
_MEMORY = 500_000  # URLs that are not looked up twice


@dataclass(frozen=True, kw_only=True, slots=True)
class Gap:
    """A URL that a page needs."""

    url: str
    page: str
    reason: str  # why it is not there


@dataclass(kw_only=True)
class Found:
    """What a look found."""

    gaps: list[Gap] = field(default_factory=list)
    pages: int = 0  # that were looked at
    whole: bool = True  # False: the look ended early


def failed_embeds(view: ResultView, *, most: int, more: Callable[[], bool] = lambda: True) -> Found:
    """Embeds without a capture, as long as `more` says so."""
    return _look(view, _embedded, most, more)


def sitemap_gaps(view: ResultView, *, most: int, more: Callable[[], bool] = lambda: True) -> Found:
    """Pages that the sitemaps of the result name and it has not."""
    return _look(view, _in_sitemap, most, more)


def _look(
    view: ResultView, wanted: Callable[[PageLink], bool], most: int, more: Callable[[], bool]
) -> Found:  # fmt: skip
    found, known = Found(), set[str]()
    for number, links in view.all_outlinks():
        if len(found.gaps) >= most or not more():
            found.whole = False
            break
        found.pages += 1
        urls = [link.url for link in links if wanted(link) and link.url.startswith(_WEB) and link.url not in known]
        for url, reason in _absent(view, urls):
            above = view.numbered(number)
            found.gaps.append(Gap(url=url, page=above.url if above is not None else "", reason=reason))
        if len(known) < _MEMORY:
            known.update(urls)
    del found.gaps[most:]
    return found


def _embedded(link: PageLink) -> bool:
    return link.hop is Hop.EMBED


def _in_sitemap(link: PageLink) -> bool:
    return link.hop is Hop.LINK and link.kind.startswith("sitemap")


def _absent(view: ResultView, urls: list[str]) -> Iterator[tuple[str, str]]:
    """Those of some URLs that are not there, though no rule kept them out, and why."""
    for url in dict.fromkeys(urls):
        known = view.resource(url)
        if known is None:
            yield url, "It was never asked for."
        elif known.outcome not in _THERE and known.outcome not in _KEPT_OUT:
            yield url, known.reason or known.outcome
