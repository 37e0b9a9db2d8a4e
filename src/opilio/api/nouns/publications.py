"""Publications of the public index: list, show, start."""

import datetime
from typing import Any, Literal

from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer
from opilio.curation.actions.publications import start_publication as start
from opilio.curation.queries import publications as query
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

router = Router(tags=["publications"])
_ORDER = Order(name="publications", column="begun_at", newest_first=True)
StepWord = Literal["waiting", "building", "publishing", "done", "failed"]


class PublishedNode(Answer):
    """What a node said to the generation."""

    node: str
    role: str
    outcome: str
    error: str


class LeftOut(Answer):
    """An endorsed result that could not be read."""

    harvest: Id
    why: str


class PublicationAnswer(Answer):
    """A build and publication of the public index."""

    id: Id
    state: str = Field(description="waiting, building, publishing, done or failed.")
    by: str
    begun_at: datetime.datetime
    ended_at: datetime.datetime | None
    generation: str = Field(description="Empty: none was built yet.")
    results: int = Field(description="Endorsed results in it.")
    added: int = Field(description="Harvests that the publication before did not hold.")
    dropped: int = Field(description="Harvests that it does not hold any more.")
    documents: int = Field(description="Pages that can be found, as far as rules of access let readers.")
    nodes: list[PublishedNode]
    left_out: list[LeftOut]
    failure: str = Field(description="Empty: every node serves it.")

    @staticmethod
    def resolve_documents(row: Any) -> int:
        """Pages of the generation."""
        return int(row.details.get("documents", 0))

    @staticmethod
    def resolve_nodes(row: Any) -> list[dict[str, str]]:
        """What the nodes said."""
        return list(row.details.get("nodes", []))

    @staticmethod
    def resolve_left_out(row: Any) -> list[dict[str, str]]:
        """What could not be read."""
        return list(row.details.get("left_out", []))


class PublicationFilters(Schema):
    """Which publications are listed."""

    state: StepWord | None = None


class OutlookAnswer(Answer):
    """What the next publication would bring."""

    results: int = Field(description="Endorsed results.")
    added: list[Id] = Field(description="Harvests that the last publication does not hold.")
    dropped: list[Id] = Field(description="Harvests that leave with the next one.")
    running: Id | None = Field(description="Publication that is under way.")


@router.get("", response=Page[PublicationAnswer])
def list_publications(
    request: ApiRequest, filters: Query[PublicationFilters], paging: Query[Paging]
) -> Page[PublicationAnswer]:
    """List publications, the newest first.

    Needs PUBLISH_INDEX.
    """
    _see(request.auth)
    rows = query.publications(request.auth)
    if filters.state is not None:
        rows = rows.filter(state=filters.state)
    return page(rows, _ORDER, paging, PublicationAnswer)


@router.post("", response={201: PublicationAnswer})
def start_publication(request: ApiRequest) -> PublicationAnswer:
    """Publish what is endorsed: an agent builds the next generation and lets all nodes serve it.

    Needs PUBLISH_INDEX.
    """
    return PublicationAnswer.from_orm(start(request.auth))


@router.get("/next", response=OutlookAnswer)
def show_next_publication(request: ApiRequest) -> OutlookAnswer:
    """Show what the next publication would bring.

    Needs PUBLISH_INDEX.
    """
    _see(request.auth)
    return OutlookAnswer.from_orm(query.outlook(request.auth))


@router.get("/{publication_id}", response=PublicationAnswer)
def show_publication(request: ApiRequest, publication_id: Identifier) -> PublicationAnswer:
    """Show a publication: what it holds, what was left out, what the nodes said.

    Needs PUBLISH_INDEX.
    """
    _see(request.auth)
    return PublicationAnswer.from_orm(query.publication(request.auth, publication_id))


def _see(actor: Actor) -> None:
    need(actor, "see publications", Privilege.PUBLISH_INDEX)
