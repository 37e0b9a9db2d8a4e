"""Seats at the door of replay, for captures that only so many readers may see at once.

A browser is known by a cookie of chance bits. It is given with the first answer and counts from the second request on,
so that programs which keep no cookies take no seats.
"""

import contextvars
import secrets
from collections.abc import MutableMapping
from typing import Any

from opilio.archive.replay.asgi import Receive, ReplayApp, Scope, Send
from opilio.kernel.access import Decision, Seat
from opilio.kernel.access_seats import Seats

COOKIE = "opilio-seat"
_BYTES = 16
_LENGTH = 22  # characters of the cookie
_sitting: contextvars.ContextVar[str] = contextvars.ContextVar("sitting", default="")


class SeatedReplay(ReplayApp):
    """Replay that knows one browser from another."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        known = _cookie(scope)
        token = _sitting.set(known)
        try:
            await super().__call__(scope, receive, send if known else _giving(scope, send))
        finally:
            _sitting.reset(token)


class SeatedDecisions:
    """Asks again with a seat, where one is free and the reader is known."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats

    def held(self) -> frozenset[str]:
        """The rules under which whoever asks now holds a seat."""
        who = _sitting.get()
        return self._seats.held(who) if who else frozenset()

    def sat_down(self, decision: Decision) -> bool:
        """Whether a seat that the decision wants was taken; one under which it was made is kept."""
        who = _sitting.get()
        if decision.rule and decision.rule in self.held():
            self._seats.take(Seat(rule=decision.rule, most=0), who)
        return bool(who) and decision.seat is not None and self._seats.take(decision.seat, who)


def _cookie(scope: Scope) -> str:
    """The cookie of the browser; empty when it has none, or one that we never gave."""
    for name, value in scope["headers"]:
        if name.lower() == b"cookie":
            for part in value.decode("latin-1").split(";"):
                key, _, text = part.strip().partition("=")
                if key == COOKIE and len(text) == _LENGTH and text.replace("-", "a").replace("_", "a").isalnum():
                    return str(text)
    return ""


def _giving(scope: Scope, send: Send) -> Send:
    """Adds a fresh cookie to the answer."""
    secure = "; Secure" if scope.get("scheme") == "https" else ""
    value = f"{COOKIE}={secrets.token_urlsafe(_BYTES)}; Path=/; HttpOnly; SameSite=Lax{secure}"

    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), (b"set-cookie", value.encode("latin-1"))]
            message = {**message, "headers": headers}
        await send(message)

    return sent
