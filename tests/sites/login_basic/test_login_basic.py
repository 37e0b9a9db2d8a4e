"""Seed A requirement 5: sites behind basic authentication."""

from tests.sites.logins import asked, basic, book_of, outcomes, seed, targets


def test_pages_behind_basic_authentication_are_fetched(sites):
    """The first 401 is answered; afterwards the password comes with each request."""
    book = book_of(sites, "login-basic", basic(realm="Granary"))
    crawled = sites.crawl(seed(sites, "login-basic/login/basic"), book=book)
    assert outcomes(crawled) == {"fetched": 4}
    assert len(asked(sites, "login-basic")) == 5
    assert [each.status for each in crawled.sink.captures[1:]] == [401, 200, 200, 200, 200]


def test_without_the_credential_it_is_an_error(sites):
    """The same site, crawled by a seed without a credential, stays closed."""
    crawled = sites.crawl("login-basic-closed/login/basic")
    assert outcomes(crawled) == {"permanent-error": 1}


def test_nothing_is_sent_before_a_server_asks(sites):
    """Pages that are open to all never see the password."""
    book = book_of(sites, "login-basic-open", basic())
    sites.crawl(seed(sites, "login-basic-open/page"), book=book)
    assert targets(sites, "login-basic-open") == ["GET /page"]
    assert asked(sites, "login-basic-open")[0].header("Authorization") is None


def test_another_realm_is_not_answered(sites):
    """The credential says which realm it is for."""
    book = book_of(sites, "login-basic-realm", basic(realm="Mill"))
    crawled = sites.crawl(seed(sites, "login-basic-realm/login/basic"), book=book)
    page = crawled.page("login-basic-realm/login/basic")
    assert (page.outcome, page.status) == ("auth-lost", 401)
    assert page.reason == "status 401 for the realm “Granary”, and the credential is for “Mill”"
    assert all(each.header("Authorization") is None for each in asked(sites, "login-basic-realm"))


def test_a_wrong_password_is_tried_twice_and_no_more(sites):
    """Then nothing of that credential is asked for: an account is soon locked."""
    book = book_of(sites, "login-basic-wrong", basic("chaff"))
    starts = [seed(sites, f"login-basic-wrong/login/basic/{number}") for number in range(5)]
    crawled = sites.crawl(*starts, book=book)
    assert outcomes(crawled) == {"auth-lost": 5}
    sent = [each for each in asked(sites, "login-basic-wrong") if each.header("Authorization")]
    assert (len(sent), len(asked(sites, "login-basic-wrong"))) == (2, 3)
    reasons = {page.reason for page in crawled.store.pages()}
    told = "status 401: user or password was not accepted for the realm “Granary”; 2 in a row, nothing more is tried"
    assert reasons == {told}


def test_a_realm_that_changes_ends_the_session(sites):
    """What was fetched stays; what comes after is lost, and its reason names the realm."""
    book = book_of(sites, "login-basic-change", basic(realm="Granary"))
    start = seed(sites, "login-basic-change/login/realm-change", append="?uses=2")
    crawled = sites.crawl(start, book=book)
    assert outcomes(crawled) == {"auth-lost": 2, "fetched": 2}
    lost = [page.reason for page in crawled.store.pages() if page.outcome == "auth-lost"]
    assert all("realm “Barn”" in reason for reason in lost)
