"""One's own account: details, password, API tokens, sign-in sessions."""

import datetime
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_POST

from opilio.kernel.errors import OpilioError
from opilio.people.actions.account import (
    OWN_FIELDS,
    change_own_password,
    create_token,
    revoke_token,
    update_account,
)
from opilio.people.actions.sessions import revoke_session
from opilio.people.queries.account import own_sign_ins, own_tokens, own_user
from opilio.web import policy, signing
from opilio.web.forms.account import PasswordForm, TokenForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.people import AccountForm
from opilio.web.forms.stale import Version
from opilio.web.lists.declared import ListPage, Tab
from opilio.web.lists.show import show
from opilio.web.public import while_forced
from opilio.web.requests import PageRequest, asked_next
from opilio.web.views.sign_in_list import sign_in_page

_TABS = tuple(
    Tab(label=label, path=path, here=path == "/account/sessions")
    for label, path in (
        ("Details", "/account"), ("Password", "/account/password"), ("API tokens", "/account/tokens"),
        ("Sign-in sessions", "/account/sessions"),
    )
)  # fmt: skip


def account(request: PageRequest) -> HttpResponse:
    """Details and switches."""
    user = own_user(request.actor)
    values = {name: getattr(user, name) for name in OWN_FIELDS}

    def save(data: dict[str, Any]) -> str:
        update_account(request.actor, **data)
        messages.success(request, "Your details are saved.")
        return "/account"

    page = FormPage(title="Your account", back="/account", template="web/account/account.html", context={"user": user})
    form = AccountForm(request, initial={**values, "version": user.version})
    return answer(request, form, page, save=save, newer=lambda: Version(number=user.version, values=values))


@while_forced
def password(request: PageRequest) -> HttpResponse:
    """Choose a new password; all other sessions end."""

    def save(data: dict[str, Any]) -> str:
        change_own_password(
            request.actor, old=data["old"], new=data["new"], policy=policy.passwords(),
            keep_session=str(request.session.session_key),
        )  # fmt: skip
        signing.changed(request)
        messages.success(request, "Your password is changed; your other sessions were ended.")
        return "/account"

    form = PasswordForm(request, min_length=policy.passwords().min_length)
    forced = signing.must_change(request)
    intro = "Your password was set by somebody else: choose one that only you know." if forced else ""
    page = FormPage(
        title="Password", back="/account", button="Change password", intro=intro,
        template="web/account/password.html", context={"forced": forced},
    )  # fmt: skip
    return answer(request, form, page, save=save)


def tokens(request: PageRequest) -> HttpResponse:
    """The tokens there are, and a new one; its secret is shown once, on the answer itself."""
    form = TokenForm(request, actor=request.actor, longest_days=policy.longest_token().days)
    secret = ""
    if request.method == "POST" and form.is_valid():
        try:
            _, secret = create_token(
                request.actor, name=form.cleaned_data["name"], scopes=form.cleaned_data["scopes"],
                expires=request.actor.clock.now() + datetime.timedelta(days=form.cleaned_data["days"]),
                longest=policy.longest_token() + datetime.timedelta(minutes=1),
            )  # fmt: skip
        except OpilioError as error:
            form.take(error)
    if form.errors and form.status == 200:
        form.status = 422
    context = {
        "form": form,
        "secret": secret,
        "tokens": own_tokens(request.actor)[:200],
        "now": request.actor.clock.now(),
    }
    response = render(request, "web/account/tokens.html", context, status=form.status)
    add_never_cache_headers(response)
    return response


@require_POST
def end_token(request: PageRequest, token_id: int) -> HttpResponse:
    """Revoke a token, one's own or that of a user one manages."""
    token = revoke_token(request.actor, token_id=token_id)
    messages.success(request, f"The token {token.name} is revoked.")
    return HttpResponseRedirect(asked_next(request, "/account/tokens"))


def sessions(request: PageRequest) -> HttpResponseBase:
    """Where one is signed in, and was."""
    page: ListPage[Any] = sign_in_page(
        request, name="own-sessions", path="/account/sessions", title="Your account", rows=own_sign_ins,
        intro="Where you are signed in, and where you were.", with_user=False,
    )  # fmt: skip
    return show(request, replace(page, tabs=_TABS))


@require_POST
def end_session(request: PageRequest, sign_in_id: int) -> HttpResponse:
    """End a session, one's own or that of a user one manages."""
    revoke_session(request.actor, sign_in_id=sign_in_id)
    messages.success(request, "The session is ended.")
    return HttpResponseRedirect(asked_next(request, "/account/sessions"))
