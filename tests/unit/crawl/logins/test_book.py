"""Which seed has which credential, and what is said when one is missing."""

import pickle

import pytest

from opilio.crawl.logins.book import EMPTY, CredentialBook
from opilio.crawl.logins.credential import Credential, Headers
from opilio.crawl.logins.errors import BadCredentials, UnknownCredential
from opilio.crawl.logins.reach import Reach
from opilio.crawl.plan import CrawlPlan, Seed, admissions
from opilio.crawl.plan_json import from_json, to_json


def credential(name, host="www.example.org", path="/", **more):
    way = Headers(headers=(("X-Key", "k"),))
    return Credential(name=name, reach=Reach(hosts=(host,), path=path), way=way, **more)


def book(*credentials):
    return CredentialBook({each.name: each for each in credentials})


def plan(*seeds):
    return CrawlPlan(seeds=seeds)


def test_a_seed_gets_the_credential_of_its_host():
    """And the expression for links that end the session; seeds of other hosts get none."""
    given = book(credential("a", logout="/bye"))
    found = given.assigned(plan(Seed(url="https://www.example.org/x"), Seed(url="https://example.net/")))
    assert [(seed.credential, seed.logout) for seed in found.seeds] == [("a", "/bye"), ("", "")]
    assert from_json(to_json(found)) == found


def test_the_longest_path_wins():
    """Two areas of a host may have a credential each."""
    given = book(credential("a"), credential("b", path="/members/"))
    found = given.assigned(plan(Seed(url="https://www.example.org/members/1"), Seed(url="https://www.example.org/")))
    assert [seed.credential for seed in found.seeds] == ["b", "a"]


def test_a_choice_that_nobody_made_is_refused():
    """Two credentials for one place; or one for no seed at all."""
    with pytest.raises(BadCredentials, match="'a' and 'b' are for the same place"):
        book(credential("a"), credential("b")).assigned(plan(Seed(url="https://www.example.org/")))
    with pytest.raises(BadCredentials, match="none of the credentials"):
        book(credential("a")).assigned(plan(Seed(url="https://example.net/")))


def test_a_seed_keeps_the_credential_that_it_names():
    """An empty book changes nothing."""
    given = plan(Seed(url="https://www.example.org/", credential="b"))
    assert book(credential("a")).assigned(given) == given
    assert EMPTY.assigned(given) == given


def test_a_credential_that_is_missing_is_named():
    """With the way to give it."""
    with pytest.raises(UnknownCredential) as caught:
        EMPTY.require(plan(Seed(url="https://www.example.org/", credential="granary")))
    assert "'granary'" in str(caught.value)
    assert "--login FILE" in str(caught.value)
    EMPTY.require(plan(Seed(url="https://www.example.org/"), Seed(url="https://a.org/", credential="x", active=False)))


def test_a_credential_for_another_host_is_refused():
    """It would never be sent."""
    with pytest.raises(BadCredentials, match="not for the host"):
        book(credential("a")).require(plan(Seed(url="https://example.net/", credential="a")))


def test_a_book_goes_from_process_to_process():
    """As the parent hands it to its workers."""
    given = book(credential("a"))
    assert pickle.loads(pickle.dumps(given)) == given  # noqa: S301 - our own bytes


def test_seeds_with_and_without_a_credential_do_not_stand_for_each_other():
    """They admit other URLs: links that end a session are left out for one of them only."""
    url = "https://www.example.org/"
    seeds = (
        Seed(url=url),
        Seed(url=url, credential="a"),
        Seed(url=url, credential="b"),
        Seed(url=url, credential="a", logout="x"),
    )
    assert admissions(plan(*seeds)) == (0, 1, 1, 3)
