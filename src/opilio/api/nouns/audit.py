"""The audit log: list, show, check the end of its chain."""

import datetime
from typing import Any

from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier, with_text_ids
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Line, Moment
from opilio.people.privileges import Privilege
from opilio.people.queries.chain import chain_end
from opilio.people.queries.records import audit_entries
from opilio.people.queries.visible import one

router = Router(tags=["audit"])
_ORDER = Order(name="audit", column="at", newest_first=True)
_WHAT = "read the audit log"


class AuditAnswer(Answer):
    """Who did what to which thing, when, and what changed."""

    id: Id
    at: datetime.datetime
    action: str
    subject_type: str
    subject_id: Id | None
    subject_name: str
    message: str
    user_id: Id | None = Field(description="null: the system.")
    username: str
    first_name: str
    last_name: str
    agency_id: Id | None
    agency_name: str
    before: dict[str, Any] = Field(description="Changed fields as they were.")
    after: dict[str, Any] = Field(description="Changed fields as they became.")
    correlation: str
    via: str
    address: str

    @staticmethod
    def resolve_before(row: Any) -> dict[str, Any]:
        """With identifiers as strings."""
        return with_text_ids(row.before)

    @staticmethod
    def resolve_after(row: Any) -> dict[str, Any]:
        """With identifiers as strings."""
        return with_text_ids(row.after)


class AuditFilters(Schema):
    """Which entries are listed; all that are given must hold."""

    action: Line | None = Field(None, description="The action exactly.", examples=["user.update"])
    username: Line | None = Field(None, description="Who did it, exactly.")
    subject_type: Line | None = Field(None, description="Kind of thing it was done to.", examples=["user"])
    subject_id: Identifier | None = Field(None, description="The thing itself; with subject_type.")
    agency: Identifier | None = Field(None, description="Agency that it concerns.")
    correlation: Line | None = Field(None, description="All that one request did.")
    since: Moment | None = Field(None, description="Not before this time.")
    until: Moment | None = Field(None, description="Before this time.")

    def columns(self) -> dict[str, Any]:
        """As the query takes them."""
        paths = {"agency": "agency_id", "since": "at__gte", "until": "at__lt"}
        given = {paths.get(name, name): getattr(self, name) for name in type(self).model_fields}
        return {path: value for path, value in given.items() if value is not None}


class ChainPart(Schema):
    """Which part of the chain is checked."""

    last: int = Field(1_000, ge=1, le=100_000, description="How many seals to check, from the end.")


class ChainFault(Answer):
    """One place where the chain does not hold."""

    number: int
    entry: Id
    what: str


class ChainAnswer(Answer):
    """What the end of the chain says."""

    sealed: int = Field(description="Number of the last seal.")
    unsealed: int = Field(description="Entries that wait for their seal.")
    head: str = Field(description="Digest of the last seal; note it elsewhere to prove that nothing was cut off.")
    checked: int = Field(description="How many seals were looked at.")
    faults: list[ChainFault] = Field(description="Where the chain does not hold; the first hundred.")


@router.get("", response=Page[AuditAnswer])
def list_audit(request: ApiRequest, filters: Query[AuditFilters], paging: Query[Paging]) -> Page[AuditAnswer]:
    """List audit entries of agencies whose log you may read, newest first.

    Needs VIEW_AUDIT.
    """
    need(request.auth, _WHAT, Privilege.VIEW_AUDIT)
    return page(audit_entries(request.auth).filter(**filters.columns()), _ORDER, paging, AuditAnswer)


@router.get("/chain", response=ChainAnswer)
def check_audit_chain(request: ApiRequest, part: Query[ChainPart]) -> ChainAnswer:
    """Check the last seals of the audit chain; `opilio audit verify` checks all.

    Needs VIEW_AUDIT over everything.
    """
    return ChainAnswer.from_orm(chain_end(request.auth, last=part.last))


@router.get("/{entry_id}", response=AuditAnswer)
def show_audit_entry(request: ApiRequest, entry_id: Identifier) -> AuditAnswer:
    """Show an audit entry.

    Needs VIEW_AUDIT in its agency.
    """
    need(request.auth, _WHAT, Privilege.VIEW_AUDIT)
    return AuditAnswer.from_orm(one(audit_entries(request.auth), "audit entry", entry_id))
