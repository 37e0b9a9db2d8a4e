"""Search: ask, suggest, similar pages, explanations; and the stories of pages, words and links.

What is published can be asked without a token, as on the search page; with one, the answer holds what its user may see.
"""

from typing import Annotated, Literal

from ninja import Path, Query, Router, Schema
from pydantic import Field

from opilio.api.auth import ApiToken, SignInSession
from opilio.api.found import AnswerShown, ExplanationShown, HitShown, SuggestionsShown
from opilio.api.found_stories import LinksShown, PageShown, WordShown
from opilio.api.readers import ReaderRequest, published, reader, searched
from opilio.search.request import FARTHEST, MOST_HITS, Request, Sort

#: Strangers are let in: what is published is for everybody, and every answer passes the rules of access.
_DOORS = [ApiToken(), SignInSession(strangers=True)]
router, pages_router, words_router, links_router = (Router(auth=_DOORS, tags=["search"]) for _ in range(4))

LONGEST = 100_000  # characters of a query
_Text = Annotated[
    str, Field(max_length=LONGEST, description="The query.", examples=["harbour museum site:example.org"])
]
_Url = Annotated[str, Field(min_length=1, max_length=8_000, description="The URL of the page, in any spelling.")]
_PageNumber = Annotated[int, Field(ge=0, le=2**53, description="Number of the page in the index.")]
_Index = Annotated[
    Literal["published", "working"],
    Field(description="The published generation, or the working index; the latter for staff who review."),
]


class Wanted(Schema):
    """What is asked, and which part of the hits is wanted."""

    q: _Text = ""
    offset: Annotated[int, Field(alias="from", ge=0, le=FARTHEST, description="Hits to pass over.")] = 0
    limit: Annotated[int, Field(ge=1, le=MOST_HITS, description="How many hits at most.")] = 10
    sort: Annotated[Sort, Field(description="Order of the hits.")] = Sort.RELEVANCE
    every: Annotated[bool, Field(description="Whether words side by side must all be found.")] = False
    duplicates: Annotated[bool, Field(description="Whether near-duplicates stand for themselves.")] = False
    index: Annotated[_Index, Field(alias="in")] = "published"

    @property
    def request(self) -> Request:
        """As the index is asked."""
        return Request(
            query=self.q, offset=self.offset, limit=self.limit, sort=self.sort, every=self.every,
            collapse=not self.duplicates,
        )  # fmt: skip


class Typed(Schema):
    """What was typed so far."""

    q: Annotated[str, Field(max_length=1_000, description="What was typed so far.")] = ""
    index: Annotated[_Index, Field(alias="in")] = "published"


class Near(Schema):
    """The page to which others are to be similar."""

    page: _PageNumber
    limit: Annotated[int, Field(ge=1, le=MOST_HITS, description="How many pages at most.")] = 10
    index: Annotated[_Index, Field(alias="in")] = "published"


class Asked(Schema):
    """The page and the query that finds it."""

    page: _PageNumber
    q: _Text
    index: Annotated[_Index, Field(alias="in")] = "published"


class OfUrl(Schema):
    """The page that is asked about."""

    url: _Url


class LinksOf(Schema):
    """The page whose links are asked for, and the part of its parents."""

    url: _Url
    after: Annotated[int, Field(ge=-1, le=2**53, description="Parents with a greater number only.")] = -1
    limit: Annotated[int, Field(ge=1, le=1_000, description="How many of each side at most.")] = 100


class Portion(Schema):
    """The part of a word's pages that is wanted."""

    after: Annotated[int, Field(ge=-1, le=2**53, description="`onward` of the portion before; -1: the start.")] = -1
    limit: Annotated[int, Field(ge=1, le=1_000, description="How many pages at most.")] = 100


@router.get("", response=AnswerShown)
def search_pages(request: ReaderRequest, wanted: Query[Wanted]) -> AnswerShown:
    """Search the archived pages.

    Needs no token for what is published. A query is never refused: `notes` say how it was read.
    """
    answer = searched(request, wanted.index).ask(wanted.request, reader(request))
    return AnswerShown.from_orm(answer)


@router.get("/suggest", response=SuggestionsShown)
def suggest_queries(request: ReaderRequest, typed: Query[Typed]) -> SuggestionsShown:
    """Suggest queries and pages for what was typed so far.

    Needs no token for what is published.
    """
    return SuggestionsShown.from_orm(searched(request, typed.index).suggest(typed.q, reader(request)))


@router.get("/similar", response=list[HitShown])
def similar_pages(request: ReaderRequest, near: Query[Near]) -> list[HitShown]:
    """List pages that are about the same as a page.

    Needs no token for what is published.
    """
    found = searched(request, near.index).similar(near.page, reader(request), most=near.limit)
    return [HitShown.from_orm(hit) for hit in found]


@router.get("/explain", response=ExplanationShown)
def explain_score(request: ReaderRequest, asked: Query[Asked]) -> ExplanationShown:
    """Explain the score that a page has for a query.

    Needs no token for what is published.
    """
    found = searched(request, asked.index).explain(asked.page, asked.q, reader(request))
    return ExplanationShown.from_orm(found)


@pages_router.get("", response=PageShown)
def show_page(request: ReaderRequest, asked: Query[OfUrl]) -> PageShown:
    """Tell all that is known about a URL.

    Needs no token.
    """
    return PageShown.from_orm(published().page(asked.url, reader(request)))


@words_router.get("/{word}", response=WordShown)
def show_word(
    request: ReaderRequest, word: Path[Annotated[str, Field(max_length=200, examples=["harbour"])]],
    portion: Query[Portion],
) -> WordShown:  # fmt: skip
    """Tell on which pages a word stands, how often, and where.

    Needs no token.
    """
    return WordShown.from_orm(published().word(word, reader(request), after=portion.after, most=portion.limit))


@links_router.get("", response=LinksShown)
def show_links(request: ReaderRequest, asked: Query[LinksOf]) -> LinksShown:
    """Tell which pages lead to a page, and where it leads.

    Needs no token.
    """
    found = published().links(asked.url, reader(request), after=asked.after, most=asked.limit)
    return LinksShown.from_orm(found)
