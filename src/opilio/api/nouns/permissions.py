"""Permissions: list, show, make, change, delete; explain; what was said about them."""

from typing import TYPE_CHECKING

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from opilio.api.identifiers import Identifier
from opilio.api.nouns.authorisations import COLLECTORS
from opilio.api.nouns.permission_schemas import (
    Exclusions,
    ExplanationAnswer,
    PermissionAnswer,
    PermissionChange,
    PermissionFilters,
    PermissionInFull,
    PermissionNew,
    SaidAnswer,
    SaidNew,
    WiderAnswer,
    explained,
    shown,
    shown_in_full,
)
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Named
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import permissions as actions
from opilio.curation.kinds import PERMISSION
from opilio.curation.queries import permissions as found
from opilio.people.actor import Actor

if TYPE_CHECKING:
    from opilio.curation.models import Permission

router = Router(tags=["permissions"])
_ORDER = Order(name="permissions", column="created", newest_first=True)
_SAID = Order(name="permissions-said", column="at", newest_first=True)


class ExplainQuery(Schema):
    """Which URL is asked about, and for whom."""

    url: str = Field(max_length=2_048, examples=["https://example.org/"])
    agency: Identifier


@router.get("", response=Page[PermissionAnswer])
def list_permissions(
    request: ApiRequest, filters: Query[PermissionFilters], paging: Query[Paging]
) -> Page[PermissionAnswer]:
    """List the permissions of the agencies that you work for, newest first.

    Needs a privilege of collecting.
    """
    need(request.auth, "see permissions", *COLLECTORS)
    rows = found.permissions(request.auth)
    if filters.expires_within is not None:
        rows = found.expiring(request.auth, filters.expires_within)
    if filters.q:
        rows = rows.filter(authorisation__title__icontains=filters.q) | rows.filter(display_name__icontains=filters.q)
    exact = {
        "agency_id": filters.agency, "authorisation_id": filters.authorisation, "agent_id": filters.agent,
        "standing": filters.status, "quick_pick": filters.quick_pick,
    }  # fmt: skip
    rows = rows.filter(**{name: value for name, value in exact.items() if value is not None})
    return page(rows, _ORDER, paging, PermissionAnswer, shown)


@router.get("/explain", response=ExplanationAnswer)
def explain_url(request: ApiRequest, asked: Query[ExplainQuery]) -> ExplanationAnswer:
    """Say why a URL may be collected or not: every permission with a pattern for its host, point by point.

    Needs a privilege of collecting in the agency.
    """
    need(request.auth, "see permissions", *COLLECTORS)
    return explained(found.explain(request.auth, asked.url, asked.agency))


@router.post("", response={201: PermissionInFull})
def create_permission(request: ApiRequest, response: HttpResponse, body: PermissionNew) -> PermissionInFull:
    """Make a permission; it is pending.

    Needs MODIFY_PERMISSION in the agency of the authorisation.
    """
    row = actions.create_permission(
        request.auth, authorisation_id=body.authorisation, agent_id=body.agent, patterns=body.patterns,
        exclusions=[each.dict() for each in body.exclusions], seek=body.seek,
        **body.changes("authorisation", "agent", "patterns", "exclusions", "seek"),
    )  # fmt: skip
    return full(request.auth, row.id, response)


@router.get("/{permission_id}", response=PermissionInFull)
def show_permission(request: ApiRequest, response: HttpResponse, permission_id: Identifier) -> PermissionInFull:
    """Show a permission with what it covers and leaves out.

    Needs a privilege of collecting in its agency.
    """
    return full(request.auth, permission_id, response)


@router.patch("/{permission_id}", response=PermissionInFull)
def change_permission(
    request: ApiRequest, response: HttpResponse, permission_id: Identifier, body: PermissionChange
) -> PermissionInFull:
    """Change a permission; its status moves by approve, reject and request.

    Needs MODIFY_PERMISSION in its agency.
    """
    seen(request.auth, permission_id)
    actions.update_permission(
        request.auth, permission_id=permission_id, version=base_version(request, body.version), agent_id=body.agent,
        patterns=body.patterns, **body.changes("agent", "patterns"),
    )  # fmt: skip
    return full(request.auth, permission_id, response)


@router.put("/{permission_id}/exclusions", response=PermissionInFull)
def put_permission_exclusions(
    request: ApiRequest, response: HttpResponse, permission_id: Identifier, body: Exclusions
) -> PermissionInFull:
    """Set what a permission leaves out; it counts at once.

    Needs MODIFY_PERMISSION in its agency.
    """
    seen(request.auth, permission_id)
    exclusions = [each.dict() for each in body.exclusions]
    actions.set_exclusions(request.auth, permission_id=permission_id, exclusions=exclusions)
    return full(request.auth, permission_id, response)


@router.get("/{permission_id}/wider", response=list[WiderAnswer])
def list_wider_permissions(request: ApiRequest, permission_id: Identifier) -> list[WiderAnswer]:
    """List permissions that cover what this one asks for already.

    Needs a privilege of collecting in its agency.
    """
    row = seen(request.auth, permission_id)
    texts = [link.pattern.pattern for link in row.pattern_links.all() if not link.pattern.deleted]
    wider = found.wider(request.auth, agency_id=row.agency_id, patterns=texts, but=row.id)
    return [
        WiderAnswer(
            permission=Named(id=str(each.permission), name=each.name), pattern=each.pattern, narrow=each.narrow,
            status=each.status,
        )
        for each in wider
    ]  # fmt: skip


@router.get("/{permission_id}/communications", response=Page[SaidAnswer])
def list_permission_communications(
    request: ApiRequest, permission_id: Identifier, paging: Query[Paging]
) -> Page[SaidAnswer]:
    """List what was said about a permission, newest first.

    Needs a privilege of collecting in its agency.
    """
    seen(request.auth, permission_id)
    return page(found.communications(request.auth, permission_id), _SAID, paging, SaidAnswer)


@router.post("/{permission_id}/communications", response={201: SaidAnswer})
def add_permission_communication(request: ApiRequest, permission_id: Identifier, body: SaidNew) -> SaidAnswer:
    """Keep something that was said about a permission.

    Needs MODIFY_PERMISSION in its agency.
    """
    seen(request.auth, permission_id)
    made = actions.log_communication(request.auth, permission_id=permission_id, **body.dict())
    return SaidAnswer.from_orm(made)


@router.delete("/{permission_id}", response={204: None})
def delete_permission(request: ApiRequest, permission_id: Identifier) -> None:
    """Delete a permission so that it can be restored; no seed may rely on it.

    Needs MODIFY_PERMISSION in its agency.
    """
    delete(request.auth, PERMISSION, permission_id, matched_version(request))


def seen(actor: Actor, permission_id: int) -> "Permission":
    """The permission, as far as the asker may see it."""
    need(actor, "see permissions", *COLLECTORS)
    return found.permission(actor, permission_id)


def full(actor: Actor, permission_id: int, response: HttpResponse) -> PermissionInFull:
    """The permission as an answer."""
    row = seen(actor, permission_id)
    tag(response, row.version)
    return shown_in_full(row)
