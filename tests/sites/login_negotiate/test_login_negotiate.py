"""Sites behind Negotiate: the legs are exchanges of our own, and the tokens somebody else's."""

import types

import pytest

from opilio.crawl.logins import spnego_tokens
from opilio.crawl.logins.credential import Negotiate
from opilio.crawl.logins.errors import NoNegotiation
from tests.servers.other_logins import HELLO, PROOF, QUESTION, WELCOME
from tests.sites.logins import asked, book_of, outcomes, seed


class Library:
    """Stands in for pyspnego: the same calls, and tokens that the test server knows."""

    class SpnegoError(Exception):
        """As the library's own."""

    def __init__(self, proof=PROOF, fails=False):
        self.exceptions = types.SimpleNamespace(SpnegoError=self.SpnegoError)
        self.heard = []
        self.proof = proof
        self.fails = fails

    def client(self, user, password, *, hostname, service, protocol):
        assert (hostname.endswith(".localhost"), service, protocol) == (True, "HTTP", "negotiate")
        if self.fails:
            raise self.SpnegoError("no ticket")
        return Conversation(self)


class Conversation:
    def __init__(self, library):
        self.library = library
        self.complete = False

    def step(self, received):
        self.library.heard.append(received)
        self.complete = received == WELCOME
        return {None: HELLO, QUESTION: self.library.proof}.get(received)


@pytest.fixture
def library(monkeypatch):
    found = Library()
    monkeypatch.setattr(spnego_tokens, "library", lambda: found)
    return found


def test_pages_behind_negotiate_are_fetched_leg_by_leg(sites, library):
    """Each leg is a request of its own; a server that forgets is sent the first token ahead."""
    book = book_of(sites, "login-negotiate", Negotiate())
    crawled = sites.crawl(seed(sites, "login-negotiate/login/negotiate"), book=book)
    assert outcomes(crawled) == {"fetched": 4}
    statuses = [each.status for each in crawled.sink.captures[1:]]
    assert statuses == [401, 401, 200, 401, 401, 200, 401, 200, 401, 200]
    assert library.heard == [None, QUESTION, WELCOME] * 4


def test_a_token_that_is_not_accepted_is_tried_twice_and_no_more(sites, library):
    """Then the credential is lost."""
    library.proof = b"I am somebody"
    book = book_of(sites, "login-negotiate-wrong", Negotiate())
    starts = [seed(sites, f"login-negotiate-wrong/login/negotiate/{number}") for number in range(3)]
    crawled = sites.crawl(*starts, book=book)
    assert outcomes(crawled) == {"auth-lost": 3}
    assert len(asked(sites, "login-negotiate-wrong")) == 5


def test_without_a_ticket_the_reason_says_so(sites, library):
    """The crawl goes on; pages that need the ticket are lost."""
    library.fails = True
    book = book_of(sites, "login-negotiate-none", Negotiate())
    crawled = sites.crawl(seed(sites, "login-negotiate-none/login/negotiate"), book=book)
    assert crawled.page("login-negotiate-none/login/negotiate").reason.endswith(".localhost: no ticket")


def test_without_the_library_the_crawl_does_not_begin(sites, monkeypatch):
    """The error names what to install."""
    monkeypatch.setattr(spnego_tokens, "library", lambda: None)
    book = book_of(sites, "login-negotiate", Negotiate())
    with pytest.raises(NoNegotiation) as caught:
        sites.crawl(seed(sites, "login-negotiate/login/negotiate"), book=book)
    assert "opilio[negotiate]" in str(caught.value)
