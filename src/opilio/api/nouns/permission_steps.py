"""The steps of a permission: seek, ask, remind, approve, reject, announce, close the form, move seeds."""

from django.conf import settings
from django.http import HttpResponse

from opilio.api.identifiers import Identifier
from opilio.api.nouns.permission_schemas import Decision, LetterAnswer, PermissionInFull, Request, Transfer
from opilio.api.nouns.permissions import full, router, seen
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Count
from opilio.curation.actions import permission_requests as requests
from opilio.curation.actions import permissions as actions

__all__ = ["router"]


@router.post("/{permission_id}/seek", response=PermissionInFull)
def seek_permission(request: ApiRequest, response: HttpResponse, permission_id: Identifier) -> PermissionInFull:
    """Put a pending permission before those who confirm permissions.

    Needs MODIFY_PERMISSION in its agency.
    """
    seen(request.auth, permission_id)
    actions.seek_permission(request.auth, permission_id=permission_id)
    return full(request.auth, permission_id, response)


@router.post("/{permission_id}/approve", response=PermissionInFull)
def approve_permission(
    request: ApiRequest, response: HttpResponse, permission_id: Identifier, body: Decision
) -> PermissionInFull:
    """Note that a permission was granted; owners of linked targets are told.

    Needs CONFIRM_PERMISSION in its agency.
    """
    seen(request.auth, permission_id)
    actions.approve_permission(request.auth, permission_id=permission_id, response=body.response, version=body.version)
    return full(request.auth, permission_id, response)


@router.post("/{permission_id}/reject", response=PermissionInFull)
def reject_permission(
    request: ApiRequest, response: HttpResponse, permission_id: Identifier, body: Decision
) -> PermissionInFull:
    """Note that a permission was refused; owners of linked targets are told.

    Needs CONFIRM_PERMISSION in its agency.
    """
    seen(request.auth, permission_id)
    actions.reject_permission(request.auth, permission_id=permission_id, response=body.response, version=body.version)
    return full(request.auth, permission_id, response)


@router.post("/{permission_id}/request", response=LetterAnswer)
def request_permission(request: ApiRequest, permission_id: Identifier, body: Request) -> LetterAnswer:
    """Ask for a permission: an e-mail is sent, a letter is given back to be printed.

    Needs GENERATE_TEMPLATE in its agency.
    """
    seen(request.auth, permission_id)
    sent = requests.request_permission(
        request.auth, permission_id=permission_id, template_id=body.template, base_url=_base(request)
    )
    return _letter(sent)


@router.post("/{permission_id}/remind", response=LetterAnswer)
def remind_permission(request: ApiRequest, permission_id: Identifier) -> LetterAnswer:
    """Remind the authorising agent by e-mail.

    Needs GENERATE_TEMPLATE in its agency.
    """
    seen(request.auth, permission_id)
    return _letter(requests.remind_permission(request.auth, permission_id=permission_id, base_url=_base(request)))


@router.post("/{permission_id}/announce", response=Count)
def announce_permission(request: ApiRequest, permission_id: Identifier) -> Count:
    """Tell owners and those who confirm that a permission expires or is not answered.

    Needs GENERATE_TEMPLATE in its agency.
    """
    seen(request.auth, permission_id)
    return Count(count=requests.announce_permission(request.auth, permission_id=permission_id))


@router.post("/{permission_id}/revoke-form", response=Count)
def revoke_permission_form(request: ApiRequest, permission_id: Identifier) -> Count:
    """Close the answer forms of a permission that are open.

    Needs GENERATE_TEMPLATE in its agency.
    """
    seen(request.auth, permission_id)
    return Count(count=requests.revoke_forms(request.auth, permission_id=permission_id))


@router.post("/{permission_id}/transfer", response=Count)
def transfer_permission_seeds(request: ApiRequest, permission_id: Identifier, body: Transfer) -> Count:
    """Move all seeds of a permission to another of the same agency.

    Needs TRANSFER_LINKED_TARGETS in its agency.
    """
    seen(request.auth, permission_id)
    seen(request.auth, body.into)
    return Count(count=actions.transfer_seeds(request.auth, permission_id=permission_id, into_id=body.into))


def _base(request: ApiRequest) -> str:
    return settings.OPILIO.server_public_url or request.build_absolute_uri("/").rstrip("/")


def _letter(sent: requests.Sent) -> LetterAnswer:
    """An e-mail goes to the agent alone: its text is given back as the log keeps it."""
    letter = sent.letter
    text = letter.text if letter.printed else sent.communication.text
    return LetterAnswer(
        printed=letter.printed, to=letter.to, subject=letter.subject, text=text,
        html=str(letter.html) if letter.printed else "",
    )  # fmt: skip
