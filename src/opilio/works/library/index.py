"""Search for programs: an index in a folder, built from crawls, asked in the same words as everywhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path

from opilio.kernel.access import PUBLIC
from opilio.kernel.errors import Missing, Unavailable
from opilio.search.answer import Answer
from opilio.search.answer import Hit as FoundPage
from opilio.search.request import Request, Sort
from opilio.works.build_index import build_generation
from opilio.works.index_sources import IndexSource, named_after
from opilio.works.search_home import SearchHome

Where = str | PathLike[str]
_KEPT = 2  # generations: the one that answers, and the one before


@dataclass(frozen=True, kw_only=True, slots=True)
class Built:
    """An index that was built anew."""

    generation: str
    pages: int  # that can be found


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A page that was found."""

    url: str
    title: str
    snippet: str  # some words around what was asked for
    score: float
    site: str
    language: str
    captured: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Hits:
    """What was found: to be looped over."""

    total: int  # pages that match
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()  # how the query was read, where that is not plain
    did_you_mean: str = ""

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


class Index:
    """An index in a folder of its own. Threads may share it."""

    def __init__(self, folder: Where) -> None:
        self._home = SearchHome(Path(folder))

    def build(self, *crawls: Where, processes: int = 1) -> Built:
        """Add the folders of sealed crawls, index what is new and let `search` find it; `processes` read at once."""
        known = {each.name: each.folder for each in self._home.sources.all()}
        for crawl in crawls:
            folder = Path(crawl).resolve()
            if not folder.is_dir():
                raise Missing("there is no such folder", where=str(folder), remedy="Give the folder of a sealed crawl.")
            name = named_after(folder, known)
            known[name] = str(folder)
            self._home.sources.add([IndexSource(name=name, folder=str(folder))])
        made = build_generation(self._home, processes=processes)
        report = self._home.publishing.publish(made.id, keep=_KEPT)
        if not report.complete:
            trouble = next((each.error for each in report.nodes if each.error), "it was not taken")
            raise Unavailable(trouble, where=str(self._home.folder), remedy="Look at it: opilio index status.")
        return Built(generation=made.id, pages=made.counts["documents"])

    def search(self, query: str, *, limit: int = 10, offset: int = 0, newest_first: bool = False) -> Hits:
        """Find pages: words, "phrases", AND OR NOT, -word, site: title: url: type: lang: since:, wor* and word~."""
        sort = Sort.DATE if newest_first else Sort.RELEVANCE
        request = Request(query=query, limit=limit, offset=offset, sort=sort, facets=False)
        return _hits(self._home.published().ask(request, PUBLIC))

    def close(self) -> None:
        """Let the files go."""
        self._home.published().close()

    def __enter__(self) -> "Index":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _hits(found: Answer) -> Hits:
    return Hits(
        total=found.total, hits=tuple(map(_hit, found.hits)), notes=found.notes, did_you_mean=found.did_you_mean
    )


def _hit(page: FoundPage) -> Hit:
    return Hit(
        url=page.url, title=page.title.text, snippet=" ".join(page.snippet.text.split()), score=page.score,
        site=page.site, language=page.language, captured=datetime.fromtimestamp(page.captured, UTC),
    )  # fmt: skip
