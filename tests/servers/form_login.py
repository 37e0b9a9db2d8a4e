"""A login form with a hidden token, a session cookie, a logout link, and sessions that run out.

`/login/form?lasts=N&over=…` gives a session for N requests; afterwards the protected pages redirect to the form
(`over=redirect`), show the form with status 200 (`page`) or answer 403 (`forbidden`). With `logins=N` only the first N
logins of a host work.
"""

import html
import secrets

from tests.servers.answers import Response, link, page, redirect
from tests.servers.behaviour import Behaviour, Session, Visit, whole
from tests.servers.http_logins import PASSWORD, USER

COOKIE = "granary_session"
ROOMS = 6  # protected pages
_OVER = ("redirect", "page", "forbidden")


def form(visit: Visit) -> Response:
    """The login form; its POST gives a session cookie and redirects to the protected pages."""
    return _sign_in(visit) if visit.request.method == "POST" else _form(visit)


def _form(visit: Visit, *, complaint: str = "", status: int = 200) -> Response:
    token = secrets.token_hex(8)
    visit.memory.tokens.add(token)
    hidden = {"token": token, **{name: visit.text(name, "") for name in ("lasts", "over", "next", "logins")}}
    fields = "".join(
        f'<input type="hidden" name="{name}" value="{html.escape(value)}">' for name, value in hidden.items()
    )
    return page(
        "Sign in",
        f"<p>{complaint}</p>"
        f'<form method="post" action="/login/form">{fields}<input name="user"><input name="password" type="password">'
        '<button name="go" value="1">Sign in</button></form>',
        status=status,
    )


def _sign_in(visit: Visit) -> Response:
    sent = visit.request.form
    if sent.get("token") not in visit.memory.tokens:
        return _form(visit, complaint="This form is too old.", status=403)
    if (sent.get("user"), sent.get("password")) != (USER, PASSWORD) or _used_up(visit, sent.get("logins")):
        return _form(visit, complaint="Wrong user or password.")
    visit.memory.tokens.discard(sent["token"])
    cookie = secrets.token_hex(16)
    visit.memory.sessions[cookie] = _session(sent)
    setting = ("Set-Cookie", f"{COOKIE}={cookie}; Path=/; HttpOnly; SameSite=Lax")
    return redirect(sent.get("next") or "/login/inside/0", status=303, headers=(setting,))


def _used_up(visit: Visit, logins: str | None) -> bool:
    key = (visit.request.host, "logins")
    visit.memory.counts[key] += 1
    return bool(logins) and visit.memory.counts[key] > whole(logins, name="logins")


def _session(sent: dict[str, str]) -> Session:
    over = sent.get("over") or "redirect"
    if over not in _OVER:
        raise ValueError(f"over={over!r} is none of {_OVER}")
    lasts = sent.get("lasts")
    return Session(left=whole(lasts, name="lasts") if lasts else None, over=over)


def inside(visit: Visit) -> Response:
    """Pages that need the session of the login form, and count against its length."""
    session = visit.memory.sessions.get(visit.request.cookies.get(COOKIE, ""))
    if session is None or session.left == 0:
        return _refusal(visit, session)
    if session.left is not None:
        session.left -= 1
    room = whole(visit.segment("0"), name="room", high=ROOMS - 1)
    links = " ".join(link(f"/login/inside/{number}", f"room {number}") for number in range(ROOMS))
    return page(f"Room {room}", f"<p>Signed in as {USER}. {links} {link('/login/logout', 'Sign out')}</p>")


def _refusal(visit: Visit, session: Session | None) -> Response:
    over = session.over if session else "redirect"
    if over == "forbidden":
        return page("Signed out", "<p>Your session is over.</p>", status=403)
    if over == "page":
        return _form(visit, complaint="Your session is over.")
    return redirect(f"/login/form?next={visit.request.path}")


def logout(visit: Visit) -> Response:
    """Ends the session at once, by a plain link that a crawler had better not follow."""
    visit.memory.sessions.pop(visit.request.cookies.get(COOKIE, ""), None)
    return redirect("/login/form", headers=(("Set-Cookie", f"{COOKIE}=; Path=/; Max-Age=0"),))


BEHAVIOURS = (
    Behaviour(name="form-login", path="/login/form", example="/login/form?lasts=3&over=page", answer=form),
    Behaviour(name="form-inside", path="/login/inside", example="/login/inside/0", answer=inside),
    Behaviour(name="form-logout", path="/login/logout", answer=logout),
)
