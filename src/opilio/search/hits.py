"""From ranked pages to the hits of an answer, with marked titles and snippets."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from opilio.search.analysis.analyzer import Analyzer
from opilio.search.answer import Hit
from opilio.search.index.stored import StoredPage
from opilio.search.ranking import Ranked
from opilio.search.snapshot import Snapshot
from opilio.search.snippets import SIZE, Marker, Snippet

_LONGEST_TITLE = 300  # characters


@dataclass(frozen=True)
class Hits:
    """Makes the hits of one answer."""

    snapshot: Snapshot
    analyzer: Analyzer
    terms: frozenset[str]
    snippets: bool = True

    def made(self, pages: Iterable[Ranked], sizes: Mapping[int, int]) -> Iterator[Hit]:
        """The hits; `sizes` tells how many pages of a group were found."""
        for each in pages:
            yield self._hit(each, max(0, sizes.get(each.group, 1) - 1))

    def _hit(self, ranked: Ranked, more: int) -> Hit:
        page = self.snapshot.stored(ranked.address)
        marker = Marker(analyzer=self.analyzer, terms=self.terms, language=page.language)
        snippet = self._snippet(marker, page) if self.snippets else Snippet(text=page.main_text[:SIZE])
        return Hit(
            page=ranked.page, url=page.url, title=marker.marked(page.title[:_LONGEST_TITLE]), snippet=snippet,
            description=page.description, score=ranked.score, site=page.site, language=page.language, type=page.type,
            page_type=page.page_type, size=page.size, date=ranked.date, captured=page.captured,
            last_modified=page.last_modified, digest=page.digest, crawl=page.crawl, harvest=page.harvest,
            target=page.target, agency=page.agency, access=page.access, copyright=page.copyright, more=more,
            notes=page.notes,
        )  # fmt: skip

    def _snippet(self, marker: Marker, page: StoredPage) -> Snippet:
        """From the page's own text; from navigation only where what was asked stands nowhere else."""
        own = marker.snippet(page.main_text or page.description or page.text)
        if own.marks or page.boilerplate_from is None:
            return own
        other = marker.snippet(page.text[page.boilerplate_from :])
        return other if other.marks else own
