"""Basic authentication (RFC 7617): user and password, once the server asked for them; then with every request."""

import base64
import unicodedata
from collections.abc import Sequence

from opilio.crawl.fetch.exchange import Header
from opilio.crawl.fetch.head import Head
from opilio.crawl.logins.authenticator import AGAIN, AUTHORIZATION, Meaning, Refusal, chosen
from opilio.crawl.logins.challenge import Challenge
from opilio.crawl.logins.credential import Basic


class BasicAuthenticator:
    """Sends nothing until a challenge of its realm came."""

    def __init__(self, way: Basic) -> None:
        text = unicodedata.normalize("NFC", f"{way.user}:{way.password}")
        self._value = f"Basic {base64.b64encode(text.encode()).decode()}"
        self._realm = way.realm
        self._asked = False

    def headers(self, method: str, url: str, body: bytes | None) -> tuple[Header, ...]:
        return ((AUTHORIZATION, self._value),) if self._asked else ()

    def refused(self, asked: Sequence[Challenge], *, sent: bool) -> Refusal:
        fit, refusal = chosen(asked, ("basic",), self._realm)
        if not fit:
            return refusal
        self._asked = True
        if sent:
            reason = f"status 401: user or password was not accepted for the realm “{fit[0].realm[:80]}”"
            return Refusal(meaning=Meaning.REJECTED, reason=reason)
        return AGAIN

    def accepted(self, head: Head) -> None:
        """Nothing to learn."""

    def broken(self) -> None:
        """Nothing to forget."""
