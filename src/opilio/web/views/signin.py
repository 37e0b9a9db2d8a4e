"""The sign-in page, and the way out."""

import math

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from opilio.people.actions.signin import Attempt, Outcome, attempt_sign_in
from opilio.people.ldap import directory_from
from opilio.people.throttle import Rules
from opilio.web import signing
from opilio.web.forms.account import SignInForm
from opilio.web.public import public, while_forced
from opilio.web.requests import PageRequest, address_of, asked_next, stranger, viewer


@public
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Ask for name and password; a success leads to the page that was wanted."""
    wanted = asked_next(request)
    if viewer(request) is not None:
        return HttpResponseRedirect(wanted)
    form = SignInForm(request)
    outcome = Outcome()
    if request.method == "POST" and form.is_valid():
        outcome = _attempt(request, form)
        if outcome.user is not None:
            signing.begin(request, outcome)
            return HttpResponseRedirect("/account/password" if outcome.must_change else wanted)
        form.add_error(None, f"{outcome.refusal}.")
    return _shown(request, form, wanted, outcome)


@while_forced
@require_POST
def sign_out(request: PageRequest) -> HttpResponse:
    """End the session."""
    signing.end(request, request.actor)
    messages.success(request, "You are signed out.")
    return HttpResponseRedirect("/sign-in")


def _attempt(request: HttpRequest, form: SignInForm) -> Outcome:
    opilio = settings.OPILIO
    return attempt_sign_in(
        stranger(request),
        attempt=Attempt(
            username=form.cleaned_data["username"],
            password=form.cleaned_data["password"],
            address=address_of(request),
        ),
        rules=Rules(
            free_failures=opilio.signin_free_failures,
            first_delay=opilio.signin_first_delay,
            max_delay=opilio.signin_max_delay,
        ),
        directory=directory_from(opilio),
    )


def _shown(request: HttpRequest, form: SignInForm, wanted: str, outcome: Outcome) -> HttpResponse:
    status = 429 if outcome.wait else 401 if outcome.refusal else 422 if form.errors else 200
    response = render(request, "web/signin/sign_in.html", {"form": form, "next": wanted}, status=status)
    if outcome.wait:
        response["Retry-After"] = str(math.ceil(outcome.wait))
    return response
