"""Seeds: list, show with their rights, add, change, link, delete."""

from typing import Any

from django.http import HttpResponse
from ninja import Query, Router
from pydantic import Field

from opilio.api.identifiers import Identifier
from opilio.api.nouns.target_schemas import SeedAnswer, SeedChange, SeedFilters, SeedInFull, SeedLink, SeedNew
from opilio.api.nouns.targets import see, seen
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Body, Count
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import seeds as actions
from opilio.curation.days import day_in
from opilio.curation.kinds import SEED
from opilio.curation.queries import targets as query
from opilio.curation.queries.seed_rights import rights_of_seeds
from opilio.people.actor import Actor

router = Router(tags=["seeds"])
_ORDER = Order(name="seeds", column="id")


class LinkedPermission(Body):
    """The permission that a seed is to rely on."""

    permission: Identifier = Field(description="A permission of the target's agency.")


@router.get("", response=Page[SeedAnswer])
def list_seeds(request: ApiRequest, filters: Query[SeedFilters], paging: Query[Paging]) -> Page[SeedAnswer]:
    """List seeds of the targets that you may see, in the order in which they were added.

    Needs a role that lets you work with targets.
    """
    see(request.auth)
    rows = query.seeds(request.auth)
    if filters.q:
        rows = rows.filter(url__icontains=filters.q)
    if filters.host:
        rows = rows.filter(host=filters.host.lower())
    wanted = {"target_id": filters.target, "active": filters.active}
    rows = rows.filter(**{name: value for name, value in wanted.items() if value is not None})
    return page(rows, _ORDER, paging, SeedAnswer)


@router.post("", response={201: SeedInFull})
def add_seed(request: ApiRequest, response: HttpResponse, body: SeedNew) -> SeedInFull:
    """Add a seed to a target, and link it with permissions.

    Needs MODIFY_TARGET over the target.
    """
    seen(request.auth, body.target)
    made = actions.add_seed(
        request.auth, target_id=body.target, url=body.url, link=actions.Link(body.link), permission_id=body.permission,
        **body.values("target", "url", "link", "permission"),
    )  # fmt: skip
    return _shown(request.auth, made.id, response)


@router.get("/{seed_id}", response=SeedInFull)
def show_seed(request: ApiRequest, response: HttpResponse, seed_id: Identifier) -> SeedInFull:
    """Show a seed with its rights.

    Needs a role that lets you work with targets of its agency.
    """
    return _shown(request.auth, seed_id, response)


@router.patch("/{seed_id}", response=SeedInFull)
def change_seed(request: ApiRequest, response: HttpResponse, seed_id: Identifier, body: SeedChange) -> SeedInFull:
    """Change a seed; with another URL, the links that URL patterns gave are looked up anew.

    Needs MODIFY_TARGET over its target.
    """
    _seen(request.auth, seed_id)
    actions.update_seed(request.auth, seed_id=seed_id, version=base_version(request, body.version), **body.values())
    return _shown(request.auth, seed_id, response)


@router.delete("/{seed_id}", response={204: None})
def delete_seed(request: ApiRequest, seed_id: Identifier) -> None:
    """Delete a seed so that it can be restored; the last one of an approved target stays.

    Needs MODIFY_TARGET over its target.
    """
    delete(request.auth, SEED, seed_id, matched_version(request))


@router.post("/{seed_id}/link", response=SeedInFull)
def link_seed(
    request: ApiRequest, response: HttpResponse, seed_id: Identifier, body: LinkedPermission
) -> SeedInFull:  # fmt: skip
    """Let a seed rely on a permission of its agency.

    Needs MODIFY_TARGET over its target.
    """
    _seen(request.auth, seed_id)
    actions.link_seed(request.auth, seed_id=seed_id, permission_id=body.permission)
    return _shown(request.auth, seed_id, response)


@router.post("/{seed_id}/unlink", response=SeedInFull)
def unlink_seed(
    request: ApiRequest, response: HttpResponse, seed_id: Identifier, body: LinkedPermission
) -> SeedInFull:  # fmt: skip
    """Let a seed rely on a permission no longer.

    Needs MODIFY_TARGET over its target.
    """
    _seen(request.auth, seed_id)
    actions.unlink_seed(request.auth, seed_id=seed_id, permission_id=body.permission)
    return _shown(request.auth, seed_id, response)


@router.post("/{seed_id}/match", response=Count)
def match_seed(request: ApiRequest, seed_id: Identifier) -> Count:
    """Link a seed with every permission that matches its URL; how many do.

    Needs MODIFY_TARGET over its target.
    """
    _seen(request.auth, seed_id)
    return Count(count=actions.match_seed(request.auth, seed_id=seed_id))


def _seen(actor: Actor, seed_id: int) -> Any:
    see(actor)
    return query.seed(actor, seed_id)


def _shown(actor: Actor, seed_id: int, response: HttpResponse) -> SeedInFull:
    row = _seen(actor, seed_id)
    tag(response, row.version)
    rights = rights_of_seeds([row], day_in(actor.clock.now(), row.target.agency.time_zone))[row.id]
    links = [
        SeedLink(permission=str(one.id), name=one.name, status=one.status.lower(), linked=one.linked)
        for one in rights.links
    ]
    plain = SeedAnswer.from_orm(row).model_dump()
    return SeedInFull(**plain, allowed=rights.allowed, rights=rights.sentence, links=links)
