"""Areas behind Negotiate (RFC 4559), a key in a header, a ticket in a cookie, and a realm that changes its name."""

import base64

from tests.servers.answers import Response, link, page, redirect
from tests.servers.behaviour import Behaviour, Visit
from tests.servers.http_logins import PAGES, PASSWORD, REALM, USER

KEY_HEADER, KEY = "X-Granary-Key", "chaff-81"
TICKET_COOKIE, TICKET = "ticket", "sheaf-42"
#: What client and server say to each other, in turn.
HELLO, QUESTION, PROOF, WELCOME = b"hello", b"prove it", b"I am the curator", b"welcome"


def _inside(area: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    links = " ".join(link(f"{area}/{number}", f"room {number}") for number in range(PAGES))
    return page("Granary", f"<p>Only for those who signed in. {links}</p>", headers=headers)


def _outside(challenge: str = "") -> Response:
    headers = (("WWW-Authenticate", challenge),) if challenge else ()
    return page("Sign in", "<p>Who are you?</p>", status=401, headers=headers)


def negotiate(visit: Visit) -> Response:
    """Negotiate in two legs, which the server wants for every request."""
    scheme, _, token = (visit.request.header("Authorization") or "").partition(" ")
    said = base64.b64decode(token) if scheme.lower() == "negotiate" else b""
    if said == PROOF:
        return _inside("/login/negotiate", (("WWW-Authenticate", _token(WELCOME)),))
    return _outside(_token(QUESTION) if said == HELLO else "Negotiate")


def _token(said: bytes) -> str:
    return f"Negotiate {base64.b64encode(said).decode()}"


def key(visit: Visit) -> Response:
    """A key in a header; 401 without a challenge for everyone else, and for all after `uses` pages of a host."""
    if visit.request.header(KEY_HEADER) != KEY or _used_up(visit, "key"):
        return _outside()
    return _inside("/login/key")


def ticket(visit: Visit) -> Response:
    """A ticket in a cookie; everyone else is led to the login form."""
    if visit.request.cookies.get(TICKET_COOKIE) != TICKET or _used_up(visit, "ticket"):
        return redirect("/login/form")
    return _inside("/login/ticket")


def realm_change(visit: Visit) -> Response:
    """Basic authentication whose realm has another name, and other users, after `uses` pages of a host."""
    wanted = f"Basic {base64.b64encode(f'{USER}:{PASSWORD}'.encode()).decode()}"
    right = visit.request.header("Authorization") == wanted
    if right and not _used_up(visit, "realm"):
        return _inside("/login/realm-change")
    changed = visit.memory.counts[visit.request.host, "realm"] > visit.number("uses", 1 << 30)
    return _outside(f'Basic realm="{"Barn" if changed else REALM}"')


def _used_up(visit: Visit, area: str) -> bool:
    visit.memory.counts[visit.request.host, area] += 1
    return visit.memory.counts[visit.request.host, area] > visit.number("uses", 1 << 30)


BEHAVIOURS = (
    Behaviour(name="negotiate-login", path="/login/negotiate", answer=negotiate),
    Behaviour(name="key-login", path="/login/key", example="/login/key?uses=2", answer=key),
    Behaviour(name="ticket-login", path="/login/ticket", example="/login/ticket?uses=2", answer=ticket),
    Behaviour(
        name="realm-change-login", path="/login/realm-change", example="/login/realm-change?uses=2", answer=realm_change
    ),
)
