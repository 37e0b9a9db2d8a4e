"""Readings of kept files: list, show, and have a harvest read."""

import datetime
from typing import Any

from ninja import Query, Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body
from opilio.curation.actions.fixity import order_check
from opilio.curation.queries import fixity as queries
from opilio.curation.queries import harvests

router = Router(tags=["fixity"])
_ORDER = Order(name="fixity", column="id", newest_first=True)


class DamageAnswer(Answer):
    """A file that was not as it should be."""

    name: str
    what: str
    repaired: bool
    how: str


class FixityAnswer(Answer):
    """A reading of one copy of a harvest."""

    id: Id
    harvest: Id
    place: str = Field(description="Which copy was read.")
    begun_at: datetime.datetime
    ended_at: datetime.datetime | None
    files: int
    bytes: int
    damaged: int
    repaired: int
    details: list[DamageAnswer]
    failure: str

    @staticmethod
    def resolve_harvest(row: Any) -> str:
        """Its identifier."""
        return str(row.harvest_id)


class FixityOrder(Body):
    """A harvest to be read."""

    harvest: Identifier


class FixityOrdered(Answer):
    """The harvest that is read."""

    harvest: Id


@router.get("", response=Page[FixityAnswer])
def list_fixity_checks(request: ApiRequest, paging: Query[Paging], damaged: bool = False) -> Page[FixityAnswer]:
    """List the readings of kept files, the newest first; with `damaged`, those that found damage.

    Needs a privilege that lets you see harvests.
    """
    rows = queries.checks(request.auth)
    return page(rows.filter(damaged__gt=0) if damaged else rows, _ORDER, paging, FixityAnswer)


@router.post("", response={202: FixityOrdered})
def order_fixity_check(request: ApiRequest, body: FixityOrder) -> FixityOrdered:
    """Have the kept files of a harvest read; an agent that has them does so.

    Needs ARCHIVE_HARVEST on it.
    """
    row = harvests.harvest(request.auth, body.harvest)
    order_check(request.auth, harvest_id=row.pk)
    return FixityOrdered(harvest=str(row.pk))


@router.get("/{check_id}", response=FixityAnswer)
def show_fixity_check(request: ApiRequest, check_id: Identifier) -> FixityAnswer:
    """Show a reading.

    Needs a privilege that lets you see harvests.
    """
    return FixityAnswer.from_orm(queries.check(request.auth, check_id))
