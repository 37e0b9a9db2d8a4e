"""The form by which an authorising agent answers, once, without an account. A closed form says nothing of why."""

import math

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from opilio.curation.actions.permission_answers import Outcome, Reply, Word, answer_permission, asked_by
from opilio.kernel.errors import OpilioError
from opilio.people.throttle import Rules
from opilio.web.forms.rights_permissions import AnswerForm
from opilio.web.public import public
from opilio.web.requests import stranger

THANKS = "/answered"


@public
@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HttpRequest, token: str) -> HttpResponse:
    """Show what is asked, and take the answer."""
    asked = asked_by(stranger(request), token, _rules())
    if isinstance(asked, Outcome):
        return _closed(request, asked)
    form = AnswerForm(request)
    if request.method == "POST" and form.is_valid():
        try:
            outcome = answer_permission(stranger(request), token=token, reply=_reply(form), rules=_rules())
        except OpilioError as error:
            form.take(error)
        else:
            return HttpResponseRedirect(THANKS) if outcome.taken else _closed(request, outcome)
    status = form.status if form.status != 200 else 422 if form.errors else 200
    return _quiet(render(request, "web/answers/answer.html", {"form": form, "asked": asked}, status=status))


@public
@require_safe
def answered(request: HttpRequest) -> HttpResponse:
    """A word of thanks."""
    return _quiet(render(request, "web/answers/answered.html"))


def _reply(form: AnswerForm) -> Reply:
    data = form.cleaned_data
    return Reply(word=Word(data["word"]), name=data["name"], text=data["text"])


def _rules() -> Rules:
    opilio = settings.OPILIO
    return Rules(
        free_failures=opilio.signin_free_failures, first_delay=opilio.signin_first_delay,
        max_delay=opilio.signin_max_delay,
    )  # fmt: skip


def _closed(request: HttpRequest, outcome: Outcome) -> HttpResponse:
    response = render(request, "web/answers/closed.html", status=429 if outcome.wait else 404)
    if outcome.wait:
        response["Retry-After"] = str(math.ceil(outcome.wait))
    return _quiet(response)


def _quiet(response: HttpResponse) -> HttpResponse:
    """The address is a secret: no other site and no search engine learns it.

    Our own site does: without that, browsers would not say where the form came from, and it would be refused.
    """
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response
