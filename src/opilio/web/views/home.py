"""The way in, the search box, the theme, and help."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from opilio.people.actions.account import choose_language
from opilio.people.privilege_list import PRIVILEGES
from opilio.web import help as helps
from opilio.web import languages, signing, theme
from opilio.web import search as searching
from opilio.web.public import public
from opilio.web.requests import PageRequest, asked_next, viewer
from opilio.web.sections import section


@require_safe
def home(request: PageRequest) -> HttpResponse:
    """The in-tray is where a day begins; the first of all begins with the tour."""
    return HttpResponseRedirect("/tour" if signing.is_new(request) else "/in-tray")


@public
@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Light, dark, or as the browser wishes."""
    response = HttpResponseRedirect(asked_next(request))
    theme.remember(response, request.POST.get("theme", ""))
    return response


@public
@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """A language, or what the browser asks for; kept with the user, and in the browser for the sign-in page."""
    response = HttpResponseRedirect(asked_next(request))
    code = languages.known(request.POST.get("language", ""))
    actor = viewer(request)
    if actor is not None and actor.language != code:
        choose_language(actor, language=code)
    languages.remember(response, code)
    return response


@require_safe
def search(request: PageRequest) -> HttpResponse:
    """Everything with these words in its name that the asker may see."""
    words = " ".join(request.GET.get("q", "").split())[: searching.LONGEST]
    found = searching.found(request.actor, words)
    return render(request, "web/search.html", {"words": words, "search_words": words, "groups": found})


@section("help")
@require_safe
def help_page(request: PageRequest) -> HttpResponseBase:
    """How the pages work, and what each field and privilege means."""
    groups: dict[str, list[object]] = {}
    for listed in PRIVILEGES:
        groups.setdefault(listed.group, []).append(listed)
    context = {"kinds": helps.every_field(), "privileges": list(groups.items())}
    return render(request, "web/help.html", context)
