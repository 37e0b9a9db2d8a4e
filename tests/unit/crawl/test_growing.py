"""Paths that grow by session identifiers or by forms of their parameters, and pages that come in long rows."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.crawl.engine.growth import Growth, pattern_of
from opilio.crawl.plan import Traps
from opilio.crawl.scope import growing as growing_module
from opilio.crawl.scope.growing import Growing

SESSIONS = [f"http://museum.example/news/a?sid={number:016x}" for number in range(30)]


def test_session_identifiers_are_noticed_after_some():
    """The same path with ever new identifiers; those that were asked for may be asked for again."""
    growing = Growing(Traps())
    said = [growing.admit(url) for url in SESSIONS]
    assert said[:20] == [""] * 20
    assert set(said[20:]) == {"its path came with 20 different session identifiers already"}
    assert growing.admit(SESSIONS[0]) == ""


@pytest.mark.parametrize(
    "form",
    [
        "http://x.example/a;jsessionid={}",
        "http://x.example/a;JSESSIONID={}?page=2",
        "http://x.example/a?PHPSESSID={}&page=2",
        "http://x.example/a?page=2&session_id={}",
        "http://x.example/a?s={}",
    ],
)
def test_session_identifiers_are_known_by_their_names(form):
    """Wherever in the URL they stand."""
    growing = Growing(Traps())
    assert [bool(growing.admit(form.format(f"{number:08x}"))) for number in range(21)] == [False] * 20 + [True]


@pytest.mark.parametrize(
    "form",
    [
        "http://x.example/a?id={:016x}",  # no session
        "http://x.example/a?s={}",  # a search for something short
        "http://x.example/{}?sid=0123456789abcdef",  # one identifier, many paths
        "http://x.example/a&{}",  # no query
        "http://x.example/list?id={}&lang=en",  # values are no forms
    ],
)
def test_ordinary_urls_do_not_make_a_path_grow(form):
    """However many there are."""
    growing = Growing(Traps(max_query_forms=5))
    assert not any(growing.admit(form.format(number)) for number in range(300))


def test_orders_and_subsets_of_parameters_are_noticed():
    """A filter with every order of its options."""
    growing = Growing(Traps(max_query_forms=5))
    forms = ("ab", "ba", "abc", "acb", "bca", "cab", "cba")
    urls = ["http://museum.example/f?" + "&".join(f"{name}=1" for name in form) for form in forms]
    assert [bool(growing.admit(url)) for url in urls] == [False] * 5 + [True] * 2


def test_what_is_refused_for_its_form_uses_up_no_session_identifier():
    """Only what is asked for counts."""
    growing = Growing(Traps(max_query_forms=1))
    assert growing.admit("http://x.example/a?b=1&c=1") == ""
    assert all(growing.admit(f"http://x.example/a?z=1&sid={number:08x}") for number in range(50))
    assert growing.admit("http://x.example/a?sid=00000000") == ""


def test_looking_counts_nothing():
    """Only admission does; and what is refused stays refused."""
    growing = Growing(Traps())
    assert not any(growing.refusal(url) for url in SESSIONS)
    for url in SESSIONS[:20]:
        growing.admit(url)
    assert not any(growing.refusal(url) for url in SESSIONS[:20])
    assert all(growing.refusal(url) for url in SESSIONS[20:])


@given(st.integers(0, 2**32), st.lists(st.integers(0, 5), max_size=60))
def test_as_many_are_admitted_in_any_order(seed, paths):
    """Whoever finds the URLs first, each path ends with the same number of identifiers; doing it again adds none."""
    urls = [f"http://x.example/{path}?sid={number:012d}" for number, path in enumerate(paths * 3)]
    shuffled = random.Random(seed).sample(urls, len(urls))
    admitted = []
    for order in (urls, shuffled):
        growing = Growing(Traps())
        kept = [url for url in order if not growing.admit(url)]
        assert not any(growing.admit(url) for url in kept)
        admitted.append({path: sum(f"/{path}?" in url for url in kept) for path in range(6)})
    assert admitted[0] == admitted[1] == {path: min(20, 3 * paths.count(path)) for path in range(6)}


def test_more_paths_than_are_counted_are_let_through(monkeypatch):
    """And those that are counted stay so."""
    monkeypatch.setattr(growing_module, "_MOST_COUNTED", 1)
    growing = Growing(Traps())
    for url in SESSIONS:
        growing.admit(url)
    assert growing.refusal(SESSIONS[-1])
    assert not any(growing.admit(f"http://x.example/other?sid={number:08x}") for number in range(50))


def test_urls_without_numbers_have_no_pattern():
    """No page can follow them."""
    assert pattern_of("http://x.example/about") == ""
    assert pattern_of("http://x.example/2024/12") == "http://x.example/0/0"


def test_pages_that_hardly_differ_end_after_a_long_row():
    """Some of them are looked at, once many came; a host's other patterns are not concerned."""
    growth = Growth(40)
    said = [growth.endless(f"http://x.example/{number}", "the same words on every page") for number in range(80)]
    assert said == [False] * 49 + [True] * 31  # those with the numbers 30, 40 and 50 are alike
    assert not growth.endless("http://x.example/other/1", "the same words on every page")


def test_an_earlier_life_is_taken_up():
    """From the count of pages, and the texts of the last that were looked at."""
    growth = Growth(40)
    growth.recall("http://x.example/0", 47, ["the same words on every page"] * 2)
    said = [growth.endless(f"http://x.example/{number}", "the same words on every page") for number in range(4)]
    assert said == [False, False, True, True]


def test_many_patterns_do_not_make_a_long_row_forgotten(monkeypatch):
    """Those that came once go first."""
    monkeypatch.setattr("opilio.crawl.engine.growth._MOST_PATTERNS", 20)
    growth = Growth(40)
    for number in range(100):
        endless = growth.endless(f"http://x.example/{number}", "the same words on every page")
        growth.endless(f"http://x.example/{'a' * number}/1", "other words")
    assert endless
