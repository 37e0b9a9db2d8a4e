"""Links that would end the session are not followed."""

from tests.sites.logins import book_of, form, outcomes, seed, targets


def test_a_link_to_sign_out_is_excluded(sites):
    """It is denied by a rule of its own."""
    host = "login-logout"
    crawled = sites.crawl(seed(sites, f"{host}/login/inside/0"), book=book_of(sites, host, form(sites, host)))
    assert outcomes(crawled) == {"fetched": 6}
    assert crawled.denied["excluded sign-out"] >= 1
    assert "GET /login/logout" not in targets(sites, host)


def test_the_credential_may_say_which_links_those_are(sites):
    """Its expression replaces the common ones."""
    host = "login-logout-own"
    start = seed(sites, f"{host}/login/inside/0", logout="/inside/[45]")
    crawled = sites.crawl(start, book=book_of(sites, host, form(sites, host)), scope={"exclude": ("/login/logout",)})
    assert outcomes(crawled) == {"fetched": 4}


def test_without_a_credential_such_links_are_links(sites):
    """There is no session that they could end."""
    crawled = sites.crawl("login-logout-plain/login/logout")
    assert "login-logout-plain/login/logout" in crawled.outcomes
