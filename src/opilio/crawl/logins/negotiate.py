"""Negotiate (RFC 4559): tokens to and fro until both sides are content, one exchange per token.

The tokens come from a `TokenSource`; `spnego_tokens` has the real one. A request is first asked without a token, as
servers remember the connection or set a cookie; one that forgets is sent the first token ahead from then on.
"""

import base64
import binascii
from collections.abc import Sequence
from typing import Protocol

from opilio.crawl.fetch.exchange import Header
from opilio.crawl.fetch.head import Head
from opilio.crawl.logins.authenticator import AGAIN, AUTHORIZATION, Meaning, Refusal, chosen
from opilio.crawl.logins.challenge import Challenge, challenges

_MOST_LEGS = 6


class Tokens(Protocol):
    """One conversation."""

    def step(self, received: bytes | None) -> bytes | None:
        """The next token to send, None when nothing more is to be sent; `NoNegotiation` when it cannot go on."""
        ...


class TokenSource(Protocol):
    """Begins conversations."""

    def begin(self, host: str) -> Tokens:
        """A conversation with the service HTTP of a host; `NoNegotiation` when that is not possible."""
        ...


class NegotiateAuthenticator:
    """Holds one conversation with one host at a time."""

    def __init__(self, source: TokenSource, host: str) -> None:
        self._source = source
        self._host = host
        self._tokens: Tokens | None = None
        self._token: bytes | None = None  # to be sent with the next request
        self._legs = 0
        self._good = self._ahead = False

    def headers(self, method: str, url: str, body: bytes | None) -> tuple[Header, ...]:
        if self._token is None and self._ahead:
            self._begin()
        token = self._token
        return ((AUTHORIZATION, f"Negotiate {base64.b64encode(token).decode()}"),) if token is not None else ()

    def refused(self, asked: Sequence[Challenge], *, sent: bool) -> Refusal:
        fit, refusal = chosen(asked, ("negotiate",), "")
        if not fit:
            return refusal
        if not sent:
            self._ahead = self._good
            self._begin()
            return AGAIN
        self._legs, self._token = self._legs + 1, None
        if not fit[0].token or self._tokens is None or self._legs > _MOST_LEGS:
            return self._rejected("status 401: the server did not accept the token")
        received = _decoded(fit[0].token)
        self._token = self._tokens.step(received) if received is not None else None
        return AGAIN if self._token is not None else self._rejected("the server's token leads nowhere")

    def accepted(self, head: Head) -> None:
        """The last token of the server ends the conversation."""
        told = [each for each in challenges(head.all("www-authenticate")) if each.scheme == "negotiate" and each.token]
        received = _decoded(told[0].token) if told else None
        if received is not None and self._tokens is not None:
            self._tokens.step(received)
        self._good, self._tokens, self._token = True, None, None

    def broken(self) -> None:
        """A conversation belongs to its connection."""
        self._tokens = self._token = None

    def _begin(self) -> None:
        self._tokens, self._legs = self._source.begin(self._host), 0
        self._token = self._tokens.step(None)

    def _rejected(self, reason: str) -> Refusal:
        self._begin()
        return Refusal(meaning=Meaning.REJECTED, reason=reason)


def _decoded(token: str) -> bytes | None:
    try:
        return base64.b64decode(token, validate=True)
    except binascii.Error:
        return None
