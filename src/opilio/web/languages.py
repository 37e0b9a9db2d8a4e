"""The language of the pages: what somebody chose, else what the browser asks for.

The choice is kept with the user, and in a cookie for the pages that need no sign-in.

The code speaks English everywhere. Pages translate words where they are drawn (`translated`), so that actions, the API,
the command line and the audit log stay English whatever a reader chose.
"""

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation

from opilio.catalogue import identifiers
from opilio.web.requests import viewer

COOKIE = "opilio-language"
_YEAR = 365 * 24 * 3600  # seconds
_API = "/api/"
Next = Callable[[HttpRequest], HttpResponseBase]


def middleware(get_response: Next) -> Next:
    """Draw each page in the language of its reader; the API speaks English."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(_API):
            return get_response(request)
        with spoken(request):
            response = get_response(request)
        response.headers.setdefault("Content-Language", of(request))
        return response

    return handle


def spoken(request: HttpRequest) -> AbstractContextManager[None]:
    """The language of the reader, for the length of a block."""
    return translation.override(of(request))


def of(request: HttpRequest) -> str:
    """The code of the language in which somebody reads."""
    found = chosen(request) or translation.get_language_from_request(request)
    return found if found in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def chosen(request: HttpRequest) -> str:
    """The language kept with the user, else the one chosen in this browser; empty: as the browser asks."""
    actor = viewer(request)
    return known(actor.language if actor else "") or known(request.COOKIES.get(COOKIE, ""))


def known(code: str) -> str:
    """The code of a language that the pages speak; anything else is none."""
    return code if code in dict(settings.LANGUAGES) else ""


def remember(response: HttpResponse, code: str) -> None:
    """Keep the choice in the browser; anything but a language goes back to what the browser asks for."""
    if known(code):
        response.set_cookie(COOKIE, code, max_age=_YEAR, samesite="Lax")
    else:
        response.delete_cookie(COOKIE, samesite="Lax")


def translated(text: object) -> str:
    """English words in the reader's language; what the catalogue does not know stays."""
    words = str(text)
    return _known(words, translation.get_language()) if words.strip() else words


@functools.lru_cache(maxsize=10_000)  # words of the code, of which there are some three thousand in each language
def _known(words: str, language: str) -> str:
    """The language is the one in force; it is an argument because the words depend on it."""
    return translation.gettext(words)


def offered(value: object, label: object) -> str:
    """What a list offers, in the reader's language; the names of rows, whose values are identifiers, stay."""
    is_row = str(value).isdecimal() and int(str(value)) >= identifiers.BLOCK
    return str(label) if is_row else translated(label)


def translated_state(text: object) -> str:
    """The same of a state, which stands in small letters where the catalogue has a capital."""
    words = str(text)
    if (found := translated(words)) != words:
        return found
    capital = words[:1].upper() + words[1:]
    found = translated(capital)
    return words if found == capital else found[:1].lower() + found[1:]
