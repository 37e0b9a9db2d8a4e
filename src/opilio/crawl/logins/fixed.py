"""Headers and cookies that a credential brings along: sent with every request; nothing can renew them."""

from collections.abc import Sequence

from opilio.crawl.fetch.exchange import Header
from opilio.crawl.fetch.head import Head
from opilio.crawl.logins.authenticator import Meaning, Refusal
from opilio.crawl.logins.challenge import Challenge


class FixedAuthenticator:
    """Sends always the same; for forms, nothing: their session lies in cookies."""

    def __init__(self, headers: Sequence[Header] = ()) -> None:
        self._headers = tuple(headers)

    def headers(self, method: str, url: str, body: bytes | None) -> tuple[Header, ...]:
        return self._headers

    def refused(self, asked: Sequence[Challenge], *, sent: bool) -> Refusal:
        return Refusal(meaning=Meaning.REJECTED, reason="status 401: what the credential brings was not accepted")

    def accepted(self, head: Head) -> None:
        """Nothing to learn."""

    def broken(self) -> None:
        """Nothing to forget."""
