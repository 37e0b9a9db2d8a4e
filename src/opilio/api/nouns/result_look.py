"""A result beside others: differences, texts, history; and the logs of its harvest."""

import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.results import seen
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Line
from opilio.archive.compare.text_diff import Unit
from opilio.curation.queries import result_compare, result_history, result_logs
from opilio.curation.queries.results import result
from opilio.people.errors import NotFound
from opilio.works.log_reading import MOST_LINES, Mode, Question
from opilio.works.record_filters import cursor, cursor_text
from opilio.works.result_comparison import Asked

if TYPE_CHECKING:
    from opilio.curation.models import Result

router = Router(tags=["results"])
_Text = Annotated[str, Field(max_length=2_000)]
_Url = Annotated[str, Field(max_length=8_000)]
_With = Annotated[Identifier | None, Query(alias="with", description="The other result; empty: the usual one.")]


class CompareFilters(Schema):
    """Which differences are asked for; empty ones admit everything that differs."""

    kind: Literal["", "added", "removed", "changed", "unchanged"] = ""
    text: _Text = Field("", description="Part of the URL, whatever its case.")
    host: Line = ""
    type: Line = ""
    limit: int = Field(100, ge=1, le=1_000)
    after: str = Field("", max_length=20, description="Cursor, as `next` told it.")


class DifferenceAnswer(Answer):
    """One URL in both results."""

    url: str
    kind: str = Field(description="added, removed, changed or unchanged.")
    fields: str = Field(description="What changed.")
    host: str
    type: str
    before_outcome: str | None
    after_outcome: str | None
    before_status: int | None
    after_status: int | None
    before_size: int | None
    after_size: int | None


class ComparisonAnswer(Answer):
    """A result beside another."""

    before: Id = Field(description="The other result.")
    totals: dict[str, int]
    by_type: dict[str, dict[str, int]]
    by_host: dict[str, dict[str, int]]
    items: list[DifferenceAnswer]
    next: str | None


class TextDiffAnswer(Answer):
    """How the text of a page changed."""

    same: bool
    lines: list[str] = Field(description="Of a unified diff.")
    notes: list[str]


class HistoryAnswer(Answer):
    """One harvest of the target."""

    harvest: Id
    started: datetime.datetime
    state: str
    reference: bool = Field(description="Whether later ones are compared with it.")
    urls: int
    failed: int
    bytes: int
    seconds: int
    kb_per_second: float
    results: int
    resources: int
    advice: str
    headline: str


class LogFileAnswer(Answer):
    """A log or report of the harvest."""

    name: str
    size: int


class LogLine(Answer):
    """A line with its number."""

    number: int
    text: str


class LogAnswer(Answer):
    """Lines of a log."""

    file: str
    lines: list[LogLine]
    more: bool


class LogFilters(Schema):
    """Which lines of which log are asked for."""

    file: Annotated[str, Field(max_length=1_000)] = "logs/crawl.log"
    mode: Mode = Field(Mode.TAIL, description="head, tail, line, time, containing, beginning or regex (RE2).")
    text: _Text = Field("", description="Line number, time, text or expression, as the mode says.")
    lines: int = Field(200, ge=1, le=MOST_LINES)
    after: int = Field(0, ge=0, le=10**15, description="With regex: only lines behind this one.")


@router.get("/{result_id}/compare", response=ComparisonAnswer)
def compare_one_result(
    request: ApiRequest, result_id: Identifier, filters: Query[CompareFilters], other: _With = None
) -> ComparisonAnswer:
    """Compare a result with another of the same target or group; 503 while large ones are compared.

    Needs a privilege to work with what its agency collects.
    """
    row, before = _row(request, result_id), _before(request, result_id, other)
    asked = Asked(kind=filters.kind, text=filters.text, host=filters.host, type=filters.type)
    after = (cursor(filters.after, 1) or (-1,))[0]
    with result_compare.compared(before, row, request.auth.clock.now()) as found:
        rows = found.found(asked, after=after, most=filters.limit + 1)
        totals, types, hosts = found.totals(), found.summary("type"), found.summary("host")
    more = len(rows) > filters.limit
    return ComparisonAnswer(
        before=before.pk, totals=totals, by_type=types, by_host=hosts,
        items=[DifferenceAnswer(**one.document()) for one in rows[: filters.limit]],
        next=cursor_text((rows[filters.limit - 1].id,)) if more else None,
    )  # fmt: skip


@router.get("/{result_id}/compare/text", response=TextDiffAnswer)
def compare_result_text(
    request: ApiRequest,
    result_id: Identifier,
    url: Annotated[_Url, Query(min_length=1)],
    unit: Unit = Unit.LINES,
    other: _With = None,
) -> TextDiffAnswer:
    """Compare the text of one page in two results.

    Needs a privilege to work with what its agency collects.
    """
    found = result_compare.text_of(_before(request, result_id, other), _row(request, result_id), url, unit)
    return TextDiffAnswer(same=found.same, lines=list(found.lines), notes=list(found.notes))


@router.get("/{result_id}/history", response=list[HistoryAnswer])
def list_result_history(request: ApiRequest, result_id: Identifier) -> list[HistoryAnswer]:
    """List all harvests of the same target or group that began, newest first.

    Needs a privilege to work with what its agency collects.
    """
    past = result_history.history(request.auth, _row(request, result_id))
    return [HistoryAnswer(**one.document()) for one in past]


@router.get("/{result_id}/logs", response=list[LogFileAnswer])
def list_result_logs(request: ApiRequest, result_id: Identifier) -> list[LogFileAnswer]:
    """List the logs and reports of a result's harvest.

    Needs a privilege to work with what its agency collects.
    """
    return [LogFileAnswer(name=one.name, size=one.size) for one in result_logs.files(_row(request, result_id))]


@router.get("/{result_id}/logs/lines", response=LogAnswer)
def read_result_log(request: ApiRequest, result_id: Identifier, filters: Query[LogFilters]) -> LogAnswer:
    """Read lines of a log or report: its head or tail, from a line, time or text on, or what an expression finds.

    Needs a privilege to work with what its agency collects.
    """
    question = Question(mode=filters.mode, text=filters.text, lines=filters.lines, after=filters.after)
    part = result_logs.read(_row(request, result_id), filters.file, question)
    lines = [LogLine(number=one.number, text=one.text) for one in part.lines]
    return LogAnswer(file=filters.file, lines=lines, more=part.more)


@router.get("/{result_id}/hops", response=list[str])
def list_result_hops(
    request: ApiRequest, result_id: Identifier, url: Annotated[_Url, Query(min_length=1)]
) -> list[str]:
    """List the URLs from the seed to one of the result, that one last.

    Needs a privilege to work with what its agency collects.
    """
    return result_logs.hops(_row(request, result_id), url)


def _row(request: ApiRequest, result_id: int) -> "Result":
    seen(request.auth, result_id)
    return result(request.auth, result_id)


def _before(request: ApiRequest, result_id: int, other: int | None) -> "Result":
    row = _row(request, result_id)
    chosen = result_compare.usual(request.auth, row) if other is None else other
    if chosen is None:
        raise NotFound("There is no result to compare with", where=str(row), remedy="Name one with `with`.")
    return result_compare.other(request.auth, chosen)
