"""Add to a result, look at its pages in replay, and say what one thinks of them."""

import base64
import binascii
import datetime
import io
from typing import TYPE_CHECKING, Annotated, Any

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.result_missing import Note
from opilio.api.nouns.result_schemas import ResultDetail
from opilio.api.nouns.results import seen, shown
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Moment, Version
from opilio.api.versions import matched_version
from opilio.archive.results.deriving import Existing
from opilio.curation import replay_doors
from opilio.curation.actions.page_verdicts import judge_page
from opilio.curation.actions.patches import import_url
from opilio.curation.kinds import PAGE_VERDICT
from opilio.curation.missing_urls import web_url
from opilio.curation.queries import page_verdicts, result_pages
from opilio.curation.queries.results import result
from opilio.curation.replay_doors import Place
from opilio.curation.result_importing import Upload, Words, import_at_url, import_warcs
from opilio.curation.words import Verdict
from opilio.people.errors import InvalidFields
from opilio.works.record_filters import cursor, cursor_text

if TYPE_CHECKING:
    from opilio.curation.models import PageVerdict

router = Router(tags=["results"])
_VERDICTS = Order(name="page-verdicts", column="id")
_Url = Annotated[str, Field(min_length=1, max_length=8_000)]
_Content = Annotated[str, Field(min_length=4, max_length=150_000_000)]


class _ImportBody(Body):
    note: Note = Field(description="Why; it stays with the new result.")
    existing: Existing = Field(Existing.REPLACE, description="What becomes of resources that are there already.")
    version: Version | None = None


class ImportFileBody(_ImportBody):
    """A file that is to stand at a URL."""

    url: _Url
    content: _Content = Field(description="The file in base64; larger ones go by the page or `opilio result import`.")
    content_type: Line = Field("", description="MIME type; empty: found out.")
    name: Line = Field("", description="Name of the file, for the record.")
    at: Moment | None = Field(None, description="Time of the capture; empty: now.")


class ImportWarcBody(_ImportBody):
    """WARC files whose captures are added."""

    files: Annotated[list[_Content], Field(min_length=1, max_length=50)] = Field(description="Each in base64.")


class ImportUrlBody(_ImportBody):
    """A URL that is fetched now."""

    url: _Url
    stands_for: Annotated[str, Field(max_length=8_000)] = Field("", description="Empty: for itself.")
    embeds: Flag = Field(False, description="Whether what the page embeds comes along.")


class ResultPageAnswer(Answer):
    """A page of a result, and what reviewers said about it."""

    number: int
    url: str
    title: str
    type: str
    status: int | None
    outcome: str
    size: int
    fetched: str
    verdicts: str = Field(description="User names with their verdicts.")
    notes: str


class ResultPages(Answer):
    """A part of the pages of a result."""

    items: list[ResultPageAnswer]
    next: str | None = Field(description="Cursor of the next page; null on the last one.")
    whole: bool = Field(description="False: the look ended before the page was full, so that it stays quick; go on.")


class PageFilters(Schema):
    """Which pages are asked for."""

    q: str = Field("", max_length=2_000, description="Part of the URL or title, whatever its case.")


class VerdictBody(Body):
    """What one thinks of a page."""

    url: _Url
    verdict: Annotated[str, Field(pattern=f"^({'|'.join(Verdict.values)})?$", max_length=16)] = Field(
        "", description=f"One of {', '.join(Verdict.values)}; empty: only a note."
    )
    note: Annotated[str, Field(max_length=4_000)] = ""
    cluster: Annotated[str, Field(max_length=80)] = Field("", description="Cluster of pages that it stands for.")
    version: Version | None = None


class VerdictAnswer(Answer):
    """What a reviewer said about a page."""

    id: Id
    url: str
    verdict: str
    note: str
    cluster: str
    by: str = Field(description="User name.")
    updated: datetime.datetime
    version: int


class ReplayAnswer(Answer):
    """The way to a page of a result in replay."""

    address: str = Field(description="Opens the page in a browser; for a minute, and for you only.")
    host: str = Field(description="Host name under which this result is replayed.")
    seconds: int = Field(description="How long the address opens it.")


@router.post("/{result_id}/import", response=ResultDetail)
def import_file(
    request: ApiRequest, response: HttpResponse, result_id: Identifier, body: ImportFileBody
) -> ResultDetail:
    """Add a file that stands at a URL; the new result, which an agent makes, is answered.

    Needs ENDORSE_HARVEST on its harvest.
    """
    seen(request.auth, result_id)
    upload = _upload(body.content, body.name)
    made = import_at_url(
        request.auth, result(request.auth, result_id), upload, _words(request, body), url=body.url,
        content_type=body.content_type, at=body.at,
    )  # fmt: skip
    return shown(request.auth, made.pk, response)


@router.post("/{result_id}/import/warc", response=ResultDetail)
def import_warc_files(
    request: ApiRequest, response: HttpResponse, result_id: Identifier, body: ImportWarcBody
) -> ResultDetail:
    """Add all captures of WARC files.

    Needs ENDORSE_HARVEST on its harvest.
    """
    seen(request.auth, result_id)
    uploads = [_upload(one, f"{place}.warc.gz") for place, one in enumerate(body.files, 1)]
    made = import_warcs(request.auth, result(request.auth, result_id), uploads, _words(request, body))
    return shown(request.auth, made.pk, response)


@router.post("/{result_id}/import/url", response=ResultDetail)
def import_fetched_url(
    request: ApiRequest, response: HttpResponse, result_id: Identifier, body: ImportUrlBody
) -> ResultDetail:
    """Have an agent fetch a URL now, under the rights of the harvest.

    Needs ENDORSE_HARVEST on its harvest.
    """
    seen(request.auth, result_id)
    made = import_url(
        request.auth, result_id=result_id, url=body.url, note=body.note, stands_for=body.stands_for,
        existing=body.existing.value, embeds=body.embeds, version=body.version or matched_version(request),
    )  # fmt: skip
    return shown(request.auth, made.pk, response)


@router.get("/{result_id}/pages", response=ResultPages)
def list_result_pages(
    request: ApiRequest, result_id: Identifier, filters: Query[PageFilters], paging: Query[Paging]
) -> ResultPages:
    """List the pages of a result by number; 404 tells why its files are not here.

    Needs a privilege to work with what its agency collects.
    """
    seen(request.auth, result_id)
    after = cursor(paging.cursor, 1) or (-1,)
    row = result(request.auth, result_id)
    found = result_pages.part(request.auth, row, text=filters.q, after=after[0], most=paging.limit)
    onward = cursor_text((found.next,)) if found.next is not None else None
    items = [ResultPageAnswer(**result_pages.told(one)) for one in found.rows]
    return ResultPages(items=items, next=onward, whole=found.whole)


@router.get("/{result_id}/verdicts", response=Page[VerdictAnswer])
def list_page_verdicts(request: ApiRequest, result_id: Identifier, paging: Query[Paging]) -> Page[VerdictAnswer]:
    """List what reviewers said about pages of a result, oldest first.

    Needs a privilege to work with what its agency collects.
    """
    seen(request.auth, result_id)
    rows = page_verdicts.of_result(request.auth, result(request.auth, result_id))
    return page(rows, _VERDICTS, paging, VerdictAnswer, _verdict)


@router.put("/{result_id}/verdicts", response=VerdictAnswer)
def judge_result_page(request: ApiRequest, result_id: Identifier, body: VerdictBody) -> VerdictAnswer:
    """Say what you think of a page of a result; what you said before is replaced.

    Needs ENDORSE_HARVEST on its harvest.
    """
    seen(request.auth, result_id)
    made = judge_page(
        request.auth, result_id=result_id, url=body.url, verdict=body.verdict, note=body.note, cluster=body.cluster,
        version=body.version or matched_version(request),
    )  # fmt: skip
    return _verdict(page_verdicts.page_verdict(request.auth, made.pk))


@router.delete("/verdicts/{verdict_id}", response={204: None})
def delete_page_verdict(request: ApiRequest, verdict_id: Identifier) -> None:
    """Delete a verdict; it can be restored.

    Needs ENDORSE_HARVEST on its harvest.
    """
    page_verdicts.page_verdict(request.auth, verdict_id)
    delete(request.auth, PAGE_VERDICT, verdict_id, matched_version(request))


@router.get("/{result_id}/replay", response=ReplayAnswer)
def open_result_replay(request: ApiRequest, result_id: Identifier, url: Annotated[_Url, Query()]) -> ReplayAnswer:
    """Get an address that opens a page of a result in replay.

    Needs a privilege to work with what its agency collects.
    """
    seen(request.auth, result_id)
    with result_pages.opened(result(request.auth, result_id)):
        pass  # tells why its files are not here
    address = replay_doors.address(
        request.auth, result_id, web_url(url), Place.of(request.build_absolute_uri("/")), clock=request.auth.clock
    )
    host = replay_doors.names().name_of(result_id)
    return ReplayAnswer(address=address, host=host, seconds=replay_doors.SECONDS)


def _upload(content: str, name: str) -> Upload:
    try:
        data = base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidFields({"content": ["It is not written in base64."]}, where="result.import") from error
    return Upload(name=name, size=len(data), stream=io.BytesIO(data))


def _words(request: ApiRequest, body: _ImportBody) -> Words:
    return Words(note=body.note, existing=body.existing.value, version=body.version or matched_version(request))


def _verdict(row: "PageVerdict") -> VerdictAnswer:
    told: dict[str, Any] = {
        name: getattr(row, name) for name in ("url", "verdict", "note", "cluster", "updated", "version")
    }
    return VerdictAnswer(id=row.pk, by=row.by.username, **told)
