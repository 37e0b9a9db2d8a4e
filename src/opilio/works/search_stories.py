"""The stories that a generation can tell: of a page, of a word, of links; each without what the reader may not see."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from opilio.archive.results.values import Resource
from opilio.kernel.errors import Missing, OpilioError
from opilio.kernel.urls import canonical
from opilio.search.register import Entry
from opilio.search.views import questions
from opilio.search.views.errors import NoSuchPage, NoSuchWord
from opilio.search.views.reader import STOP_WORD, PageRow
from opilio.search.views.rows import Rows
from opilio.search.views.states import PageState
from opilio.works.generation_files import BANDS
from opilio.works.index_documents import metas_of, mime_of, modified_of, why_not
from opilio.works.index_sources import IndexSource, opened_source
from opilio.works.search_contents import OpenGeneration
from opilio.works.search_sight import Sight
from opilio.works.search_values import (
    LinkedPage,
    LinksStory,
    Occurrence,
    PageStory,
    StoryCapture,
    WordCount,
    WordStory,
)

MOST = 1_000  # of whatever is listed
_TOP_WORDS = 25
_NEAR = 20  # near-duplicates that are named
_UNKNOWN = "Check the URL; only pages that a crawl of this index met are known."


class Stories:
    """What one reader can be told of one generation. `sources` are the results it was built from, where they are."""

    def __init__(self, generation: OpenGeneration, sight: Sight, sources: Sequence[IndexSource] = ()) -> None:
        self._generation = generation
        self._views = generation.views
        self._sight = sight
        self._sources = sources

    def page(self, url: str) -> PageStory:
        """The story of a page; `Missing` when there is none that the reader may know of."""
        row = self._row(url)
        entry = self._generation.register.numbered(row.id)
        captures = self._captures(row.url, entry)
        shown = next((each for each in captures if each[0].indexed), captures[0] if captures else None)
        resource = shown[1] if shown else None
        told = _told(resource)
        words = questions.page(self._views, row.id, top=_TOP_WORDS, links=1).top_words
        return PageStory(
            **told, url=row.url, page=row.id, generation=self._generation.id, fetched=row.state is PageState.FETCHED,
            indexed=entry is not None, why_not=self._why_not(entry, resource),
            since=entry.since if entry else "", changed=entry.changed if entry else "",
            crawl=entry.crawl if entry else "", rank=entry.band / BANDS if entry else 0.0,
            words=tuple(WordCount(word=each.word, count=each.occurrences) for each in words), links=self.links(row.url),
            captures=tuple(each for each, _ in captures), near=self._near(entry),
        )  # fmt: skip

    def links(self, url: str, *, after: int = -1, most: int = 100) -> LinksStory:
        """Parents and children of a page."""
        row, most = self._row(url), min(max(most, 1), MOST)
        children = self._seen(self._views.children(row.id))
        parents = [each for rows in self._views.parents(row.id) for each in self._seen(rows)]
        shown = [each for each in parents if each[0] > after][:most]
        return LinksStory(
            page=row.id, url=row.url, parents=self._linked(shown), children=self._linked(children[:most]),
            backlinks=sum(times for _, times in parents), linking_pages=len(parents), outlinks=len(children),
        )  # fmt: skip

    def word(self, word: str, *, after: int = -1, most: int = 100) -> WordStory:
        """The story of a word; `Missing` when no page has it that the reader may know of."""
        most = min(max(most, 1), MOST)
        found = questions.word(self._views, word, first=1)
        pages, occurrences = found.pages, found.occurrences
        if not self._sight.whole:
            counted = [times for rows in self._views.pages_of(found.id) for _, times in self._seen(rows)]
            pages, occurrences = len(counted), sum(counted)
            if not pages:
                raise NoSuchWord(f"no page has the word {found.word!r}", remedy="Try another form of it.")
        shown, onward = self._occurrences(found.id, after, most)
        return WordStory(
            word=found.word, number=found.id, stem=found.stem, stop=found.id == STOP_WORD, pages=pages,
            occurrences=occurrences, shown=shown, onward=onward,
        )  # fmt: skip

    def _row(self, url: str) -> PageRow:
        number = self._views.page_id(_canonical(url))
        row = self._views.page(number) if number is not None else None
        if row is None or row.state is PageState.GONE or not self._sight.page(row.id, row.url):
            raise NoSuchPage("no such page is known", where=url[:200], remedy=_UNKNOWN)
        return row

    def _captures(self, url: str, entry: Entry | None) -> list[tuple[StoryCapture, Resource]]:
        """The captures of a URL in all sources, the newest first."""
        found = []
        for source in self._sources:
            with opened_source(source) as view:
                resource = view.resource(url)
                if resource is not None and self._shown(resource, source):
                    indexed = entry is not None and (entry.crawl, entry.captured) == (source.name, resource.at)
                    found.append((_capture(resource, source, view.number, indexed=indexed), resource))
        return sorted(found, key=lambda each: (each[0].at, each[0].crawl), reverse=True)

    def _shown(self, resource: Resource, source: IndexSource) -> bool:
        return self._sight.capture(
            resource.url, resource.at, agency=source.agency, target=source.target, harvest=source.harvest
        )

    def _why_not(self, entry: Entry | None, resource: Resource | None) -> str:
        if entry is not None:
            return ""
        if resource is None:
            return "No crawl of this index has asked for it; pages link to it."
        return why_not(resource, has_text=False)

    def _near(self, entry: Entry | None) -> tuple[str, ...]:
        if entry is None:
            return ()
        family = self._generation.register.family(entry.family)
        others = (each for each in family if each.page != entry.page and self._sight.page(each.page, each.url))
        return tuple(each.url for each in islice(others, _NEAR))

    def _seen(self, rows: Rows) -> list[tuple[int, int]]:
        """Those of some pages that the reader may know of, each with its count."""
        counts = dict(zip(rows.items.tolist(), rows.counts.tolist(), strict=True))
        return [(number, counts[number]) for number in self._sight.among(list(counts), self._views.urls)]

    def _linked(self, pairs: Sequence[tuple[int, int]]) -> tuple[LinkedPage, ...]:
        urls = self._views.urls([number for number, _ in pairs])
        return tuple(
            LinkedPage(page=number, url=url, times=times) for (number, times), url in zip(pairs, urls, strict=True)
        )

    def _occurrences(self, word: int, after: int, most: int) -> tuple[tuple[Occurrence, ...], int | None]:
        found: list[Occurrence] = []
        for rows in self._views.pages_of(word, after=after):
            positions, starts = rows.positions.tolist(), rows.starts.tolist()
            places = {number: at for at, number in enumerate(rows.items.tolist())}
            seen = self._seen(rows)
            for (number, count), url in zip(seen, self._views.urls([each for each, _ in seen]), strict=True):
                if len(found) == most:
                    return tuple(found), found[-1].page
                at = places[number]
                where = tuple(positions[starts[at] : starts[at + 1]])
                found.append(Occurrence(page=number, url=url, frequency=count, positions=where))
        return tuple(found), None


def _canonical(url: str) -> str:
    try:
        return canonical(url)
    except OpilioError as error:
        raise Missing("no such page is known", where=url[:200], remedy=_UNKNOWN) from error


def _told(resource: Resource | None) -> dict[str, Any]:
    if resource is None:
        return {}
    return {
        "title": resource.title, "metas": metas_of(resource), "type": mime_of(resource.extension),
        "page_type": resource.type, "language": resource.language, "size": resource.size, "status": resource.status,
        "depth": resource.depth, "captured": resource.at, "last_modified": modified_of(resource.last_modified),
        "digest": resource.digest,
    }  # fmt: skip


def _capture(resource: Resource, source: IndexSource, result: int, *, indexed: bool) -> StoryCapture:
    return StoryCapture(
        crawl=source.name, result=result, at=resource.at, outcome=resource.outcome, status=resource.status,
        digest=resource.digest, reason=resource.reason, indexed=indexed,
    )  # fmt: skip


def here(sources: Sequence[IndexSource]) -> list[IndexSource]:
    """Those of the sources whose folders are there."""
    return [each for each in sources if Path(each.folder).is_dir()]
