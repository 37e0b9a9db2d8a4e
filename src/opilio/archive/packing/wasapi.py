"""The list of WARC files as partners fetch it (WASAPI webdata): filtered, in pages, as one document. Pure.

Whoever serves it gives the address of the request and takes the filters from its query.
"""

import fnmatch
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from opilio.kernel.errors import InvalidInput

PAGE_SIZE = 100
MOST = 2_000  # files of one page
_TIME = re.compile(r"\d{4}(-\d{2}){0,2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?")


@dataclass(frozen=True, kw_only=True, slots=True)
class WebData:
    """A file that can be fetched."""

    filename: str
    size: int  # bytes
    checksums: Mapping[str, str]  # algorithm → hex
    locations: Sequence[str]  # where it can be had
    filetype: str = "warc"
    account: str = ""
    collection: str = ""
    crawl: str = ""
    crawl_time: datetime | None = None  # when the file was begun
    crawl_start: datetime | None = None
    store_time: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """What a partner asks for; times are half-open, the first included."""

    filename: str = ""  # with * and ? where wanted
    collection: frozenset[str] = frozenset()
    crawl: str = ""
    times: Mapping[str, datetime] = field(default_factory=dict)  # crawl-time-after and its three kin
    page: int = 1
    page_size: int = PAGE_SIZE


_TIMES = ("crawl-time-after", "crawl-time-before", "crawl-start-after", "crawl-start-before")
_KNOWN = frozenset({"filename", "filetype", "collection", "crawl", "page", "page_size", *_TIMES})


def query_of(pairs: Iterable[tuple[str, str]]) -> Query:
    """The query of an address; `InvalidInput` names the parameter that cannot be used."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name.replace("_", "-") if name != "page_size" else name, []).append(value)
    unknown = sorted(set(values) - _KNOWN)
    if unknown:
        remedy = f"Known are {', '.join(sorted(_KNOWN))}."
        raise InvalidInput(f"{unknown[0][:80]!r} is no parameter of the list", where="query", remedy=remedy)
    last = {name: given[-1] for name, given in values.items()}
    return Query(
        filename=last.get("filename", ""),
        collection=frozenset(values.get("collection", ())),
        crawl=last.get("crawl", ""),
        times={name: _time(name, last[name]) for name in _TIMES if name in last},
        page=_number("page", last.get("page", "1"), 1_000_000_000),
        page_size=_number("page_size", last.get("page_size", str(PAGE_SIZE)), MOST),
    )


def webdata(files: Iterable[WebData], query: Query, request_url: str) -> dict[str, Any]:
    """The document that answers a query; only one page of the files is held."""
    begin, end = (query.page - 1) * query.page_size, query.page * query.page_size
    count, shown = 0, []
    for file in files:
        if not _wanted(file, query):
            continue
        if begin <= count < end:
            shown.append(_told(file))
        count += 1
    return {
        "count": count,
        "next": _at(request_url, query.page + 1) if end < count else None,
        "previous": _at(request_url, query.page - 1) if query.page > 1 and begin <= count else None,
        "request-url": request_url,
        "includes-extra": False,
        "files": shown,
    }


def _wanted(file: WebData, query: Query) -> bool:
    if query.filename and not fnmatch.fnmatchcase(file.filename, query.filename):
        return False
    if query.collection and file.collection not in query.collection:
        return False
    if query.crawl and file.crawl != query.crawl:
        return False
    return all(_in_time(file, name, limit) for name, limit in query.times.items())


def _in_time(file: WebData, name: str, limit: datetime) -> bool:
    at = file.crawl_time if name.startswith("crawl-time") else file.crawl_start
    if at is None:
        return False
    return at >= limit if name.endswith("after") else at < limit


def _told(file: WebData) -> dict[str, Any]:
    told: dict[str, Any] = {
        "filename": file.filename,
        "filetype": file.filetype,
        "size": file.size,
        "checksums": dict(file.checksums),
        "locations": list(file.locations),
        "account": file.account,
        "collection": file.collection,
        "crawl": file.crawl,
        "crawl-time": _iso(file.crawl_time),
        "crawl-start": _iso(file.crawl_start),
        "store-time": _iso(file.store_time),
    }
    return {name: value for name, value in told.items() if value not in ("", None)}


def _at(url: str, page: int) -> str:
    """The same address with another page."""
    parts = urlsplit(url)
    pairs = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name != "page"]
    return urlunsplit(parts._replace(query=urlencode([*pairs, ("page", str(page))])))


def _iso(at: datetime | None) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if at is not None else ""


def _time(name: str, text: str) -> datetime:
    """A day, or a time; without a zone it is UTC. Years and months mean their first day."""
    given = text.strip()
    try:
        if not _TIME.fullmatch(given):
            raise ValueError(given)
        whole = given + {4: "-01-01", 7: "-01"}.get(len(given), "")
        found = datetime.fromisoformat(whole)
    except ValueError:
        remedy = "Write it as 2026-01-31 or 2026-01-31T12:00:00Z."
        raise InvalidInput(f"{text[:80]!r} is no time", where=name, remedy=remedy) from None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _number(name: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12 and 1 <= int(text) <= most):
        raise InvalidInput(f"{text[:40]!r} is no number from 1 to {most}", where=name, remedy="Give such a number.")
    return int(text)
