"""WARC files for partners, as the Web Archiving Systems API lists them (WASAPI), and the files themselves."""

import datetime
from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from ninja import Path, Query, Router, Schema
from pydantic import Field

from opilio.api.downloads import download
from opilio.api.identifiers import Identifier
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Line
from opilio.archive.packing.wasapi import MOST, PAGE_SIZE, query_of, webdata
from opilio.curation.queries import webdata as query
from opilio.people.privileges import Privilege

router = Router(tags=["wasapi"])
_KIND = "application/warc"
_BYTES = {"content": {_KIND: {"schema": {"type": "string", "format": "binary"}}}}
_TIME = "A day or a time, such as 2026-01-31 or 2026-01-31T12:00:00Z; half-open, the first moment included."


class WebDataFilters(Schema):
    """Which files are asked for; empty ones admit everything."""

    filename: Line = Field("", description="Name of the file; * and ? stand for anything.")
    filetype: Line = Field("", description="Ignored: all are WARC files.")
    collection: list[Line] = Field([], description="Target or group; may be given several times.")
    crawl: Line = Field("", description="Harvest.")
    crawl_time_after: Line = Field("", alias="crawl-time-after", description=_TIME)
    crawl_time_before: Line = Field("", alias="crawl-time-before", description=_TIME)
    crawl_start_after: Line = Field("", alias="crawl-start-after", description=_TIME)
    crawl_start_before: Line = Field("", alias="crawl-start-before", description=_TIME)
    page: int = Field(1, ge=1, le=1_000_000_000)
    page_size: int = Field(PAGE_SIZE, ge=1, le=MOST)


class WebDataFile(Answer):
    """A WARC file; what is not known is left out."""

    filename: str
    filetype: str
    size: int = Field(description="Bytes.")
    checksums: dict[str, str] = Field(description="Hex, by algorithm.")
    locations: list[str] = Field(description="Where it can be fetched, with the same token.")
    account: str = Field("", description="Agency.")
    collection: str = Field("", description="Target or group.")
    crawl: str = Field("", description="Harvest.")
    crawl_time: datetime.datetime | None = Field(None, alias="crawl-time", description="When the file was begun.")
    crawl_start: datetime.datetime | None = Field(None, alias="crawl-start", description="When the harvest began.")
    store_time: datetime.datetime | None = Field(None, alias="store-time", description="When it was complete.")


class WebDataAnswer(Answer):
    """A page of the list."""

    count: int = Field(description="Files in all.")
    next: str | None
    previous: str | None
    request_url: str = Field(alias="request-url")
    includes_extra: bool = Field(alias="includes-extra")
    files: list[WebDataFile]


@router.get("/webdata", response=WebDataAnswer, by_alias=True, exclude_unset=True)
def list_webdata(request: ApiRequest, filters: Query[WebDataFilters]) -> dict[str, Any]:
    """List the WARC files of endorsed results in the form of WASAPI, for partners that fetch them.

    Needs ARCHIVE_HARVEST on the harvests.
    """
    need(request.auth, "list files for partners", Privilege.ARCHIVE_HARVEST)
    asked = query_of(_pairs(request))

    def address(row: Any) -> str:
        return request.build_absolute_uri(reverse("api:fetch_webdata", args=(row.pk, row.name)))

    return webdata(query.offered(request.auth, asked, address), asked, request.build_absolute_uri())


@router.get(
    "/files/{file_id}/{name}",
    response={200: None},
    openapi_extra={
        "responses": {
            200: {"description": "The file.", **_BYTES},
            206: {"description": "The part that Range asks for.", **_BYTES},
            416: {"description": "The range lies behind the end of the file.", **_BYTES},
        }
    },
)
def fetch_webdata(request: ApiRequest, file_id: Identifier, name: Path[Line]) -> HttpResponse | StreamingHttpResponse:
    """Fetch a WARC file, or a range of it; the name is for whoever keeps the file.

    Needs ARCHIVE_HARVEST on its harvest.
    """
    need(request.auth, "fetch files for partners", Privilege.ARCHIVE_HARVEST)
    row, path = query.fetched(request.auth, file_id)
    return download(request, path, kind=_KIND, tag=row.digest)


def _pairs(request: ApiRequest) -> Iterator[tuple[str, str]]:
    """The parameters as they were sent, without empty ones."""
    for name, values in request.GET.lists():
        yield from ((name, str(value)) for value in values if value)
