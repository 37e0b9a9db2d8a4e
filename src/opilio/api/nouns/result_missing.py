"""What a result lacks: list, name, look for, take off; the patch that fetches it, and giving that up."""

import datetime
from typing import TYPE_CHECKING, Annotated, Any

from django.db.models import QuerySet
from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.result_schemas import ResultDetail
from opilio.api.nouns.results import seen, shown
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Version
from opilio.api.versions import matched_version
from opilio.archive.results.deriving import Existing
from opilio.curation.actions.missing_urls import Taken, add_missing, wait_again
from opilio.curation.actions.patches import begin_patch, end_patch
from opilio.curation.kinds import MISSING_URL
from opilio.curation.missing_finding import find_missing
from opilio.curation.queries import missing_urls
from opilio.curation.queries.results import result
from opilio.curation.words import MissingFrom, PatchState

if TYPE_CHECKING:
    from opilio.curation.models import MissingUrl

router = Router(tags=["results"])
_ORDER = Order(name="missing-urls", column="id")
Note = Annotated[str, Field(max_length=32_000)]


class MissingFilters(Schema):
    """Which of them are asked for; empty ones admit everything."""

    q: str = Field("", max_length=2_000, description="Part of the URL, whatever its case.")
    state: PatchState | None = None
    noticed: MissingFrom | None = None


class MissingAnswer(Answer):
    """A URL that a result lacks."""

    id: Id
    url: str
    page: str = Field(description="Page that needs it; empty: not known.")
    noticed: str
    state: str
    outcome: str
    patched_in: int | None = Field(description="Number of the result that has it, or is to have it.")
    created: datetime.datetime
    version: int


class MissingBody(Body):
    """URLs that a result lacks."""

    text: Annotated[str, Field(min_length=1, max_length=2_000_000)] = Field(
        description="One URL on each line, or a CSV table with the columns url and page."
    )


class LookBody(Body):
    """What is to be looked for."""

    what: Annotated[str, Field(pattern="^(embed|sitemap)$", max_length=8)] = Field(
        description="embed: what pages embed and the result has not; sitemap: what its sitemaps name."
    )


class BadMissingAnswer(Answer):
    """A line that names no URL."""

    line: int
    text: str
    reason: str


class TakenAnswer(Answer):
    """What became of URLs that were to go on the list."""

    added: int
    known: int = Field(description="Stood there already.")
    faults: list[BadMissingAnswer]


class LookedAnswer(TakenAnswer):
    """What a look found."""

    pages: int = Field(description="That were looked at.")
    whole: bool = Field(description="False: the look ended early, so that it stays quick.")


class PatchBody(Body):
    """What is fetched into a new result, and how."""

    note: Note = Field(description="Why; it stays with the new result.")
    missing: list[Identifier] = Field([], max_length=5_000, description="Missing URLs; empty: all that wait.")
    existing: Existing = Field(Existing.IF_FAILED, description="What becomes of resources that are there already.")
    embeds: Flag = Field(True, description="Whether what fetched pages embed comes along.")
    version: Version | None = None


class EndPatchBody(Body):
    """Why a patch is given up."""

    reason: Annotated[str, Field(max_length=4_000)] = ""


@router.get("/{result_id}/missing", response=Page[MissingAnswer])
def list_missing_urls(
    request: ApiRequest, result_id: Identifier, filters: Query[MissingFilters], paging: Query[Paging]
) -> Page[MissingAnswer]:
    """List what a result lacks, oldest first.

    Needs a privilege to work with what its agency collects.
    """
    seen(request.auth, result_id)
    rows = missing_urls.of_result(request.auth, result(request.auth, result_id))
    return page(_narrowed(rows, filters), _ORDER, paging, MissingAnswer)


@router.post("/{result_id}/missing", response=TakenAnswer)
def add_missing_urls(request: ApiRequest, result_id: Identifier, body: MissingBody) -> TakenAnswer:
    """Name URLs that a result lacks; lines that name none are told, the others are taken.

    Needs ENDORSE_HARVEST on its harvest.
    """
    seen(request.auth, result_id)
    return TakenAnswer(**_told(add_missing(request.auth, result_id=result_id, text=body.text)))


@router.post("/{result_id}/missing/find", response=LookedAnswer)
def find_missing_urls(request: ApiRequest, result_id: Identifier, body: LookBody) -> LookedAnswer:
    """Look through the pages of a result for what they need and it has not.

    Needs ENDORSE_HARVEST on its harvest.
    """
    seen(request.auth, result_id)
    found = find_missing(request.auth, result(request.auth, result_id), body.what)
    return LookedAnswer(**_told(found.taken), pages=found.pages, whole=found.whole)


@router.post("/missing/{missing_id}/again", response=MissingAnswer)
def wait_for_missing_url(request: ApiRequest, missing_id: Identifier) -> MissingAnswer:
    """Let a URL that could not be fetched wait for the next patch.

    Needs ENDORSE_HARVEST on its harvest.
    """
    missing_urls.missing_url(request.auth, missing_id)
    return MissingAnswer.from_orm(wait_again(request.auth, missing_id=missing_id))


@router.delete("/missing/{missing_id}", response={204: None})
def delete_missing_url(request: ApiRequest, missing_id: Identifier) -> None:
    """Take a URL off the list; it can be restored.

    Needs ENDORSE_HARVEST on its harvest.
    """
    missing_urls.missing_url(request.auth, missing_id)
    delete(request.auth, MISSING_URL, missing_id, matched_version(request))


@router.post("/{result_id}/patch", response=ResultDetail)
def patch_one_result(
    request: ApiRequest, response: HttpResponse, result_id: Identifier, body: PatchBody
) -> ResultDetail:
    """Have an agent fetch what a result lacks into a new one, which is answered; 409 while that is not possible.

    Needs ENDORSE_HARVEST on its harvest.
    """
    seen(request.auth, result_id)
    made = begin_patch(
        request.auth, result_id=result_id, note=body.note, missing_ids=body.missing, existing=body.existing.value,
        embeds=body.embeds, version=body.version or matched_version(request),
    )  # fmt: skip
    return shown(request.auth, made.pk, response)


@router.post("/{result_id}/patch/end", response=ResultDetail)
def end_one_patch(
    request: ApiRequest, response: HttpResponse, result_id: Identifier, body: EndPatchBody
) -> ResultDetail:
    """Give up the patch that makes a result; what it fetched is not kept.

    Needs ENDORSE_HARVEST on its harvest.
    """
    seen(request.auth, result_id)
    end_patch(request.auth, result_id=result_id, reason=body.reason)
    return shown(request.auth, result_id, response)


def _narrowed(rows: "QuerySet[MissingUrl]", filters: MissingFilters) -> "QuerySet[MissingUrl]":
    exact = {"state": filters.state, "noticed": filters.noticed}
    rows = rows.filter(**{name: value for name, value in exact.items() if value is not None})
    return rows.filter(url__icontains=filters.q) if filters.q else rows


def _told(taken: Taken) -> dict[str, Any]:
    faults = [BadMissingAnswer(line=one.line, text=one.text, reason=one.reason) for one in taken.faults]
    return {"added": taken.added, "known": taken.known, "faults": faults}
