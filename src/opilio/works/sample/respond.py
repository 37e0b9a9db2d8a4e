"""Decides what the sample site answers to a request. Pure but for the sign-in sessions; `server.py` does the I/O."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import quote, unquote_to_bytes, urlsplit

from opilio.works.sample.expected import LOGIN_ACTION, LOGIN_PAGE, LOGOUT_ACTION
from opilio.works.sample.listing import lookup, pages, special
from opilio.works.sample.response import Response, is_unchanged, redirect
from opilio.works.sample.sign_in import SignIn

_MEMBERS = "/members/"
_PLAIN = {"Content-Type": "text/plain; charset=utf-8"}


@dataclass(frozen=True, kw_only=True)
class Request:
    """What of a request matters here."""

    target: str  # as sent: a path with its query, or a whole URL
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case
    form: bytes = b""


class Site:
    """The sample site at one origin, ready to answer."""

    def __init__(self, origin: str) -> None:
        self._responses = pages(origin)
        self._not_found = special("not-found", status=404)
        self._login_failed = special("login-failed", status=403)
        self._sign_in = SignIn()

    def get(self, request: Request) -> Response:
        """The answer to GET, and to HEAD but for its body."""
        parts = _split(request.target)
        if parts is None:
            return Response(status=400, headers=_PLAIN, body=b"The address of this request cannot be read.\n")
        response = lookup(self._responses, *parts) or self._not_found
        if response.members_only and not self._sign_in.knows(request.headers.get("cookie", "")):
            return redirect(302, LOGIN_PAGE)
        if is_unchanged(response, request.headers):
            kept = {name: value for name, value in response.headers.items() if name != "Content-Type"}
            return Response(status=304, headers=kept)
        return response

    def post(self, request: Request) -> Response:
        """The answer to POST: sign in, sign out, or "not here"."""
        parts = _split(request.target)
        if parts is not None and parts[0] == LOGIN_ACTION:
            return self._login(request)
        if parts is not None and parts[0] == LOGOUT_ACTION:
            return _with_cookie(redirect(303, "/"), self._sign_in.leave(request.headers.get("cookie", "")))
        headers = {**_PLAIN, "Allow": "GET, HEAD"}
        return Response(status=405, headers=headers, body=b"Nothing can be posted to this address.\n")

    def _login(self, request: Request) -> Response:
        cookie = self._sign_in.enter(request.form)
        return self._login_failed if cookie is None else _with_cookie(redirect(303, _MEMBERS), cookie)


def _with_cookie(response: Response, cookie: str) -> Response:
    return replace(response, headers={**response.headers, "Set-Cookie": cookie, "Cache-Control": "no-store"})


def _split(target: str) -> tuple[str, str] | None:
    """Path and query in the spelling of the listing, so that `/caf%c3%a9/` and `/café/` are the same."""
    try:
        parts = urlsplit(target)
    except ValueError:
        return None
    # http.server reads the request line as Latin-1, so raw bytes arrive as the characters of that charset.
    raw = unquote_to_bytes(parts.path.encode("latin-1", "replace"))
    return quote(raw), parts.query
