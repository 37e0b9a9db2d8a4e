"""Seed A requirement 5: sites with a login form, and sessions that end in the middle of a crawl."""

import pytest

from opilio.crawl.engine.settings import EngineSettings
from opilio.crawl.logins.credential import Signs
from tests.sites.crawling import QUICK
from tests.sites.logins import asked, book_of, form, gaps, outcomes, seed, targets

ROOMS = 6


def test_pages_behind_a_form_are_fetched_and_the_way_in_is_kept(sites):
    """The form is asked for, filled in with its hidden fields and posted; each step is a capture."""
    book = book_of(sites, "login-form", form(sites, "login-form"))
    crawled = sites.crawl(seed(sites, "login-form/login/inside/0"), book=book)
    assert outcomes(crawled) == {"fetched": ROOMS}
    assert targets(sites, "login-form")[:4] == [
        "GET /login/form", "POST /login/form", "GET /login/inside/0", "GET /login/inside/0",
    ]  # fmt: skip
    hops = [each.provenance.hops for each in crawled.sink.captures[1:5]]
    assert hops == ["P", "P", "P", ""]


@pytest.mark.parametrize("over", ["redirect", "page", "forbidden"])
def test_a_session_that_ends_is_begun_anew(sites, over):
    """A redirect to the form, the form itself or a sudden 403 lead to a new login, and the page is asked for again."""
    host = f"login-form-{over}"
    book = book_of(sites, host, form(sites, host, f"?lasts=3&over={over}"))
    crawled = sites.crawl(seed(sites, f"{host}/login/inside/0"), book=book)
    assert outcomes(crawled) == {"fetched": ROOMS}
    assert targets(sites, host).count("POST /login/form") == 3


def test_a_page_that_stays_forbidden_is_believed(sites):
    """One new login tells; further pages with 403 cost none."""
    host = "login-form-403"
    starts = [seed(sites, f"{host}/login/inside/0", depth=0)]
    starts += [seed(sites, f"{host}/status/403?{number}") for number in range(3)]
    crawled = sites.crawl(*starts, book=book_of(sites, host, form(sites, host)))
    assert outcomes(crawled) == {"fetched": 1, "permanent-error": 3}
    assert targets(sites, host).count("POST /login/form") <= 2


def test_the_login_page_itself_is_a_page(sites):
    """It shows a form to everyone, and that is no lost session."""
    host = "login-form-itself"
    book = book_of(sites, host, form(sites, host))
    crawled = sites.crawl(seed(sites, f"{host}/login/form?from=link"), book=book)
    assert outcomes(crawled) == {"fetched": 1}
    assert targets(sites, host).count("POST /login/form") == 1


@pytest.mark.parametrize(
    "signs", [Signs(text="Signed in as curator"), Signs(url="/login/inside/0$"), Signs(cookie="granary_session")]
)
def test_signs_tell_of_success(sites, signs):
    """A text, the URL where the login ends, or a cookie."""
    host = f"login-form-sign-{len(signs.text)}{len(signs.url)}"
    crawled = sites.crawl(
        seed(sites, f"{host}/login/inside/1", depth=0), book=book_of(sites, host, form(sites, host, success=signs))
    )
    assert outcomes(crawled) == {"fetched": 1}


def test_a_sign_that_is_missing_is_a_failed_login(sites):
    """The reason says which."""
    host = "login-form-no-sign"
    book = book_of(sites, host, form(sites, host, success=Signs(text="Welcome back")))
    crawled = sites.crawl(seed(sites, f"{host}/login/inside/1"), book=book)
    page = crawled.page(f"{host}/login/inside/1")
    assert page.outcome == "auth-lost"
    assert "lacks the text" in page.reason


def test_requests_of_a_login_keep_the_delay(sites):
    """Two requests to the host are never closer, whatever they are for."""
    host = "login-form-polite"
    book = book_of(sites, host, form(sites, host, "?lasts=3"))
    sites.crawl(seed(sites, f"{host}/login/inside/0"), book=book, manners={"delay": 0.1})
    assert len(asked(sites, host)) > ROOMS + 6
    assert min(gaps(sites, host)) >= 0.099


def test_a_login_goes_on_where_the_host_s_turn_is_far_away(sites):
    """The next step is kept until the turn comes; the login does not begin anew each time."""
    host = "login-form-slow"
    book = book_of(sites, host, form(sites, host))
    impatient = EngineSettings(
        robots_retry=0.1, commit_every=QUICK.commit_every, pause=0.05, quiet=0.2, longest_wait=0.05
    )
    crawled = sites.crawl(
        seed(sites, f"{host}/login/inside/0", depth=0), book=book, manners={"delay": 0.3}, settings=impatient
    )
    assert outcomes(crawled) == {"fetched": 1}
    assert targets(sites, host) == [
        "GET /login/form", "POST /login/form", "GET /login/inside/0", "GET /login/inside/0",
    ]  # fmt: skip


def test_several_connections_log_in_once(sites):
    """While nothing is proven, the others wait."""
    host = "login-form-several"
    book = book_of(sites, host, form(sites, host))
    starts = [seed(sites, f"{host}/login/inside/{number}", depth=0) for number in range(ROOMS)]
    crawled = sites.crawl(*starts, book=book, fetch={"connections_per_host": 4})
    assert outcomes(crawled) == {"fetched": ROOMS}
    assert targets(sites, host).count("POST /login/form") == 1
