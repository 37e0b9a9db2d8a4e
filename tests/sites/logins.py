"""Credentials for the tiny sites behind a login, and what their server was asked."""

import itertools

from opilio.crawl.logins.book import CredentialBook
from opilio.crawl.logins.credential import Basic, Credential, Digest, Form
from opilio.crawl.logins.reach import Reach
from opilio.crawl.plan import Seed
from tests.servers.http_logins import PASSWORD, USER

NAME = "granary"


def book_of(sites, host, way, *, path="/", https_only=False, **more):
    """A book with one credential for one of the tiny sites."""
    reach = Reach(hosts=(f"{host}.localhost:{sites.server.port}",), path=path, https_only=https_only)
    return CredentialBook({NAME: Credential(name=NAME, reach=reach, way=way, **more)})


def seed(sites, start, **more):
    """A seed that names the credential."""
    return Seed(url=sites.url(start), credential=NAME, **more)


def basic(password=PASSWORD, **more):
    """User and password of the server."""
    return Basic(user=USER, password=password, **more)


def digest(password=PASSWORD, **more):
    """The same, not sent but proven."""
    return Digest(user=USER, password=password, **more)


def form(sites, host, query="", password=PASSWORD, **more):
    """The same, in the form of a host."""
    return Form(page=sites.url(f"{host}/login/form{query}"), user=USER, password=password, **more)


def asked(sites, host):
    """What a host was asked, robots.txt apart."""
    entries = [each for each in sites.server.log() if each.host == f"{host}.localhost"]
    return [each for each in entries if each.target != "/robots.txt"]


def targets(sites, host):
    """Method and target of each request."""
    return [f"{each.method} {each.target}" for each in asked(sites, host)]


def gaps(sites, host):
    """Seconds between the requests to a host, robots.txt among them."""
    times = sorted(each.at for each in sites.server.log() if each.host == f"{host}.localhost")
    return [later - earlier for earlier, later in itertools.pairwise(times)]


def outcomes(crawled):
    """How many URLs have which outcome."""
    found = list(crawled.outcomes.values())
    return {name: found.count(name) for name in sorted(set(found))}
