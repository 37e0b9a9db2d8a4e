"""A question to the CDX server, from the parameters that pywb takes. docs/reference/cdx.md says what they mean."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar
from urllib.parse import parse_qsl

from opilio.archive.cdx.filters import NAMES, Filter, parse_filter
from opilio.archive.cdx.keys import Match, Span, key_of, spans, with_scheme
from opilio.archive.cdx.rows import unstamp
from opilio.kernel.errors import InvalidInput

_LONGEST = 1 << 16  # bytes of a query string
_MOST_PARAMETERS = 100
_MOST_FILTERS = 20
_PAGE_SIZE = 5  # blocks
_EARLIEST, _LATEST = "00000101000000", "99991231235959"
_TIME = re.compile(r"\d{4,14}|\d{17}", re.ASCII)
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_T = TypeVar("_T", bound=StrEnum)
_NOT_OFFERED = {
    "resolveRevisits": "a revisit names its original in original_url and original_time",
    "showPagedIndex": "it would show keys that the reader may not see",
    "allowFuzzy": "keys are compared as they are",
    "collapse": "lines are never left out because others resemble them",
    "collapseTime": "lines are never left out because others resemble them",
}


class Output(StrEnum):
    """The forms of an answer."""

    CDXJ = "cdxj"
    JSON = "json"  # a JSON object on each line
    TEXT = "text"  # columns


class Sort(StrEnum):
    """The orders of an answer."""

    DEFAULT = "default"
    REVERSE = "reverse"
    CLOSEST = "closest"


@dataclass(frozen=True, kw_only=True, slots=True)
class Resume:
    """Where an answer that was cut off goes on."""

    begin: bytes  # key and time
    skip: int  # lines with these that were given already

    def __str__(self) -> str:
        return f"{self.begin.decode('utf-8', 'replace')} {self.skip}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """What is asked."""

    key: str
    match: Match
    spans: tuple[Span, ...]
    since: str = _EARLIEST
    until: str = _LATEST
    limit: int | None = None
    sort: Sort = Sort.DEFAULT
    closest: datetime | None = None
    output: Output = Output.CDXJ
    fields: tuple[str, ...] = ()  # all, if none are named
    filters: tuple[Filter, ...] = ()
    page: int | None = None
    page_size: int = _PAGE_SIZE
    count_pages: bool = False
    show_resume: bool = False
    resume: Resume | None = None


def parse_query(text: bytes) -> Query:
    """A query from the query string of a request; `InvalidInput` names the parameter that is wrong."""
    if len(text) > _LONGEST:
        raise _bad("the question is too long", "url", f"Ask in at most {_LONGEST} bytes.")
    try:
        pairs = parse_qsl(text.decode("latin-1"), keep_blank_values=True, max_num_fields=_MOST_PARAMETERS)
    except ValueError:
        raise _bad("there are too many parameters", "url", f"Give at most {_MOST_PARAMETERS}.") from None
    given = dict(pairs)
    for name, reason in _NOT_OFFERED.items():
        if _flag(given, name):
            raise _bad(f"{name} is not offered: {reason}", name, "Leave it out.")
    query = _asked(given, [value for name, value in pairs if name == "filter"])
    _check(query)
    return query


def _asked(given: Mapping[str, str], filters: Sequence[str]) -> Query:
    if len(filters) > _MOST_FILTERS:
        raise _bad("there are too many filters", "filter", f"Give at most {_MOST_FILTERS}.")
    url, match = _url(given)
    closest, fields = given.get("closest", ""), given.get("fields") or given.get("fl") or ""
    sort = _choice(Sort, given, "sort", Sort.CLOSEST if closest else Sort.DEFAULT)
    return Query(
        key=key_of(with_scheme(url)),
        match=match,
        spans=spans(url, match, until=given.get("urlTo", "")),
        since=_padded(given, "from", _EARLIEST) if "from" in given else _padded(given, "from_ts", _EARLIEST),
        until=_padded(given, "to", _LATEST),
        limit=_number(given, "limit", least=1),
        sort=sort,
        closest=_moment(given) if sort is Sort.CLOSEST else None,
        output=_choice(Output, given, "output", Output.CDXJ),
        fields=tuple(NAMES.get(name, name) for name in fields.split(",") if name),
        filters=tuple(map(parse_filter, filters)),
        page=_number(given, "page", least=0),
        page_size=_number(given, "pageSize", least=1) or _PAGE_SIZE,
        count_pages=_flag(given, "showNumPages"),
        show_resume=_flag(given, "showResumeKey"),
        resume=_resume(given),
    )


def _check(query: Query) -> None:
    """Refuse what cannot be asked together."""
    if query.sort is Sort.CLOSEST and query.match is not Match.EXACT:
        raise _bad("only captures of one URL have an order by distance", "sort", "Ask with matchType=exact.")
    ordered = query.sort is not Sort.DEFAULT
    if ordered and (query.page is not None or query.resume or query.show_resume):
        raise _bad("pages and resume keys follow the order of the index", "sort", "Leave sort out.")
    if query.page is not None and (query.resume or query.show_resume):
        raise _bad("a page is not resumed", "page", "Ask for pages, or with a resume key, not for both.")


def _url(given: Mapping[str, str]) -> tuple[str, Match]:
    """The URL and how it is meant; a wildcard says it as well as `matchType`."""
    url = given.get("url", "").strip()
    if given.get("matchType"):
        return url, _choice(Match, given, "matchType", Match.EXACT)
    if url.startswith("*."):
        return url[2:], Match.DOMAIN
    if url.endswith("*"):
        return url[:-1], Match.PREFIX
    return url, Match.EXACT


def _padded(given: Mapping[str, str], name: str, pattern: str) -> str:
    """The first or last moment that the beginning of a time can mean."""
    text = given.get(name, "")
    if text and not _TIME.fullmatch(text):
        raise _bad(f"{text[:40]!r} is no time", name, "Write it as 2026, 202601 or 20260131235959.")
    return text + pattern[len(text) :]


def _moment(given: Mapping[str, str]) -> datetime:
    if not given.get("closest"):
        raise _bad("closest to which time?", "closest", "Add closest=20260131235959.")
    text = _padded(given, "closest", "20000101000000")
    try:
        return unstamp(text)
    except InvalidInput as error:
        raise _bad(error.what, "closest", error.remedy) from None


def _resume(given: Mapping[str, str]) -> Resume | None:
    text = given.get("resumeKey", "")
    if not text:
        return None
    begin, _, skip = text.rpartition(" ")
    if begin.count(" ") != 1 or not _NUMBER.fullmatch(skip):
        raise _bad(f"{text[:80]!r} is no resume key", "resumeKey", "Give one back as it was told.")
    return Resume(begin=begin.encode("utf-8", "replace"), skip=int(skip))


def _choice(kind: type[_T], given: Mapping[str, str], name: str, default: _T) -> _T:
    text = given.get(name, "")
    try:
        return kind(text) if text else default
    except ValueError:
        raise _bad(f"{name} cannot be {text[:40]!r}", name, f"Choose {', '.join(kind)}.") from None


def _number(given: Mapping[str, str], name: str, *, least: int) -> int | None:
    text = given.get(name, "")
    if not text:
        return None
    if not _NUMBER.fullmatch(text) or int(text) < least:
        raise _bad(f"{name} cannot be {text[:40]!r}", name, f"Give a whole number from {least}.")
    return int(text)


def _flag(given: Mapping[str, str], name: str) -> bool:
    return given.get(name, "").lower() not in ("", "0", "false", "no")


def _bad(what: str, where: str, remedy: str) -> InvalidInput:
    return InvalidInput(what, where=where, remedy=remedy)
