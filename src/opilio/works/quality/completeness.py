"""How complete pages are: what they embed, held against what the result has.

Looks up each URL once as long as it stays among the last ones asked for; pages of a site share most of what they embed.
"""

import functools
import heapq
from collections.abc import Callable, Iterable

from opilio.archive.results.values import Resource
from opilio.crawl.outcomes import Outcome
from opilio.kernel.capture import Hop
from opilio.kernel.page_links import PageLink
from opilio.kernel.urls import url_hash64
from opilio.works.quality.values import Completeness, MissingEmbed, PageCompleteness

_REMEMBERED = 200_000  # URLs whose fate is kept in mind
_WORST = 100  # pages
_LISTED = 500  # missing URLs
_OF_PAGE = 10  # missing URLs of one page
_THERE = ""
_WITHHELD = "withheld"
_NEVER = "never asked for"
_GOOD = frozenset({Outcome.FETCHED, Outcome.UNCHANGED, Outcome.DUPLICATE, Outcome.REDIRECTED, Outcome.UNPARSABLE})
_KEPT_OUT = frozenset({Outcome.ROBOTS_DENIED, Outcome.SCOPE_DENIED, Outcome.EXCLUDED})
_BAD_STATUS = 400


class Embeds:
    """Takes the links of one resource after the other."""

    def __init__(self, resource: Callable[[str], Resource | None]) -> None:
        self._fate = functools.lru_cache(maxsize=_REMEMBERED)(functools.partial(_fate, resource))
        self._wanted = self._captured = self._withheld = self._incomplete = 0
        self._worst: list[tuple[int, float, int, PageCompleteness]] = []
        self._missing: dict[str, MissingEmbed] = {}
        self._known: set[int] = set()

    def take(self, page: Resource, links: Iterable[PageLink]) -> PageCompleteness:
        """How complete one page is."""
        urls = dict.fromkeys(link.url for link in links if link.hop is Hop.EMBED)
        fates = {url: self._fate(url) for url in urls}
        withheld = sum(fate == _WITHHELD for fate in fates.values())
        missing = {url: fate for url, fate in fates.items() if fate not in (_THERE, _WITHHELD)}
        wanted = len(urls) - withheld
        found = PageCompleteness(
            url=page.url, wanted=wanted, captured=wanted - len(missing), missing=tuple(missing)[:_OF_PAGE]
        )
        self._count(page, found, missing, withheld)
        return found

    def found(self) -> Completeness:
        """Of all that were taken."""
        worst = [page for *_, page in sorted(self._worst, reverse=True, key=lambda one: one[:3])]
        return Completeness(
            wanted=self._wanted, captured=self._captured, withheld=self._withheld, incomplete=self._incomplete,
            worst=tuple(worst), missing=tuple(self._missing.values()), missing_total=len(self._known),
        )  # fmt: skip

    def _count(self, page: Resource, found: PageCompleteness, missing: dict[str, str], withheld: int) -> None:
        self._wanted += found.wanted
        self._captured += found.captured
        self._withheld += withheld
        if not missing:
            return
        self._incomplete += 1
        entry = (len(missing), 1 - found.share, -page.id, found)
        push = heapq.heappush if len(self._worst) < _WORST else heapq.heappushpop
        push(self._worst, entry)
        for url, why in missing.items():
            self._note(url, page.url, why)

    def _note(self, url: str, page: str, why: str) -> None:
        """Each URL once; beyond the list they are only counted, up to a limit."""
        key = url_hash64(url)
        if key in self._known or len(self._known) >= _REMEMBERED:
            return
        self._known.add(key)
        if len(self._missing) < _LISTED:
            self._missing[url] = MissingEmbed(url=url, page=page, why=why)


def _fate(resource: Callable[[str], Resource | None], url: str) -> str:
    found = resource(url)
    if found is None:
        return _NEVER
    if found.outcome in _KEPT_OUT:
        return _WITHHELD
    if found.place is None or found.outcome not in _GOOD or (found.status or 0) >= _BAD_STATUS:
        return f"{found.outcome}: {found.reason}"[:200] if found.reason else found.outcome
    return _THERE
