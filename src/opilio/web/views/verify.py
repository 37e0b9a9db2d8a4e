"""Verification of a description: a curator asks the originator, who answers on a form that opens once."""

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_POST

from opilio.curation.actions import target_verification as actions
from opilio.curation.queries import targets as query
from opilio.curation.queries.nominations import asked_by
from opilio.people.errors import NotFound
from opilio.web.forms.nominations import VerifyForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.targets import AskForm
from opilio.web.public import public
from opilio.web.requests import PageRequest, stranger
from opilio.web.sections import section
from opilio.web.target_page import PATH, frame

if TYPE_CHECKING:
    from opilio.curation.models import Target

_VERBS = {
    "revoke": (actions.revoke_verification, "The link opens nothing any more."),
    "take": (actions.take_verification, "The corrections stand in the description now."),
}


@section("targets")
def ask(request: PageRequest, target_id: int) -> HttpResponse:
    """Send the originator a link to the form."""
    row = query.target(request.actor, target_id)
    back = f"{PATH}/{row.pk}/description"
    site = (settings.OPILIO.server_public_url or request.build_absolute_uri("/")).rstrip("/")

    def save(data: dict[str, Any]) -> str:
        asked = actions.ask_verification(request.actor, target_id=row.pk, site=site, **data)
        messages.success(request, f"Asked {data['email']}. The link, shown only now: {site}{asked.path}")
        return back

    page = FormPage(
        title="Ask the originator", back=back, button="Send", template="web/targets/form.html",
        intro="An e-mail with a link that can be used once. The form shows the description; what is answered is kept"
        " here, and changes nothing until you take it over.",
        context=frame(request.actor, row, "description"),
    )  # fmt: skip
    return answer(request, AskForm(request), page, save=save)


@section("targets")
@require_POST
def decide(request: PageRequest, target_id: int, invitation_id: int, verb: str) -> HttpResponse:
    """Withdraw an invitation, or take the corrections over."""
    if verb not in _VERBS:
        raise NotFound("An invitation has no such button", where=request.path, remedy="Use those of the page.")
    run, words = _VERBS[verb]
    run(request.actor, target_id=target_id, invitation_id=invitation_id)
    messages.success(request, words)
    return HttpResponseRedirect(f"{PATH}/{target_id}/description")


@public
def verify(request: PageRequest, token: str) -> HttpResponse:
    """The form of the originator; open to whoever holds the link, once."""
    actor = stranger(request)
    row = asked_by(token, actor.clock.now())
    if row is None:
        return render(request, "web/verify/closed.html", {"title": "This link is closed"}, status=404)

    def save(data: dict[str, Any]) -> str:
        corrections = {name: data[name] for name in VerifyForm.elements if data[name] != shown(row, name)}
        actions.answer_verification(
            actor, token=token, right=data["right"], corrections=corrections,
            **{name: data[name] for name in ("name", "role", "comment")},
        )  # fmt: skip
        return "/verify/done"

    form = VerifyForm(request, initial={name: shown(row, name) for name in VerifyForm.elements})
    page = FormPage(
        title=f"Is this right? {row.name}", back="", button="Send", template="web/verify/form.html",
        context={"target": row, "title": "Verify a description"},
    )  # fmt: skip
    return answer(request, form, page, save=save)


@public
def done(request: PageRequest) -> HttpResponse:
    """Thanks."""
    return render(request, "web/verify/done.html", {"title": "Thank you"})


def shown(row: "Target", name: str) -> str:
    """An element of the description, as the originator reads it."""
    core = row.dublin_core
    text = str(getattr(core, name)) if core else ""
    fallbacks = {"title": row.name, "description": row.description}
    return text or fallbacks.get(name, "")
