"""The data of a harvest: what a purge would remove, and have it removed."""

import datetime

from ninja import Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer
from opilio.curation.actions.purge import purge_harvest
from opilio.curation.queries import purging
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

router = Router(tags=["harvests"])


class PurgeAnswer(Answer):
    """What a purge removes, and what stands against it."""

    harvest: Id
    purged: bool
    purged_at: datetime.datetime | None
    allowed: bool = Field(description="Whether an agent would remove it now.")
    due: datetime.datetime | None = Field(description="When its days are over.")
    why_not: str
    files: int = Field(description="On this machine.")
    bytes: int
    needed_by: list[str] = Field(description="Harvests that refer to its captures.")


@router.get("/{harvest_id}/purge", response=PurgeAnswer)
def show_purge(request: ApiRequest, harvest_id: Identifier) -> PurgeAnswer:
    """Show what a purge of a harvest would remove.

    Needs PURGE in its agency.
    """
    return _shown(request.auth, harvest_id)


@router.post("/{harvest_id}/purge", response={202: PurgeAnswer})
def order_purge(request: ApiRequest, harvest_id: Identifier) -> PurgeAnswer:
    """Have the data of a harvest removed that need not be kept; an agent that has it does so.

    Needs PURGE in its agency.
    """
    found = _shown(request.auth, harvest_id)
    purge_harvest(request.auth, harvest_id=harvest_id)
    return found


def _shown(actor: Actor, harvest_id: int) -> PurgeAnswer:
    need(actor, "purge harvests", Privilege.PURGE)
    row = purging.of_asker(actor, harvest_id)
    found = purging.preview(actor, row)
    return PurgeAnswer(
        harvest=str(row.pk), purged=row.purged, purged_at=row.purged_at, allowed=found.allowed,
        due=found.judgement.due, why_not=found.why_not, files=found.files, bytes=found.bytes,
        needed_by=list(found.needed_by),
    )  # fmt: skip
