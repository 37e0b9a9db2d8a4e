"""Sign-in sessions: list, revoke."""

import datetime

from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer
from opilio.people.actions.sessions import revoke_session as revoke
from opilio.people.queries.account import sign_ins
from opilio.people.queries.visible import one

router = Router(tags=["sessions"])
_ORDER = Order(name="sessions", column="signed_in_at", newest_first=True)


class SessionAnswer(Answer):
    """A sign-in session."""

    id: Id
    user: Id | None = Field(alias="user_id")
    username: str
    real_name: str
    signed_in_at: datetime.datetime
    last_seen_at: datetime.datetime
    signed_out_at: datetime.datetime | None
    duration_seconds: int | None
    ended: str = Field(description="Empty while it lasts; else signed out, expired, revoked or barred.")
    method: str = Field(description="password, ldap or oidc.")
    address: str
    user_agent: str


class SessionFilters(Schema):
    """Which sign-in sessions are listed."""

    user: Identifier | None = Field(None, description="Whose sessions.")
    open: bool | None = Field(None, description="Only those that last, or only those that ended.")


@router.get("", response=Page[SessionAnswer])
def list_sessions(request: ApiRequest, filters: Query[SessionFilters], paging: Query[Paging]) -> Page[SessionAnswer]:
    """List sign-in sessions, newest first: your own, and with MANAGE_USERS those of users whom you manage."""
    rows = sign_ins(request.auth)
    if filters.user is not None:
        rows = rows.filter(user_id=filters.user)
    if filters.open is not None:
        rows = rows.filter(ended="") if filters.open else rows.exclude(ended="")
    return page(rows, _ORDER, paging, SessionAnswer)


@router.post("/{session_id}/revoke", response=SessionAnswer)
def revoke_session(request: ApiRequest, session_id: Identifier) -> SessionAnswer:
    """End a sign-in session of yours, or of a user whom you manage; that browser must sign in again."""
    one(sign_ins(request.auth), "sign-in session", session_id)
    revoke(request.auth, sign_in_id=session_id)
    return SessionAnswer.from_orm(one(sign_ins(request.auth), "sign-in session", session_id))
