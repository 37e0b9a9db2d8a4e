"""Hits, facets, explanations and suggestions as programs receive them. Times are UTC; null stands for unknown."""

import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from opilio.api.schemas import Answer

_LATEST = 253_402_300_799.0  # the end of the year 9999


def _moment(seconds: Any) -> Any:
    if not isinstance(seconds, float | int):
        return seconds
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC) if 0 < seconds <= _LATEST else None


#: A time of the index: seconds inside, a date-time outside.
Seconds = Annotated[datetime.datetime | None, BeforeValidator(_moment)]


class MarkedText(Answer):
    """A text with the places that were asked for."""

    text: str
    marks: list[tuple[int, int]] = Field(description="Start and end of each, in characters of the text.")


class HitShown(Answer):
    """A page that was found."""

    page: int = Field(description="Number of the page in the index.")
    url: str
    title: MarkedText
    snippet: MarkedText
    description: str
    score: float
    site: str = Field(description="Registrable domain.")
    language: str
    type: str = Field(description="MIME type.")
    page_type: str = Field(description="Kind of page: html, pdf, image …")
    size: int = Field(description="Bytes.")
    date: Seconds = Field(description="When it last changed, as far as is known.")
    captured: Seconds
    last_modified: Seconds
    digest: str
    crawl: str
    harvest: str
    target: str
    agency: str
    access: str = Field(description="Access class.")
    copyright: str = Field(description="Notice to be shown with it.")
    more: int = Field(description="Further pages that are nearly the same.")
    notes: list[str]


class FacetShown(Answer):
    """A value by which the hits can be narrowed."""

    value: str
    count: int
    query: str = Field(description="What to add to the query.", examples=["site:example.org"])


class FacetsShown(Answer):
    """How many pages each value has."""

    sites: list[FacetShown]
    types: list[FacetShown]
    languages: list[FacetShown]
    years: list[FacetShown]


class AnswerShown(Answer):
    """The answer to a query."""

    query: str = Field(description="In its canonical form.")
    permalink: str = Field(description="Parameters that always ask the same.")
    hits: list[HitShown]
    total: int = Field(description="Pages that match, near-duplicates counted.")
    offset: int
    limit: int
    further: bool = Field(description="Whether there are hits after these.")
    facets: FacetsShown
    notes: list[str] = Field(description="How the query was read, where that is not plain.")
    did_you_mean: str = Field(description="A query that finds more; empty: none.")
    seconds: float


class ScorePartShown(Answer):
    """What one term or phrase adds in one field: weight × bm25."""

    field: str
    text: str
    weight: float
    bm25: float
    value: float


class ExplanationShown(Answer):
    """Why a page has its score: text × (1 + link rank + freshness)."""

    page: int
    url: str
    score: float
    text: float
    parts: list[ScorePartShown]
    link_rank: float
    freshness: float


class SuggestedPage(Answer):
    """A page whose title fits what was typed."""

    page: int
    url: str
    title: str


class SuggestionsShown(Answer):
    """What somebody who types may want to ask."""

    queries: list[str]
    titles: list[SuggestedPage]
