"""API tokens: list, make, revoke. A secret is shown once, in the answer that makes it."""

import datetime

from django.conf import settings
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Moment
from opilio.people.actions import account
from opilio.people.privileges import Privilege
from opilio.people.queries import reachable
from opilio.people.queries.visible import one

router = Router(tags=["tokens"])
_ORDER = Order(name="tokens", column="created", newest_first=True)


class TokenAnswer(Answer):
    """An API token, without its secret."""

    id: Id
    name: str = Field(description="What the token is for.")
    prefix: str = Field(description="Names the token: its secret begins with opilio_ and this.")
    user: Id = Field(description="For whom it acts.", alias="user_id")
    scopes: list[str] = Field(description="Privileges that the token may use.")
    created: datetime.datetime
    expires: datetime.datetime
    last_used_at: datetime.datetime | None
    revoked_at: datetime.datetime | None


class TokenMade(TokenAnswer):
    """A new API token with its secret."""

    secret: str = Field(description="Shown this once; send it as `Authorization: Bearer …`.")


class TokenFilters(Schema):
    """Which tokens are listed."""

    user: Identifier | None = Field(None, description="Whose tokens; your own unless told. Others need MANAGE_USERS.")


class TokenNew(Body):
    """A token to be made."""

    name: str = Field(min_length=1, max_length=100, examples=["nightly report"])
    scopes: list[Privilege] = Field(
        max_length=100, description="Privileges that the token may use, of those you hold; empty: it may only read."
    )
    expires: Moment


@router.get("", response=Page[TokenAnswer])
def list_tokens(request: ApiRequest, filters: Query[TokenFilters], paging: Query[Paging]) -> Page[TokenAnswer]:
    """List API tokens, newest first: your own, or those of a user whom you manage."""
    rows = reachable.tokens(request.auth)
    rows = rows.filter(user_id=filters.user or request.auth.user or 0)
    return page(rows, _ORDER, paging, TokenAnswer)


@router.post("", response={201: TokenMade})
def create_token(request: ApiRequest, body: TokenNew) -> TokenMade:
    """Make an API token for yourself; its secret is shown this once.

    Needs MODIFY_OWN_CREDENTIALS.
    """
    token, secret = account.create_token(
        request.auth, name=body.name, scopes=[code.value for code in body.scopes], expires=body.expires,
        longest=datetime.timedelta(days=settings.OPILIO.token_max_days),
    )  # fmt: skip
    told = TokenAnswer.from_orm(token).model_dump(by_alias=True)
    return TokenMade(**told, secret=secret)


@router.post("/{token_id}/revoke", response=TokenAnswer)
def revoke_token(request: ApiRequest, token_id: Identifier) -> TokenAnswer:
    """End an API token of yours, or of a user whom you manage; it stays in the list."""
    one(reachable.tokens(request.auth), "API token", token_id)
    return TokenAnswer.from_orm(account.revoke_token(request.auth, token_id=token_id))
