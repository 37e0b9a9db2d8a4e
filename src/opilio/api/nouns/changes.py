"""What harvests found changed, and how often the pages of targets change."""

import datetime
from typing import Annotated

from ninja import Query, Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.nouns.groups import seen as seen_group
from opilio.api.nouns.harvests import seen
from opilio.api.nouns.targets import seen as seen_target
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer
from opilio.curation import change_words as words
from opilio.curation.queries import harvest_changes as query
from opilio.people.errors import NotFound

router = Router(tags=["harvests"])
target_router = Router(tags=["targets"])
group_router = Router(tags=["groups"])
_Text = Annotated[str, Query(max_length=500, description="Only URLs that contain this.")]
_Limit = Annotated[int, Query(ge=1, le=1_000, description="How many at most.")]
_Offset = Annotated[int, Query(ge=0, le=100_000_000, description="How many to leave out first.")]


class HarvestChangesAnswer(Answer):
    """What a harvest found changed since the one before."""

    harvest: Id
    began: datetime.datetime
    since: Id | None = Field(description="The harvest before; null: it is the first that was counted.")
    days: float = Field(description="Between the two.")
    not_modified: int = Field(description="Pages of which the server said so.")
    same: int = Field(description="Pages that were fetched again and are the same.")
    changed: int
    new: int
    gone: int = Field(description="Pages that are gone, or to which nothing leads any more.")
    checked: int = Field(description="Pages that were there both times.")
    share: float | None = Field(description="The part of these that changed.")


class ChangeRateAnswer(Answer):
    """Changes a day of one page, with the interval in which it lies with a probability of 95 per cent."""

    per_day: float
    low: float
    high: float | None = Field(description="Null: it cannot be said how high.")
    checks: int
    changes: int


class FrequencySuggestion(Answer):
    """How often to harvest so that no more than a fifth of the pages has changed in between."""

    days: int
    name: str
    exact: float | None = Field(description="Days until a fifth has changed; null: never.")
    least: float | None = Field(description="The same at the highest rate of the interval.")
    most: float | None = Field(description="The same at its lowest rate.")


class TargetChangesAnswer(Answer):
    """How the pages of a target change."""

    comparisons: int = Field(description="Harvests that could be compared with the one before.")
    rate: ChangeRateAnswer | None = Field(description="Null: not enough evidence.")
    suggestion: FrequencySuggestion | None
    scheduled: float | None = Field(description="Days between harvests as they are scheduled; null: none is.")
    verdict: str
    harvests: list[HarvestChangesAnswer] = Field(description="The newest first.")


class PageChangesAnswer(Answer):
    """What is known of one page over all harvests of its target."""

    url: str
    present: bool = Field(description="Whether it was there in the last harvest that could tell.")
    first: datetime.datetime
    last: datetime.datetime
    changed: datetime.datetime | None = Field(description="When a change was seen last.")
    checks: int
    changes: int
    rate: ChangeRateAnswer | None = Field(description="Null: not enough evidence.")


@router.get("/{harvest_id}/changes", response=HarvestChangesAnswer)
def show_harvest_changes(request: ApiRequest, harvest_id: Identifier) -> HarvestChangesAnswer:
    """Show what a harvest found changed; 404 before it ended.

    Needs a privilege to work with what its agency collects.
    """
    found = query.found_by(seen(request.auth, harvest_id))
    if found is None:
        remedy = "It is counted when the harvest ends; count anew: opilio harvest changes --rebuild."
        raise NotFound(f"What harvest {harvest_id} found changed is not counted", remedy=remedy)
    return HarvestChangesAnswer.model_validate(words.found_told(found))


@target_router.get("/{target_id}/changes", response=TargetChangesAnswer)
def show_target_changes(request: ApiRequest, target_id: Identifier) -> TargetChangesAnswer:
    """Show how often the pages of a target change, and how often to harvest it therefore.

    Needs a role that lets you work with targets of its agency.
    """
    evidence = query.evidence(request.auth, seen_target(request.auth, target_id))
    return TargetChangesAnswer.model_validate(words.evidence_told(evidence))


@target_router.get("/{target_id}/changes/pages", response=list[PageChangesAnswer])
def list_changing_pages(
    request: ApiRequest, target_id: Identifier, q: _Text = "", limit: _Limit = 100, offset: _Offset = 0
) -> list[PageChangesAnswer]:
    """List the pages of a target, those that changed most often first; 404 where their history is not on this machine.

    Needs a role that lets you work with targets of its agency.
    """
    found = query.pages(seen_target(request.auth, target_id), text=q, limit=limit, offset=offset)
    return [PageChangesAnswer.model_validate(words.page_told(one)) for one in found]


@group_router.get("/{group_id}/changes", response=TargetChangesAnswer)
def show_group_changes(request: ApiRequest, group_id: Identifier) -> TargetChangesAnswer:
    """Show how often the pages of a group that is harvested as one change, and how often to harvest it therefore.

    Needs a role that lets you work with groups of its agency.
    """
    evidence = query.evidence(request.auth, seen_group(request.auth, group_id))
    return TargetChangesAnswer.model_validate(words.evidence_told(evidence))


@group_router.get("/{group_id}/changes/pages", response=list[PageChangesAnswer])
def list_changing_pages_of_group(
    request: ApiRequest, group_id: Identifier, q: _Text = "", limit: _Limit = 100, offset: _Offset = 0
) -> list[PageChangesAnswer]:
    """List the pages of a group's harvests, those that changed most often first; 404 where their history is elsewhere.

    Needs a role that lets you work with groups of its agency.
    """
    found = query.pages(seen_group(request.auth, group_id), text=q, limit=limit, offset=offset)
    return [PageChangesAnswer.model_validate(words.page_told(one)) for one in found]
