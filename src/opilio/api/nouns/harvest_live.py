"""A harvest as it goes: its newest sheet."""

import datetime

from ninja import Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.harvests import seen
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer
from opilio.curation.queries import harvest_live
from opilio.curation.words import HarvestState

router = Router(tags=["harvests"])


class LiveFigures(Answer):
    """Sums since the beginning."""

    urls_down: int
    urls_failed: int
    urls_waiting: int
    data_amount: int = Field(description="Bytes.")
    elapsed: int = Field(description="Seconds.")
    average_urls: float = Field(description="URLs/s.")
    average_kb: float = Field(description="kB/s.")


class LiveRates(Answer):
    """The pace of the last seconds."""

    urls: float = Field(description="URLs/s.")
    bytes: float = Field(description="Bytes/s.")


class LiveHost(Answer):
    """A host; seconds count from the moment of the sheet."""

    name: str
    due: float = Field(description="Seconds until it may be asked again.")
    resting: float = Field(description="Seconds of which because of back-off.")
    delay: float = Field(description="Seconds between two requests.")
    failures: int = Field(description="In a row.")
    errors: int
    pages: int


class LiveUrl(Answer):
    """A URL that was recorded a moment ago."""

    url: str
    whole: bool = Field(description="Whether the URL is not cut.")
    outcome: str
    reason: str
    status: int | None
    bytes: int
    ms: int
    at: float = Field(description="Seconds since 1970; 0: it was not asked for.")


class LiveLimit(Answer):
    """A limit ahead."""

    limit: str = Field(description="pages, bytes or seconds.")
    seconds: float = Field(description="Until it is reached at the present pace.")


class LivePicture(Answer):
    """A page of which a screenshot was taken."""

    url: str
    at: float = Field(description="Seconds since 1970.")


class LiveAnswer(Answer):
    """How a harvest goes. Its agent writes a new sheet about every two seconds."""

    harvest: Id
    mark: str = Field(description="Differs whenever something else does.")
    state: HarvestState
    since: datetime.datetime
    reason: str
    agent: str
    over: bool = Field(description="Whether nothing more will come.")
    written: datetime.datetime | None = Field(description="When the sheet was written; null: there is none yet.")
    at: float = Field(description="Moment of the sheet, in seconds since 1970; 0: there is none yet.")
    figures: LiveFigures | None
    rates: LiveRates
    counts: dict[str, int] = Field(description="Waiting URLs, recorded ones, bytes, seconds at work, hosts, workers.")
    outcomes: dict[str, int] = Field(description="URLs by outcome, the most frequent ones.")
    statuses: dict[str, int] = Field(description="URLs by status, the most frequent ones.")
    types: dict[str, int] = Field(description="URLs by type, the most frequent ones.")
    etas: list[LiveLimit] = Field(description="The nearest first.")
    hosts: list[LiveHost] = Field(description="Those that rest first, then those with the most errors and URLs.")
    recent: list[LiveUrl] = Field(description="The newest first.")
    log: list[str] = Field(description="Last lines of the log of the crawl, oldest first.")
    pictures: list[LivePicture]
    points: list[list[float]] = Field(
        description="The plot: end of a span in seconds since 1970, its seconds, URLs and bytes in it."
    )


@router.get("/{harvest_id}/live", response=LiveAnswer)
def show_harvest_live(request: ApiRequest, harvest_id: Identifier) -> LiveAnswer:
    """Show how a harvest goes at this moment, or how it went.

    Needs a privilege to work with what its agency collects.
    """
    found = harvest_live.live(seen(request.auth, harvest_id))
    return LiveAnswer.model_validate(found.document)
