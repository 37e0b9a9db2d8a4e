"""Who the asker is, and what the asker may do."""

from django.http import HttpResponse
from ninja import Router
from pydantic import Field

from opilio.api.identifiers import Id
from opilio.api.nouns.users import Details, Switches
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Line, Named, Paragraph, Version
from opilio.api.versions import base_version, tag
from opilio.people.actions.account import update_account
from opilio.people.actor import Actor
from opilio.people.queries.account import own_user

router = Router(tags=["me"])


class GrantAnswer(Answer):
    """A privilege that the asker holds, and how far it reaches."""

    privilege: str = Field(examples=["MANAGE_USERS"])
    scope: str = Field(description="all, agency, owner or none.", examples=["agency"])
    agency: Id = Field(description="Agency of the role that grants it.")


class MeAnswer(Details, Switches):
    """The asker."""

    id: Id
    username: str
    language: str = Field(description="Language of the pages; empty means as the browser asks.", examples=["de"])
    agency: Named
    version: int
    grants: list[GrantAnswer] = Field(description="What the roles allow, cut down to the scopes of the token.")


class MeChange(Body):
    """Fields to change; those left out stay as they are."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    first_name: Line | None = None
    last_name: Line | None = None
    title: Line | None = None
    email: Line | None = None
    phone: Line | None = None
    address: Paragraph | None = None
    tasks_by_email: Flag | None = None
    notifications_by_email: Flag | None = None
    notify_on_general: Flag | None = None
    notify_on_warnings: Flag | None = None
    time_zone: Line | None = None
    language: Line | None = Field(None, description="Empty: as the browser asks.", examples=["de"])


@router.get("", response=MeAnswer)
def show_me(request: ApiRequest, response: HttpResponse) -> MeAnswer:
    """Show who you are and what you may do."""
    return _answer(request.auth, response)


@router.patch("", response=MeAnswer)
def change_me(request: ApiRequest, response: HttpResponse, body: MeChange) -> MeAnswer:
    """Change your own details.

    Needs MODIFY_OWN_CREDENTIALS.
    """
    update_account(request.auth, version=base_version(request, body.version), **body.changes())
    return _answer(request.auth, response)


def _answer(actor: Actor, response: HttpResponse) -> MeAnswer:
    row = own_user(actor)
    tag(response, row.version)
    told = {name: getattr(row, name) for name in (*Details.model_fields, *Switches.model_fields)}
    return MeAnswer(
        **told,
        id=str(row.id),
        username=row.username,
        language=row.language,
        agency=Named.from_orm(row.agency),
        version=row.version,
        grants=[
            GrantAnswer(privilege=grant.privilege, scope=grant.scope.name.lower(), agency=str(grant.agency))
            for grant in actor.grants
        ],
    )
