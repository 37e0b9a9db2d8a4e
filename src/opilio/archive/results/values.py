"""What a result holds. Times are seconds since 1970 in UTC."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from opilio.kernel.capture import Position


class Way(NamedTuple):
    """One way by which a URL was reached."""

    depth: int  # link hops from the seed
    seed: int  # number of the seed in the plan
    hops: int  # embeds and redirects since the last link


@dataclass(frozen=True, kw_only=True, slots=True)
class Resource:
    """One URL of a crawl with its outcome; captured, where it has a place."""

    id: int  # dense from 0; the page's number in the crawl
    key: tuple[int, int]  # number of its host, and the hash of its URL
    url: str
    seed: int
    outcome: str
    reason: str = ""
    status: int | None = None
    type: str = ""
    extension: str = ""
    size: int = 0  # bytes
    digest: str = ""
    title: str = ""
    language: str = ""
    meta: str = ""  # the meta tags as JSON
    last_modified: str = ""
    etag: str = ""
    depth: int = 0
    hops: int = 0
    parent: tuple[int, int] | None = None  # key of the resource that led here
    path: str = ""
    place: Position | None = None
    ms: int = 0
    tries: int = 0
    robots: str = ""  # the line of robots.txt that decided
    at: float = 0.0  # 0: never fetched
    counted: bool = False
    original_url: str = ""  # of the capture that has the body, where this one was written without it
    original_at: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultHost:
    """A host, as the crawl left it."""

    id: int
    name: str
    delay: float = 0.0  # seconds
    pages: int = 0
    bytes: int = 0
    errors: int = 0
    robots: str = ""  # what was decided about its robots.txt, and why


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultWarc:
    """A WARC file that belongs to a result."""

    file: str
    size: int  # bytes
    sha256: str  # hex


class Denied(NamedTuple):
    """An example of a link that a rule denied."""

    rule: str
    url: str
    parent: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenOrder:
    """An order that the crawl was given."""

    id: int
    what: str
    by: str
    at: float
    arguments: Mapping[str, Any] = field(default_factory=dict)
    done: float | None = None


class Removed(NamedTuple):
    """A resource of the parent that a derived result leaves out."""

    resource: int
    outcome: str
    replaced_by: int | None = None  # number of the resource that took its place


@dataclass(frozen=True, kw_only=True, slots=True)
class EarlierCapture:
    """A capture of a resource's URL that came before the one in its row; only what was added has such."""

    resource: int
    at: float
    status: int | None
    mime: str
    digest: str
    place: Position
    revisit: bool = False
    original_url: str = ""
    original_at: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Head:
    """What a result says about itself."""

    number: int  # 1: what the crawl captured
    sealed: str  # when, ISO 8601 in UTC
    software: str
    plan: str  # JSON
    report: Mapping[str, Any] = field(default_factory=dict)
    parent: int | None = None  # number of the result it was derived from
    parent_digest: str = ""  # sha256 of the parent's file, in hex
    by: str = ""  # who derived it
    note: str = ""  # why: the provenance note
    changes: tuple[str, ...] = ()  # what was done, in order: the modification notes
    copied: tuple[str, ...] = ()  # WARC files that were brought into the folder for it
