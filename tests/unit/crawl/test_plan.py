"""What a plan may ask for, and which seeds admit the same."""

import pytest

from opilio.crawl.errors import BadPlan
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan, Fetch, Limits, Manners, Scope, ScopeKind, Seed, admissions, limit
from opilio.kernel.errors import InvalidInput


def plan(*seeds, **options):
    return CrawlPlan(seeds=seeds, **options)


def test_a_plan_needs_an_active_seed():
    """Without one there is nothing to do."""
    with pytest.raises(BadPlan) as error:
        plan(Seed(url="https://a.example/", active=False))
    assert "no active seed" in str(error.value)
    assert isinstance(error.value, InvalidInput)


@pytest.mark.parametrize("url", ["", "not a url", "ftp://a.example/", "https://", "https://a.example/" + "x" * 20_000])
def test_a_seed_must_be_fetchable(url):
    """The refusal names the field and the remedy."""
    with pytest.raises(BadPlan) as error:
        Seed(url=url)
    assert "seeds" in str(error.value)
    assert error.value.remedy


@pytest.mark.parametrize(
    "make",
    [
        lambda: Seed(url="https://a.example/", root="nonsense"),
        lambda: Seed(url="https://a.example/", depth=-1),
        lambda: Seed(url="https://a.example/", max_pages=-1),
        lambda: Limits(pages=-1),
        lambda: Limits(seconds=-5),
        lambda: Manners(delay=-0.1),
        lambda: Manners(delay=float("nan")),
        lambda: Manners(tries=0),
        lambda: Manners(user_agent="a\r\nX-Evil: 1"),
        lambda: Scope(max_embed_hops=99),
        lambda: Fetch(total_timeout=0.0),
    ],
)
def test_values_that_make_no_sense_are_refused(make):
    """Negative limits, zero timeouts, line breaks in headers."""
    with pytest.raises(BadPlan):
        make()


def test_a_limit_of_nothing_is_no_limit():
    """0 and None mean the same."""
    assert (limit(0), limit(None), limit(3)) == (None, None, 3)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (ScopeKind.PAGE, (0, 1, 2, 3)),
        (ScopeKind.PREFIX, (0, 0, 2, 3)),
        (ScopeKind.HOST, (0, 0, 0, 3)),
        (ScopeKind.DOMAIN, (0, 0, 0, 0)),
        (ScopeKind.ANY, (0, 0, 0, 0)),
    ],
)
def test_seeds_of_equal_reach_are_known_as_one(kind, expected):
    """Equal means: the same part of the web by the scope's kind, and the same depth."""
    urls = ["https://www.a.org/x/1?y=/z", "https://www.a.org/x/2", "https://www.a.org/y/", "https://b.a.org/x/"]
    assert admissions(plan(*[Seed(url=url) for url in urls], scope=Scope(kind=kind))) == expected


def test_depth_and_root_tell_seeds_apart():
    """A root string decides alone, whatever the scope's kind."""
    made = plan(
        Seed(url="https://a.org/", depth=1),
        Seed(url="https://a.org/", depth=2),
        Seed(url="https://b.org/", root="https://a.org/x"),
        Seed(url="https://c.org/", root="https://a.org/x"),
        scope=Scope(kind=ScopeKind.ANY),
    )
    assert admissions(made) == (0, 1, 2, 2)


def test_every_outcome_says_what_it_means():
    """One sentence each, and names as the documents write them."""
    assert len(Outcome) == 16
    assert all(outcome.sentence.endswith(".") for outcome in Outcome)
    assert Outcome("soft-404").broken
    assert not Outcome.FETCHED.broken
    assert Outcome.GONE.captured
    assert not Outcome.ROBOTS_DENIED.captured
