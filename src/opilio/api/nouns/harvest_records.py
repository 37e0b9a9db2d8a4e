"""What a harvest collected and what it has before it, the story of one URL, and the order that moves URLs."""

from typing import Annotated, Any, Literal

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Identifier
from opilio.api.nouns.harvest_schemas import HarvestAnswer, Pattern
from opilio.api.nouns.harvests import seen, shown
from opilio.api.paging import Paging
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Line
from opilio.crawl.outcomes import Outcome
from opilio.curation.actions.harvest_orders import order_priority
from opilio.curation.queries import harvest_records as query
from opilio.works.record_filters import cursor, cursor_text, wanted

router = Router(tags=["harvests"])
_Text = Annotated[str, Field(max_length=2_000)]
_STATUS = "^([1-9]xx|[1-9][0-9][0-9])?$"


class RecordFilters(Schema):
    """Which resources are asked for; empty ones admit everything."""

    q: _Text = Field("", description="Part of the URL, whatever its case.")
    status: str = Field("", pattern=_STATUS, max_length=3, description="A status such as 404, or a class such as 4xx.")
    outcome: Outcome | Literal[""] = Field("", description="What became of the URL.")
    type: Line = Field("", description="Type as Opilio names it, such as html.")
    host: Line = Field("", description="Host, with the port where it is unusual.")


class WaitingFilters(Schema):
    """Which of the URLs that wait are asked for; empty ones admit everything."""

    q: _Text = Field("", description="Part of the URL, whatever its case.")
    host: Line = Field("", description="Host, with the port where it is unusual.")


class CollectedResource(Answer):
    """A URL of a harvest with its outcome, and where its record lies."""

    number: int
    url: str
    host: str
    outcome: str = Field(description="Empty: its record was lost, and it is fetched again.")
    reason: str
    status: int | None
    type: str
    size: int = Field(description="Bytes of the payload.")
    depth: int
    fetched: str | None
    warc_file: str = Field(description="Empty: nothing was kept.")
    offset: int | None
    length: int | None = Field(description="Bytes of the record in its file.")
    compressed: bool
    digest: str
    title: str


class WaitingAnswer(Answer):
    """A URL that waits for its turn."""

    url: str
    host: str
    depth: int
    embed: bool = Field(description="Whether it is a part of a page.")
    priority: int = Field(description="Smaller ones come first; pages have 0 unless they were moved.")
    tries: int
    not_before: str | None
    found_on: str = Field(description="Page that led there; empty: a seed.")


class ResourcePage(Answer):
    """A part of the resources."""

    items: list[CollectedResource]
    next: str | None = Field(description="Cursor of the next page; null on the last one.")
    whole: bool = Field(description="False: the look ended before the page was full, so that it stays quick; go on.")
    sealed: bool = Field(description="Whether the list will change no more.")
    outcomes: dict[str, int] = Field(description="How many resources of the harvest have each outcome, unfiltered.")


class WaitingPage(Answer):
    """A part of the queue."""

    items: list[WaitingAnswer]
    next: str | None = Field(description="Cursor of the next page; null on the last one.")
    whole: bool = Field(description="False: the look ended before the page was full, so that it stays quick; go on.")
    sealed: bool = Field(description="Whether the harvest ended; then nothing waits.")


class StoryAnswer(Answer):
    """All that is known about one URL of a harvest."""

    url: str
    state: str
    facts: dict[str, Any] = Field(description="Whatever else is known, such as outcome, status, ways and parents.")


class PriorityBody(Body):
    """What is to come sooner or later."""

    priority: Annotated[int, Field(strict=True, ge=-30_000, le=30_000)] = Field(
        description="Below 0: before the others of their host; above 0: after them; 0: as usual."
    )
    patterns: list[Pattern] = Field([], max_length=500, description="Expressions in RE2's syntax.")
    urls: list[Pattern] = Field([], max_length=500, description="Each matched exactly.")
    hosts: list[Pattern] = Field([], max_length=500, description="Hosts, with the port where it is unusual.")


@router.get("/{harvest_id}/resources", response=ResourcePage)
def list_harvest_resources(
    request: ApiRequest, harvest_id: Identifier, filters: Query[RecordFilters], paging: Query[Paging]
) -> ResourcePage:
    """List what a harvest collected, by number; 404 tells why there is nothing yet, or not on this machine.

    Needs a privilege to work with what its agency collects.
    """
    chosen = wanted(
        text=filters.q, status=filters.status, outcome=filters.outcome, type_=filters.type, host=filters.host
    )
    with query.opened(seen(request.auth, harvest_id)) as records:
        part, outcomes = records.resources(chosen, cursor(paging.cursor, 1), paging.limit), records.outcomes()
    return ResourcePage(
        outcomes=outcomes,
        items=[CollectedResource(**query.resource(one)) for one in part.rows], whole=part.whole, sealed=records.sealed,
        next=cursor_text(part.next) if part.next else None,
    )  # fmt: skip


@router.get("/{harvest_id}/queue", response=WaitingPage)
def list_harvest_queue(
    request: ApiRequest, harvest_id: Identifier, filters: Query[WaitingFilters], paging: Query[Paging]
) -> WaitingPage:
    """List what waits in a harvest, by host, in the order in which each host is asked for it.

    Needs a privilege to work with what its agency collects.
    """
    chosen = wanted(text=filters.q, host=filters.host)
    with query.opened(seen(request.auth, harvest_id)) as records:
        part = records.waiting(chosen, cursor(paging.cursor, 4), paging.limit)
    return WaitingPage(
        items=[WaitingAnswer(**query.waiting(one)) for one in part.rows], whole=part.whole, sealed=records.sealed,
        next=cursor_text(part.next) if part.next else None,
    )  # fmt: skip


@router.get("/{harvest_id}/story", response=StoryAnswer)
def show_harvest_story(
    request: ApiRequest, harvest_id: Identifier, url: Annotated[str, Query(min_length=1, max_length=8_000)]
) -> StoryAnswer:
    """Tell the story of one URL: how it was reached, what was decided and why, where its record lies.

    Needs a privilege to work with what its agency collects.
    """
    told = query.story(seen(request.auth, harvest_id), url)
    facts = {name: value for name, value in told.items() if name not in ("url", "state")}
    return StoryAnswer(url=told["url"], state=told["state"], facts=facts)


@router.post("/{harvest_id}/priority", response=HarvestAnswer)
def prioritise_in_harvest(
    request: ApiRequest, response: HttpResponse, harvest_id: Identifier, body: PriorityBody
) -> HarvestAnswer:
    """Move URLs of a running harvest ahead or back; what is found later keeps to it too.

    Needs MANAGE_TARGET_INSTANCES or MANAGE_WEB_HARVESTER on it.
    """
    seen(request.auth, harvest_id)
    order_priority(
        request.auth, harvest_id=harvest_id, priority=body.priority, patterns=tuple(body.patterns),
        urls=tuple(body.urls), hosts=tuple(body.hosts),
    )  # fmt: skip
    return shown(request.auth, harvest_id, response)
