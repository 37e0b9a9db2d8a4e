"""What an index answers: hits with snippets, facets, totals, and how the query was read."""

from dataclasses import dataclass

from opilio.search.snippets import Snippet


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A page that was found. Times are seconds since 1970 (UTC); 0 stands for unknown."""

    page: int
    url: str
    title: Snippet
    snippet: Snippet
    description: str = ""
    score: float = 0.0
    site: str = ""
    language: str = ""
    type: str = ""
    page_type: str = ""
    size: int = 0  # bytes
    date: float = 0.0  # when it last changed, as far as is known
    captured: float = 0.0
    last_modified: float = 0.0
    digest: str = ""
    crawl: str = ""
    harvest: str = ""
    target: str = ""
    agency: str = ""
    access: str = ""
    copyright: str = ""  # notice to be shown with it
    more: int = 0  # further pages that are nearly the same
    notes: tuple[str, ...] = ()  # what was cut when it was indexed


@dataclass(frozen=True, kw_only=True, slots=True)
class Facet:
    """A value by which the hits can be narrowed."""

    value: str
    count: int
    query: str  # the filter that narrows to it: `site:example.org`


@dataclass(frozen=True, kw_only=True, slots=True)
class Facets:
    """How many pages each value has, the most frequent first; years by time."""

    sites: tuple[Facet, ...] = ()
    types: tuple[Facet, ...] = ()
    languages: tuple[Facet, ...] = ()
    years: tuple[Facet, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """The answer to a request."""

    query: str  # in its canonical form
    permalink: str
    hits: tuple[Hit, ...] = ()
    total: int = 0  # pages that match, near-duplicates counted
    offset: int = 0
    limit: int = 10
    further: bool = False  # whether there are hits after these
    facets: Facets = Facets()
    notes: tuple[str, ...] = ()  # how the query was read, where that is not plain
    did_you_mean: str = ""  # a query that finds more
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class ScorePart:
    """A part of a score: what one term or phrase adds in one field."""

    field: str
    text: str
    weight: float  # of the field, times how often the term was typed
    bm25: float

    @property
    def value(self) -> float:
        """What it adds."""
        return self.weight * self.bm25


@dataclass(frozen=True, kw_only=True, slots=True)
class Explanation:
    """Why a page has its score: text × (1 + link rank + freshness)."""

    page: int
    url: str
    score: float
    text: float  # the score that its text has
    parts: tuple[ScorePart, ...]
    link_rank: float  # share that its link rank adds; 0 when beyond the pages that are rescored
    freshness: float  # share that its age adds


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggested:
    """A page whose title fits what was typed so far."""

    page: int
    url: str
    title: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestions:
    """What somebody who types may want to ask."""

    queries: tuple[str, ...] = ()
    titles: tuple[Suggested, ...] = ()
