"""What pages of a harvest's records have in common: filters from the address, the way onward, files to keep."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import re2
from django.http import HttpRequest, QueryDict, StreamingHttpResponse

from opilio.crawl.outcomes import Outcome
from opilio.curation.bulk.tables import writing
from opilio.web.streams import download
from opilio.works.record_filters import LONGEST, Wanted, cursor, cursor_text, wanted

SHOWN = 100  # rows on a page; files have all
STATUSES = ("2xx", "3xx", "4xx", "5xx")
OUTCOMES = tuple(outcome.value for outcome in Outcome)
_LONGEST_STORY = 8_000  # characters of a URL in a link
_KINDS = {"csv": ("text/csv; charset=utf-8", writing.as_csv), "json": ("application/json", writing.as_json)}


def asked(query: QueryDict, names: tuple[str, ...]) -> dict[str, str]:
    """The filters of the address that are filled."""
    given = {name: query.get(name, "")[: LONGEST + 1].strip() for name in names}
    return {name: value for name, value in given.items() if value}


def filtered(values: Mapping[str, str]) -> Wanted:
    """What they mean; `BadFilter` where they mean nothing."""
    return wanted(
        text=values.get("q", ""), status=values.get("status", ""), outcome=values.get("outcome", ""),
        type_=values.get("type", ""), host=values.get("host", ""),
    )  # fmt: skip


def pattern_of(values: Mapping[str, str]) -> str:
    """An RE2 expression for what the filters of the queue let through; empty: they let everything through."""
    found = Wanted(text=values.get("q", ""), host=values.get("host", "").lower())
    host = f"^https?://{re2.escape(found.host)}/" if found.host else ""
    text = re2.escape(found.needle)
    return f"(?i){host}{'.*' if host and text else ''}{text}" if host or text else ""


def after(query: QueryDict, length: int) -> tuple[int, ...] | None:
    """Where the list goes on."""
    return cursor(query.get("after", "")[:200], length)


def onward(values: Mapping[str, str], key: tuple[int, ...] | None) -> str:
    """The query of the next page; empty: there is none."""
    return urlencode({**values, "after": cursor_text(key)}) if key else ""


def story_link(base: str, url: str) -> str:
    """The page of a URL's story; empty for a URL that fits into no address."""
    return f"{base}/story?{urlencode({'url': url})}" if 0 < len(url) <= _LONGEST_STORY else ""


def file_wanted(request: HttpRequest) -> str:
    """The form in which everything is to be kept; empty: a page is wanted."""
    found = request.GET.get("format", "")
    return found if found in _KINDS else ""


def kept(
    request: HttpRequest, columns: tuple[str, ...], rows: Iterator[Mapping[str, Any]], *, name: str
) -> StreamingHttpResponse:
    """The rows as a file."""
    form = file_wanted(request)
    kind, write = _KINDS[form]
    return download(request, write(columns, rows), name=f"{name}.{form}", kind=kind)


def outcome_tone(outcome: str) -> str:
    """The colour of an outcome."""
    known = {one.value: one for one in Outcome}.get(outcome)
    if known is None or known.broken or known is Outcome.BLOCKED:
        return "bad"
    return "good" if known.captured else "quiet"
