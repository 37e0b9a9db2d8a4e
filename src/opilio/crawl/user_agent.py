"""How the crawler introduces itself: a product, a version, and an address where people can complain.

Without such an address only private targets may be crawled; a webmaster must be able to reach whoever runs this.
"""

import re
from collections.abc import Iterable

from opilio import __version__
from opilio.crawl.errors import BadPlan
from opilio.crawl.plan import Manners
from opilio.crawl.robots import product_token
from opilio.kernel.addresses import is_private
from opilio.kernel.errors import InvalidInput
from opilio.kernel.urls import parse

_MAIL = re.compile(r"(?:mailto:)?[^@\s<>()]{1,64}@[^@\s<>().]+(?:\.[^@\s<>().]+)+")
_PAGE = re.compile(r"https?://[^\s<>()]{3,}")
_CONTACT = re.compile(rf"{_MAIL.pattern}|{_PAGE.pattern}")
_PRIVATE_NAMES = (".localhost", ".local", ".internal", ".test", ".home.arpa", ".lan")


def user_agent(manners: Manners) -> str:
    """The User-Agent header of a plan: `opilio/0.1.0 (+https://example.org/crawl)`."""
    product = manners.user_agent or f"{manners.agent}/{__version__}"
    if not manners.contact or manners.contact in product:
        return product
    address = manners.contact
    if _MAIL.fullmatch(address):
        address = f"mailto:{address.removeprefix('mailto:')}"
    return f"{product} (+{address})"


def check_introduction(manners: Manners, urls: Iterable[str]) -> None:
    """`BadPlan` when robots.txt could not address us, or when public targets are to be crawled without a contact."""
    if not product_token(manners.agent) or product_token(manners.agent) != manners.agent:
        remedy = "Use letters, hyphens and underscores only, as robots.txt does."
        raise BadPlan(f"{manners.agent[:80]!r} cannot be the name of a crawler", where="manners", remedy=remedy)
    if manners.contact and not _CONTACT.fullmatch(manners.contact):
        remedy = "Give an e-mail address or the URL of a page about the crawl."
        raise BadPlan(f"{manners.contact[:80]!r} is no contact address", where="manners", remedy=remedy)
    public = next((url for url in urls if not is_private_target(url)), None)
    if public is not None and not names_contact(manners):
        remedy = "Give a contact (an e-mail address or the URL of a page about the crawl)."
        raise BadPlan("a crawl of public sites needs a contact address", where=public[:200], remedy=remedy)


def names_contact(manners: Manners) -> bool:
    """Whether a webmaster can find out from the User-Agent header whom to write to."""
    return _CONTACT.search(user_agent(manners)) is not None


def is_private_target(url: str) -> bool:
    """Whether a URL names a machine of one's own: a private address or a name that no registry gives."""
    host = parse(url).host.rstrip(".")
    if "." not in host and ":" not in host:
        return True
    try:
        return is_private(host)
    except InvalidInput:
        return host.endswith(_PRIVATE_NAMES)
