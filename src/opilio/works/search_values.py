"""What pages, API and command line tell about the index: the story of a page, of a word, and of links."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkedPage:
    """The other end of a link."""

    page: int
    url: str
    times: int  # how often the link stands on its page


@dataclass(frozen=True, kw_only=True, slots=True)
class LinksStory:
    """Which pages lead to a page, and where it leads."""

    page: int
    url: str
    parents: tuple[LinkedPage, ...] = ()
    children: tuple[LinkedPage, ...] = ()
    backlinks: int = 0  # links to it from other pages, each occurrence counted
    linking_pages: int = 0  # pages that link to it
    outlinks: int = 0  # pages it links to


@dataclass(frozen=True, kw_only=True, slots=True)
class WordCount:
    """A word of a page."""

    word: str
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class StoryCapture:
    """One capture of a page's URL. Times are seconds since 1970 (UTC)."""

    crawl: str
    result: int
    at: float
    outcome: str
    status: int | None
    digest: str
    reason: str = ""
    indexed: bool = False  # whether the index holds this one


@dataclass(frozen=True, kw_only=True, slots=True)
class PageStory:
    """All that is known about a URL."""

    url: str
    page: int
    generation: str  # in which all this is so
    fetched: bool
    indexed: bool
    why_not: str = ""  # why it cannot be found; a sentence
    since: str = ""  # generation in which it could be found first
    changed: str = ""  # generation in which it was last indexed anew
    title: str = ""
    metas: tuple[tuple[str, str], ...] = ()
    type: str = ""
    page_type: str = ""
    language: str = ""
    size: int = 0  # bytes
    status: int | None = None
    depth: int = 0
    captured: float = 0.0
    last_modified: float = 0.0  # 0: never told
    digest: str = ""
    crawl: str = ""
    rank: float = 0.0  # link rank from 0 to 1
    words: tuple[WordCount, ...] = ()  # the most frequent ones, stop words left out
    links: LinksStory | None = None
    captures: tuple[StoryCapture, ...] = ()  # over time, the newest first
    near: tuple[str, ...] = ()  # URLs of near-duplicates


@dataclass(frozen=True, kw_only=True, slots=True)
class Occurrence:
    """A page with a word on it."""

    page: int
    url: str
    frequency: int
    positions: tuple[int, ...]  # counted in words from 0, stop words too


@dataclass(frozen=True, kw_only=True, slots=True)
class WordStory:
    """A word of the lexicon with the pages it stands on."""

    word: str
    number: int  # 0: a stop word
    stem: str = ""
    stop: bool = False
    pages: int = 0  # that have it: document frequency
    occurrences: int = 0  # on all pages
    shown: tuple[Occurrence, ...] = ()
    onward: int | None = None  # `after` for the next portion; None: these were the last


@dataclass(frozen=True, kw_only=True, slots=True)
class GenerationStatus:
    """A generation that is kept. Times are seconds since 1970 (UTC)."""

    id: str
    made: float
    documents: int  # pages that can be found
    known: int  # URLs it knows, fetched or not
    bytes: int
    parent: str = ""  # the generation it was grown from
    nodes: tuple[str, ...] = ()  # that serve it


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeStatus:
    """A node with what it serves."""

    name: str
    role: str
    place: str
    generation: str = ""  # empty: none yet
    since: float = 0.0
    behind: int = 0  # newer generations that it does not serve
    trouble: str = ""  # why it cannot be asked; a sentence


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceStatus:
    """A result that is searched."""

    name: str
    folder: str
    result: int | None = None
    change: str = ""  # added, changed or removed since the newest generation; empty: it holds it as it is
    since: float = 0.0  # of that change


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowedStatus:
    """A crawl that the working index follows."""

    name: str
    folder: str
    pages: int  # that can be found


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexStatus:
    """Which generation lies where, and what the next one would bring."""

    generations: tuple[GenerationStatus, ...] = ()  # the newest first
    nodes: tuple[NodeStatus, ...] = ()
    readers: str = ""  # the node to which readers are sent
    sources: tuple[SourceStatus, ...] = ()
    followed: tuple[FollowedStatus, ...] = ()
