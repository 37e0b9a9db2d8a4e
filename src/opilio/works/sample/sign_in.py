"""Who has signed in to the members' area: a form with one known pair, a random token per sign-in session."""

from http.cookies import CookieError, SimpleCookie
from secrets import token_urlsafe
from urllib.parse import parse_qs

from opilio.works.sample.expected import PASSWORD, USERNAME

COOKIE = "tidewick_session"
_ATTRIBUTES = "Path=/members/; HttpOnly; SameSite=Lax"
_CLEARED = f"{COOKIE}=; Max-Age=0; {_ATTRIBUTES}"


class SignIn:
    """The sign-in sessions of one running site; they end with it."""

    def __init__(self) -> None:
        self._tokens: set[str] = set()

    def enter(self, form: bytes) -> str | None:
        """The Set-Cookie value for a form with the right pair, or nothing."""
        try:
            fields = parse_qs(form.decode("utf-8"), max_num_fields=20)
        except ValueError:  # not UTF-8, or more fields than any form of ours has
            return None
        if (fields.get("username"), fields.get("password")) != ([USERNAME], [PASSWORD]):
            return None
        token = token_urlsafe(18)
        self._tokens.add(token)
        return f"{COOKIE}={token}; {_ATTRIBUTES}"

    def knows(self, cookies: str) -> bool:
        """Whether a Cookie header carries a living session."""
        return _token(cookies) in self._tokens

    def leave(self, cookies: str) -> str:
        """End the session of a Cookie header, if any; gives the Set-Cookie value that clears it."""
        self._tokens.discard(_token(cookies))
        return _CLEARED


def _token(cookies: str) -> str:
    try:
        morsel = SimpleCookie(cookies).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel else ""
