"""Imports from the Web Curator Tool: ask for one of a dump that lies on the server, look at it, remove the dump."""

import datetime
from typing import Any

from ninja import Query, Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line
from opilio.curation.actions import wct_import as actions
from opilio.curation.queries.wct_imports import imports
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import one

router = Router(tags=["imports"])
_ORDER = Order(name="imports", column="asked_at", newest_first=True)
_WHAT = "import from the Web Curator Tool"


class ImportAnswer(Answer):
    """An import, and what it said."""

    id: Id
    name: str = Field(description="Name of the dump.")
    dry_run: bool
    time_zone: str
    encoding: str
    state: str = Field(description="waiting, running, done or failed.")
    asked_at: datetime.datetime
    finished_at: datetime.datetime | None
    report: dict[str, Any] = Field(description="Counts for each table, and the first entries of the report.")


class ImportBody(Body):
    """Which dump is imported, and how it is read."""

    file: Line = Field(description="Name of a file or folder in the folder `imports` of the home.")
    dry_run: Flag = Field(True, description="Say what would happen, and change nothing.")
    time_zone: Line = Field("UTC", description="Zone of the times in the dump.", examples=["Pacific/Auckland"])
    encoding: Line = Field("utf-8", description="utf-8, latin-1, cp1252 or utf-16.")


@router.get("", response=Page[ImportAnswer])
def list_imports(request: ApiRequest, paging: Query[Paging]) -> Page[ImportAnswer]:
    """List imports, newest first.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, _WHAT, Privilege.CONFIGURE_PARAMETERS)
    return page(imports(request.auth), _ORDER, paging, ImportAnswer)


@router.post("", response={201: ImportAnswer})
def ask_import(request: ApiRequest, body: ImportBody) -> ImportAnswer:
    """Have a dump that lies on the server imported by an agent.

    Needs CONFIGURE_PARAMETERS.
    """
    row = actions.ask(
        request.auth, file=body.file, dry_run=body.dry_run, time_zone=body.time_zone, encoding=body.encoding
    )
    return ImportAnswer.from_orm(row)


@router.get("/{import_id}", response=ImportAnswer)
def show_import(request: ApiRequest, import_id: Identifier) -> ImportAnswer:
    """Show an import with its report.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, _WHAT, Privilege.CONFIGURE_PARAMETERS)
    return ImportAnswer.from_orm(one(imports(request.auth), "import", import_id))


@router.delete("/{import_id}/dump", response={204: None})
def discard_dump(request: ApiRequest, import_id: Identifier) -> None:
    """Remove the dump of an import from the server; what was imported stays.

    Needs CONFIGURE_PARAMETERS.
    """
    actions.discard(request.auth, import_id=import_id)
