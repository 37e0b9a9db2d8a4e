"""Overrides of targets and groups with their credentials; a secret can be sent, and is never answered."""

from typing import Any, Literal

from django.http import HttpResponse
from ninja import Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Flag, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import credentials as credential_actions
from opilio.curation.actions import overrides as actions
from opilio.curation.kinds import CREDENTIAL
from opilio.curation.override_columns import COLUMNS
from opilio.curation.queries import plans
from opilio.curation.queries import profiles as queries
from opilio.curation.sight import READERS
from opilio.curation.trying import MOST_URLS, try_patterns
from opilio.people.actor import Actor
from opilio.people.errors import InvalidFields

router = Router(tags=["overrides"])
_MOST = 2**63 - 1
_Number = int | None
_PATTERNS = Field(None, max_length=500, description="RE2 expressions; the whole list.", examples=[["/print/"]])
_READERS = tuple(sorted(READERS))


class CredentialAnswer(Answer):
    """A credential, without its secret."""

    id: Id
    kind: str
    domain: str
    username: str
    realm: str
    login_url: str
    method: str
    username_field: str
    password_field: str
    header_name: str
    has_secret: bool = Field(description="Whether a secret is kept, encrypted.")
    version: int


class OverridesAnswer(Answer):
    """The overrides of a target or group: each value, and whether it counts."""

    robots_policy: str
    politeness: str
    max_seconds: _Number
    max_bytes: _Number
    max_documents: _Number
    max_path_depth: _Number
    max_hops: _Number
    excluded_mime_types: str
    exclusions: list[str]
    inclusions: list[str]
    overrides: dict[str, bool] = Field(description="Which of these count.", examples=[{"max_bytes": True}])
    credentials: list[CredentialAnswer]
    version: int


class OverridesChange(Body):
    """Fields to change; those left out stay as they are."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    robots_policy: Literal["obey", "ignore"] | None = None
    politeness: Literal["polite", "medium", "fast"] | None = None
    max_seconds: int | None = Field(None, ge=0, le=_MOST, strict=True, description="0: no limit.")
    max_bytes: int | None = Field(None, ge=0, le=_MOST, strict=True, description="0: no limit.")
    max_documents: int | None = Field(None, ge=0, le=_MOST, strict=True, description="0: no limit.")
    max_path_depth: int | None = Field(None, ge=0, le=1_000_000, strict=True, description="0: no limit.")
    max_hops: int | None = Field(None, ge=0, le=1_000_000, strict=True, description="0: no limit.")
    excluded_mime_types: str | None = Field(None, max_length=4_000, examples=["video/*\naudio/*"])
    exclusions: list[str] | None = _PATTERNS
    inclusions: list[str] | None = _PATTERNS
    overrides: dict[str, Flag] | None = Field(None, description="Switches to change.", examples=[{"max_bytes": True}])


class CredentialFields(Body):
    """Where and how the secret is sent."""

    username: str | None = Field(None, max_length=255)
    realm: str | None = Field(None, max_length=255)
    login_url: str | None = Field(None, max_length=2_048)
    method: Literal["", "GET", "POST"] | None = None
    username_field: str | None = Field(None, max_length=255)
    password_field: str | None = Field(None, max_length=255)
    header_name: str | None = Field(None, max_length=255)


class CredentialNew(CredentialFields):
    """A credential to be added."""

    kind: Literal["basic", "digest", "negotiate", "form", "cookie", "header"]
    domain: str = Field(min_length=1, max_length=255, examples=["www.site.example"])
    secret: str = Field(min_length=1, max_length=65_536, description="Kept encrypted, never answered.")


class CredentialChange(CredentialFields):
    """Fields to change; whoever changes where or how the secret is sent must send it anew."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    kind: Literal["basic", "digest", "negotiate", "form", "cookie", "header"] | None = None
    domain: str | None = Field(None, min_length=1, max_length=255)
    secret: str | None = Field(None, max_length=65_536)


class Trial(Body):
    """Patterns and URLs to try them on."""

    exclusions: list[str] = Field([], max_length=500)
    inclusions: list[str] = Field([], max_length=500)
    urls: list[str] = Field(max_length=MOST_URLS, examples=[["http://www.site.example/print/1"]])


class TriedAnswer(Answer):
    """What becomes of a URL."""

    url: str
    canonical: str
    kept: bool
    pattern: str = Field(description="The pattern that had the last word; empty: none.")
    sentence: str
    fault: str = Field(description="Why it is no URL.")


@router.get("/{holder_id}", response=OverridesAnswer)
def show_overrides(request: ApiRequest, response: HttpResponse, holder_id: Identifier) -> OverridesAnswer:
    """Show the overrides of a target or group.

    Needs a privilege with which you see targets of its agency.
    """
    return _shown(request.auth, holder_id, response)


@router.patch("/{holder_id}", response=OverridesAnswer)
def change_overrides(
    request: ApiRequest, response: HttpResponse, holder_id: Identifier, body: OverridesChange
) -> OverridesAnswer:
    """Change the overrides of a target or group.

    Needs MODIFY_TARGET on the target, or MANAGE_GROUP_OVERRIDES on the group.
    """
    _shown(request.auth, holder_id, response)
    changes = body.changes("overrides")
    for name, on in (body.overrides or {}).items():
        if f"overrides_{name}" not in COLUMNS:
            raise InvalidFields({"overrides": [f"There is no override {name[:80]!r}."]}, where="body")
        changes[f"overrides_{name}"] = on
    actions.update_overrides(
        request.auth, holder_id=holder_id, version=base_version(request, body.version), **changes
    )  # fmt: skip
    return _shown(request.auth, holder_id, response)


@router.post("/{holder_id}/try", response=list[TriedAnswer])
def try_overrides(request: ApiRequest, holder_id: Identifier, body: Trial) -> list[TriedAnswer]:
    """Say which pattern decides about each URL; nothing is saved.

    Needs a privilege with which you see targets of its agency.
    """
    need(request.auth, "see targets", *_READERS)
    found = try_patterns(
        body.urls, exclude=body.exclusions, include=body.inclusions, barred=plans.barred_for(request.auth, holder_id)
    )
    return [TriedAnswer.from_orm(one) for one in found]


@router.post("/{holder_id}/credentials", response={201: CredentialAnswer})
def create_credential(request: ApiRequest, holder_id: Identifier, body: CredentialNew) -> CredentialAnswer:
    """Add a credential to a target or group.

    Needs MODIFY_TARGET on the target, or MANAGE_GROUP_OVERRIDES on the group.
    """
    need(request.auth, "see targets", *_READERS)
    queries.holder(request.auth, holder_id)
    made = credential_actions.create_credential(request.auth, holder_id=holder_id, **body.changes())
    return CredentialAnswer.from_orm(queries.credential(request.auth, made.pk)[0])


@router.patch("/credentials/{credential_id}", response=CredentialAnswer)
def change_credential(
    request: ApiRequest, response: HttpResponse, credential_id: Identifier, body: CredentialChange
) -> CredentialAnswer:
    """Change a credential.

    Needs MODIFY_TARGET on the target, or MANAGE_GROUP_OVERRIDES on the group.
    """
    need(request.auth, "see targets", *_READERS)
    queries.credential(request.auth, credential_id)
    credential_actions.update_credential(
        request.auth, credential_id=credential_id, version=base_version(request, body.version), **body.changes()
    )
    shown = queries.credential(request.auth, credential_id)[0]
    tag(response, shown.version)
    return CredentialAnswer.from_orm(shown)


@router.delete("/credentials/{credential_id}", response={204: None})
def delete_credential(request: ApiRequest, credential_id: Identifier) -> None:
    """Delete a credential that no seed shows, so that it can be restored.

    Needs MODIFY_TARGET on its target.
    """
    delete(request.auth, CREDENTIAL, credential_id, matched_version(request))


def _shown(actor: Actor, holder_id: int, response: HttpResponse) -> OverridesAnswer:
    need(actor, "see targets", *_READERS)
    shown = queries.overrides_of(actor, holder_id)
    tag(response, shown.row.version)
    values: dict[str, Any] = {name: getattr(shown.row, name) for name in COLUMNS if not name.startswith("overrides_")}
    switches = {
        name.removeprefix("overrides_"): getattr(shown.row, name) for name in COLUMNS if name.startswith("overrides_")
    }
    return OverridesAnswer(
        **values, exclusions=list(shown.exclusions), inclusions=list(shown.inclusions), overrides=switches,
        credentials=[CredentialAnswer.from_orm(one) for one in shown.credentials], version=shown.row.version,
    )  # fmt: skip
