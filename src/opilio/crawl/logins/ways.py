"""From a credential to what speaks for it, and whether all that a plan needs can be spoken here."""

from opilio.crawl.logins.authenticator import Authenticator
from opilio.crawl.logins.basic import BasicAuthenticator
from opilio.crawl.logins.book import CredentialBook
from opilio.crawl.logins.credential import Basic, Cookies, Credential, Digest, Headers, Negotiate
from opilio.crawl.logins.digest import DigestAuthenticator
from opilio.crawl.logins.fixed import FixedAuthenticator
from opilio.crawl.logins.negotiate import NegotiateAuthenticator
from opilio.crawl.logins.spnego_tokens import SpnegoSource
from opilio.crawl.plan import CrawlPlan


def authenticator_of(credential: Credential, host: str) -> Authenticator:
    """What speaks for a credential to one host."""
    way = credential.way
    if isinstance(way, Basic):
        return BasicAuthenticator(way)
    if isinstance(way, Digest):
        return DigestAuthenticator(way)
    if isinstance(way, Negotiate):
        return NegotiateAuthenticator(SpnegoSource(way), host)
    return FixedAuthenticator(way.headers if isinstance(way, Headers) else ())


def brought_by(credential: Credential) -> tuple[tuple[str, str], ...]:
    """The cookies that a credential brings along."""
    return credential.way.cookies if isinstance(credential.way, Cookies) else ()


def require(plan: CrawlPlan, book: CredentialBook) -> None:
    """Raise now what would else be met in the middle of the crawl."""
    book.require(plan)
    for seed in plan.seeds:
        credential = book.get(seed.credential) if seed.active else None
        if credential is not None and isinstance(credential.way, Negotiate):
            SpnegoSource(credential.way)
