"""`opilio token`: API tokens of a user."""

from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator, settings
from opilio.cli.command import noun_app
from opilio.cli.lookups import user_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.kernel import logs
from opilio.kernel.clock import SYSTEM
from opilio.people.actions.account import create_token, revoke_token
from opilio.people.actor import Actor, Via
from opilio.people.errors import NotAllowed
from opilio.people.queries.account import actor_for, own_tokens

app = noun_app("Make, list and revoke API tokens of a user.")
_USER = Annotated[str, typer.Argument(metavar="USER", help="User name.", show_default=False)]


@catalogue_command(app, "list")
def list_tokens(username: _USER) -> Answer:
    """List the API tokens of a user; their secrets are not kept and cannot be shown."""
    found = [_told(row) for row in own_tokens(_named(username))]
    rows = [(one["name"], one["prefix"], one["state"], one["expires"], one["scopes"], one["id"]) for one in found]
    columns = ("name", "prefix", "state", "expires", "scopes", "id")
    return Answer(document={"tokens": found}, parts=[Rows(columns=columns, rows=rows, empty="No token yet.")])


@catalogue_command(app, "create")
def create(
    username: _USER,
    name: Annotated[str, typer.Option(help="What the token is for.", show_default=False)],
    scope: Annotated[list[str] | None, typer.Option(help="A privilege the token may use; repeatable.")] = None,
    days: Annotated[int, typer.Option(help="Days until it expires.", min=1)] = 90,
) -> Answer:
    """Make an API token for a user, within the user's own privileges; the secret is shown this once."""
    now = SYSTEM.now()
    token, secret = create_token(
        _acting(username), name=name, scopes=scope or [], expires=now + timedelta(days=days),
        longest=timedelta(days=settings().token_max_days),
    )  # fmt: skip
    document = {**_told(token), "secret": secret}
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


@catalogue_command(app, "revoke")
def revoke(
    identifier: Annotated[
        int, typer.Argument(metavar="ID", help="Identifier of the token.", min=1, max=2**63 - 1, show_default=False)
    ],
) -> Answer:
    """End an API token at once."""
    token = revoke_token(operator(), token_id=identifier)
    return Answer(document=_told(token), parts=[f"Revoked the API token {token.name} of {token.user}."])


def _named(username: str) -> Actor:
    """The user as the owner of things; what a barred user owns is listed too."""
    user = user_named(operator(), username)
    return replace(operator(), user=user.id, username=user.username)


def _acting(username: str) -> Actor:
    user = user_named(operator(), username)
    actor = actor_for(user.id, via=Via.CLI, correlation=logs.correlation() or "")
    if actor is None:
        raise NotAllowed(
            f"{user.username} may not sign in, so a token would be of no use",
            where="token create",
            remedy=f"Activate the user, or give a role with LOGIN: `opilio user show {user.username}`.",
        )
    return actor


def _told(row: Any) -> dict[str, Any]:
    now = SYSTEM.now()
    state = "revoked" if row.revoked_at else "expired" if row.expires <= now else "good"
    return {
        "id": str(row.id),
        "name": row.name,
        "prefix": row.prefix,
        "state": state,
        "scopes": list(row.scopes),
        "created": row.created,
        "expires": row.expires,
        "last_used": row.last_used_at,
    }
