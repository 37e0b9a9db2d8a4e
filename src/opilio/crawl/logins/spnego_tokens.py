"""Tokens of Kerberos and NTLM from the optional library pyspnego (`pip install 'opilio[negotiate]'`)."""

import importlib
import importlib.util
from typing import Any

from opilio.crawl.logins.credential import Negotiate
from opilio.crawl.logins.errors import NoNegotiation
from opilio.crawl.logins.negotiate import Tokens


def library() -> Any:
    """The library, loaded on first use (it is large), and None where it is not installed."""
    return importlib.import_module("spnego") if importlib.util.find_spec("spnego") else None


class SpnegoSource:
    """Begins conversations as one user, or with the ticket that the process has."""

    def __init__(self, way: Negotiate) -> None:
        self._spnego = library()
        if self._spnego is None:
            raise NoNegotiation(
                "a credential of the kind negotiate needs the library pyspnego",
                remedy="Install it: pip install 'opilio[negotiate]'.",
            )
        self._way = way

    def begin(self, host: str) -> Tokens:
        """A conversation with HTTP@host."""
        try:
            context = self._spnego.client(
                self._way.user or None, self._way.password or None, hostname=host, service="HTTP", protocol="negotiate"
            )
        except self._spnego.exceptions.SpnegoError as error:
            raise _failed(host, error) from None
        return _Conversation(context, host, self._spnego.exceptions.SpnegoError)


class _Conversation:
    def __init__(self, context: Any, host: str, refusal: type[Exception]) -> None:
        self._context = context
        self._host = host
        self._refusal = refusal

    def step(self, received: bytes | None) -> bytes | None:
        """The next token."""
        if self._context.complete:
            return None
        try:
            token: bytes | None = self._context.step(received)
        except self._refusal as error:
            raise _failed(self._host, error) from None
        return token


def _failed(host: str, error: Exception) -> NoNegotiation:
    return NoNegotiation(
        f"no token for HTTP@{host}: {str(error)[:200]}",
        remedy="Check user and password, or get a ticket with kinit.",
    )
