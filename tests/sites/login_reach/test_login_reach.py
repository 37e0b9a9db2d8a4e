"""A credential goes where it may, and nowhere else."""

from opilio.crawl.logins.book import CredentialBook
from opilio.crawl.logins.credential import Credential, Headers
from opilio.crawl.logins.reach import Reach
from opilio.crawl.plan import ScopeKind
from tests.servers.other_logins import KEY, KEY_HEADER
from tests.sites.logins import NAME, asked, basic, book_of, form, outcomes, seed, targets


def test_a_redirect_to_another_host_leaves_the_credential_behind(sites):
    """The target is fetched, without what is secret."""
    book = book_of(sites, "login-reach", Headers(headers=((KEY_HEADER, KEY),)))
    there = sites.url("login-reach-other/echo")
    start = seed(sites, f"login-reach/redirect/to?url={there}")
    crawled = sites.crawl(start, book=book, scope={"kind": ScopeKind.ANY})
    assert "login-reach-other/echo" in crawled.fetched
    assert asked(sites, "login-reach")[0].header(KEY_HEADER) == KEY
    assert asked(sites, "login-reach-other")[0].header(KEY_HEADER) is None


def test_a_domain_is_logged_in_to_where_its_hosts_ask_for_it(sites):
    """The host of the form at once; another host of the domain only when it asks."""
    domain = f"login-domain.localhost:{sites.server.port}"
    way = form(sites, "www.login-domain")
    book = CredentialBook({NAME: Credential(name=NAME, reach=Reach(domain=domain, https_only=False), way=way)})
    starts = ["www.login-domain/login/inside/0", "img.login-domain/page", "more.login-domain/login/inside/1"]
    crawled = sites.crawl(*(seed(sites, start, depth=0) for start in starts), book=book)
    assert targets(sites, "img.login-domain") == ["GET /page"]
    assert targets(sites, "more.login-domain") == ["GET /login/inside/1"] * 2
    assert targets(sites, "www.login-domain").count("POST /login/form") == 2
    assert crawled.outcomes["img.login-domain/page"] == "fetched"
    # the cookie of that site is for one host, so its second host stays closed
    assert outcomes(crawled) == {"auth-lost": 1, "fetched": 2}


def test_a_path_bounds_the_credential(sites):
    """Beside its path nothing is sent."""
    book = book_of(sites, "login-reach-path", Headers(headers=((KEY_HEADER, KEY),)), path="/login/")
    sites.crawl(seed(sites, "login-reach-path/page"), seed(sites, "login-reach-path/login/key", depth=0), book=book)
    sent = {each.target: each.header(KEY_HEADER) for each in asked(sites, "login-reach-path")}
    assert sent == {"/page": None, "/login/key": KEY}


def test_a_credential_for_https_is_not_sent_over_http(sites):
    """A page that wants it is lost, and the reason says why."""
    book = book_of(sites, "login-reach-http", basic(), https_only=True)
    crawled = sites.crawl(seed(sites, "login-reach-http/login/basic"), book=book)
    assert outcomes(crawled) == {"auth-lost": 1}
    assert crawled.page("login-reach-http/login/basic").reason.endswith("was not sent: it is for https only")
    assert [each.header("Authorization") for each in asked(sites, "login-reach-http")] == [None]


def test_pages_of_another_seed_are_asked_for_without_it(sites):
    """A URL is fetched with the credential of the seed that it is charged to."""
    host = "login-reach-seeds"
    book = book_of(sites, host, Headers(headers=((KEY_HEADER, KEY),)))
    sites.crawl(f"{host}/echo?mine", seed(sites, f"{host}/login/key", depth=0), book=book)
    sent = {each.target: each.header(KEY_HEADER) for each in asked(sites, host)}
    assert sent == {"/echo?mine": None, "/login/key": KEY}
