"""Targets: list, show, make, change, copy, delete, move."""

from typing import Any

from django.db.models import Q
from django.http import HttpResponse
from ninja import Query, Router

from opilio.api.identifiers import Identifier
from opilio.api.nouns.target_schemas import (
    STATES,
    MoveOffer,
    Rejection,
    Standing,
    TargetAnswer,
    TargetChange,
    TargetFilters,
    TargetNew,
    TwinName,
)
from opilio.api.paging import Order, Page, Paging, page
from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.versions import base_version, matched_version, tag
from opilio.curation.actions import target_moves as moves
from opilio.curation.actions import targets as actions
from opilio.curation.kinds import TARGET
from opilio.curation.queries import targets as query
from opilio.curation.rights_of import approval_problems
from opilio.curation.sight import READERS
from opilio.people.actor import Actor

router = Router(tags=["targets"])
_ORDER = Order(name="targets", column="name")


@router.get("", response=Page[TargetAnswer])
def list_targets(request: ApiRequest, filters: Query[TargetFilters], paging: Query[Paging]) -> Page[TargetAnswer]:
    """List the targets of agencies in which you work, by name.

    Needs a role that lets you work with targets.
    """
    see(request.auth)
    rows = query.targets(request.auth).select_related("rejection_reason")
    if filters.q:
        text = filters.q
        rows = rows.filter(Q(name__icontains=text) | Q(reference__icontains=text) | Q(description__icontains=text))
    if filters.state is not None:
        rows = rows.filter(state=STATES[filters.state])
    wanted = {"agency_id": filters.agency, "owner_id": filters.owner, "assigned_to_id": filters.assigned_to}
    rows = rows.filter(**{name: value for name, value in wanted.items() if value is not None})
    if filters.group is not None:
        rows = query.in_group(rows, filters.group)
    if filters.seed:
        rows = query.with_seed_like(rows, filters.seed)
    return page(rows, _ORDER, paging, TargetAnswer)


@router.post("", response={201: TargetAnswer})
def create_target(request: ApiRequest, response: HttpResponse, body: TargetNew) -> TargetAnswer:
    """Make a target; it is pending and yours.

    Needs CREATE_TARGET in the agency.
    """
    made = actions.create_target(
        request.auth, name=body.name, agency_id=body.agency, **body.values("name", "agency")
    )  # fmt: skip
    return shown(request.auth, made.pk, response)


@router.get("/{target_id}", response=TargetAnswer)
def show_target(request: ApiRequest, response: HttpResponse, target_id: Identifier) -> TargetAnswer:
    """Show a target.

    Needs a role that lets you work with targets of its agency.
    """
    return shown(request.auth, target_id, response)


@router.get("/{target_id}/standing", response=Standing)
def show_target_standing(request: ApiRequest, target_id: Identifier) -> Standing:
    """Show where a target stands: what can happen next, and what is missing before it can be approved.

    Needs a role that lets you work with targets of its agency.
    """
    row = seen(request.auth, target_id)
    return Standing(
        state=row.get_state_display().lower(),
        moves=[
            MoveOffer(
                verb=one.move.name, to=one.move.target.label.lower(), privilege=str(one.move.privilege),
                allowed=one.allowed, sentence=one.move.sentence,
            )
            for one in query.offers(request.auth, row)
        ],
        problems=list(approval_problems(row.pk)),
        approvals=[one.at for one in query.approvals(row)],
    )  # fmt: skip


@router.patch("/{target_id}", response=TargetAnswer)
def change_target(
    request: ApiRequest, response: HttpResponse, target_id: Identifier, body: TargetChange
) -> TargetAnswer:
    """Change details of a target; an approved one is nominated again unless you may approve it.

    Needs MODIFY_TARGET over it.
    """
    seen(request.auth, target_id)
    actions.update_target(
        request.auth, target_id=target_id, version=base_version(request, body.version), **body.values()
    )
    return shown(request.auth, target_id, response)


@router.delete("/{target_id}", response={204: None})
def delete_target(request: ApiRequest, target_id: Identifier) -> None:
    """Delete a pending target so that it can be restored.

    Needs DELETE_TARGET over it.
    """
    delete(request.auth, TARGET, target_id, matched_version(request))


@router.post("/{target_id}/copy", response={201: TargetAnswer})
def copy_target(
    request: ApiRequest, response: HttpResponse, target_id: Identifier, body: TwinName
) -> TargetAnswer:  # fmt: skip
    """Make a pending copy of a target, with its seeds, description, profile and overrides.

    Needs CREATE_TARGET in its agency.
    """
    seen(request.auth, target_id)
    made = actions.copy_target(request.auth, target_id=target_id, name=body.name)
    return shown(request.auth, made.pk, response)


@router.post("/{target_id}/nominate", response=TargetAnswer)
def nominate_target(request: ApiRequest, response: HttpResponse, target_id: Identifier) -> TargetAnswer:
    """Ask for the approval of a target.

    Needs MODIFY_TARGET over it.
    """
    return _moved(request, response, target_id, "nominate")


@router.post("/{target_id}/approve", response=TargetAnswer)
def approve_target(request: ApiRequest, response: HttpResponse, target_id: Identifier) -> TargetAnswer:
    """Approve a target; each of its seeds must rely on a permission that is not rejected.

    Needs APPROVE_TARGET over it.
    """
    return _moved(request, response, target_id, "approve")


@router.post("/{target_id}/reject", response=TargetAnswer)
def reject_target(
    request: ApiRequest, response: HttpResponse, target_id: Identifier, body: Rejection
) -> TargetAnswer:  # fmt: skip
    """Reject a target for a reason.

    Needs APPROVE_TARGET over it.
    """
    return _moved(request, response, target_id, "reject", reason_id=body.reason, note=body.note)


@router.post("/{target_id}/cancel", response=TargetAnswer)
def cancel_target(request: ApiRequest, response: HttpResponse, target_id: Identifier) -> TargetAnswer:
    """Cancel an approved target; what is planned is removed.

    Needs CANCEL_TARGET over it.
    """
    return _moved(request, response, target_id, "cancel")


@router.post("/{target_id}/reinstate", response=TargetAnswer)
def reinstate_target(request: ApiRequest, response: HttpResponse, target_id: Identifier) -> TargetAnswer:
    """Take a rejected, cancelled or completed target up again.

    Needs REINSTATE_TARGET over it.
    """
    return _moved(request, response, target_id, "reinstate")


def see(actor: Actor) -> None:
    """Refuse those who work in no agency."""
    need(actor, "see targets", *sorted(READERS))


def seen(actor: Actor, target_id: int) -> Any:
    """A target that the asker may see."""
    see(actor)
    return query.target(actor, target_id)


def shown(actor: Actor, target_id: int, response: HttpResponse) -> TargetAnswer:
    """A target as an answer, with its version as ETag."""
    row = seen(actor, target_id)
    tag(response, row.version)
    return TargetAnswer.from_orm(row)


def _moved(
    request: ApiRequest, response: HttpResponse, target_id: int, verb: str, **more: Any
) -> TargetAnswer:  # fmt: skip
    seen(request.auth, target_id)
    moves.move_target(request.auth, target_id=target_id, verb=verb, **more)
    return shown(request.auth, target_id, response)
