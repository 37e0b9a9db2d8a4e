"""Keeps a crawl that names no contact away from the open internet, wherever links, embeds and redirects lead.

`check_introduction` looks at the seeds before a crawl begins; here the address counts that would be connected to.
"""

from opilio.crawl.fetch.exchange import Ask, Failure, Trouble
from opilio.crawl.fetch.guard import Guard
from opilio.crawl.fetch.resolver import Resolver, literal
from opilio.crawl.plan import Manners
from opilio.crawl.user_agent import is_private_target, names_contact
from opilio.kernel.clock import Clock

_NOTHING_ALLOWED = Guard()


class Introducing:
    """Asked before every request of a worker."""

    def __init__(self, manners: Manners, resolver: Resolver, clock: Clock) -> None:
        self._introduced = names_contact(manners)
        self._resolver = resolver
        self._clock = clock

    async def refusal(self, ask: Ask, host: str) -> Failure | None:
        """Why a request is not made; None when it may be."""
        if self._introduced or not (place := await self._public(ask, host)):
            return None
        words = f"{place} is a public address, and the plan names no contact"
        return Failure(trouble=Trouble.NO_CONTACT, words=words, started=self._clock.now(), seconds=0.0)

    async def _public(self, ask: Ask, host: str) -> str:
        """The public address of a host, or its name where only a proxy will know; empty if it is private."""
        if ask.proxy is not None and ask.proxy.resolves_names and literal(host.strip("[]")) is None:
            return "" if is_private_target(ask.url) else host
        found = await self._resolver.resolve(host)
        return next((address for address in found.addresses if not _NOTHING_ALLOWED.refusal(address)), "")
