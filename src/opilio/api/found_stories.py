"""The stories of a page, a word and links as programs receive them."""

from pydantic import Field

from opilio.api.found import Seconds
from opilio.api.schemas import Answer


class LinkedPageShown(Answer):
    """The other end of a link."""

    page: int
    url: str
    times: int = Field(description="How often the link stands on its page.")


class LinksShown(Answer):
    """Which pages lead to a page, and where it leads."""

    page: int
    url: str
    parents: list[LinkedPageShown]
    children: list[LinkedPageShown]
    backlinks: int = Field(description="Links to it from other pages, each occurrence counted.")
    linking_pages: int = Field(description="Pages that link to it.")
    outlinks: int = Field(description="Pages it links to.")


class WordCountShown(Answer):
    """A word of a page."""

    word: str
    count: int


class CaptureShown(Answer):
    """One capture of a page's URL."""

    crawl: str
    result: int
    at: Seconds
    outcome: str
    status: int | None
    digest: str
    reason: str
    indexed: bool = Field(description="Whether the index holds this one.")


class MetaShown(Answer):
    """A meta tag."""

    name: str
    content: str


class PageShown(Answer):
    """All that is known about a URL."""

    url: str
    page: int = Field(description="Number of the page in the index.")
    generation: str = Field(description="In which all this is so.")
    fetched: bool
    indexed: bool
    why_not: str = Field(description="Why it cannot be found; empty when it can.")
    since: str = Field(description="Generation in which it could be found first.")
    changed: str = Field(description="Generation in which it was last indexed anew.")
    title: str
    metas: list[MetaShown]
    type: str
    page_type: str
    language: str
    size: int
    status: int | None
    depth: int
    captured: Seconds
    last_modified: Seconds = Field(description="null: never told.")
    digest: str
    crawl: str
    rank: float = Field(description="Link rank from 0 to 1.")
    words: list[WordCountShown] = Field(description="The most frequent ones, stop words left out.")
    links: LinksShown | None
    captures: list[CaptureShown] = Field(description="Over time, the newest first.")
    near: list[str] = Field(description="URLs of near-duplicates.")

    @staticmethod
    def resolve_metas(story: object) -> list[MetaShown]:
        """Pairs as objects."""
        return [MetaShown(name=name, content=content) for name, content in getattr(story, "metas", ())]


class OccurrenceShown(Answer):
    """A page with a word on it."""

    page: int
    url: str
    frequency: int
    positions: list[int] = Field(description="Counted in words from 0, stop words too.")


class WordShown(Answer):
    """A word of the lexicon with the pages it stands on."""

    word: str
    number: int = Field(description="0: a stop word.")
    stem: str
    stop: bool
    pages: int = Field(description="Pages that have it.")
    occurrences: int = Field(description="On all pages.")
    shown: list[OccurrenceShown]
    onward: int | None = Field(description="`after` for the next portion; null: these were the last.")
