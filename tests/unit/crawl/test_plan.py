"""What a plan may ask for, and which seeds admit the same."""

from dataclasses import fields

import pytest

from opilio.archive.warc.compression import Compression
from opilio.archive.warc.sink import WarcOptions
from opilio.crawl.errors import BadPlan
from opilio.crawl.manners import pace_of
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import (
    CrawlPlan,
    Fetch,
    Limits,
    Manners,
    RobotsPolicy,
    Scope,
    ScopeKind,
    Seed,
    Traps,
    Warc,
    admissions,
    limit,
)
from opilio.kernel.digests import Algorithm
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
        lambda: Seed(url="https://a.example/", append="?a\nb"),
        lambda: Seed(url="https://a.example/", logout="(("),
        lambda: Scope(max_embed_hops=-1),
        lambda: Scope(max_path_depth=-1),
        lambda: Scope(max_size=-1),
        lambda: Scope(surts=("",)),
        lambda: Scope(surts=("https://a.example/",)),
        lambda: Scope(types=("html",)),
        lambda: Scope(excluded_types=("Text/HTML",)),
        lambda: Scope(exclude=("((",)),
        lambda: Scope(include=("\ud800",)),
        lambda: Scope(excluded_urls=("nonsense",)),
        lambda: Limits(bytes=1 << 63),
        lambda: Limits(pages=1.5),
        lambda: Limits(pages=True),
        lambda: Manners(delay=float("inf")),
        lambda: Manners(factor=float("inf")),
        lambda: Manners(max_delay=1e12),
        lambda: Manners(breaker=0),
        lambda: Manners(bandwidth=-1),
        lambda: Manners(host_bandwidth=-1),
        lambda: Manners(robots_by_host={"A.example": RobotsPolicy.IGNORE}),
        lambda: Manners(contact="a\x00b"),
        lambda: Fetch(connect_timeout=float("inf")),
        lambda: Fetch(idle_timeout=float("nan")),
        lambda: Fetch(first_byte_timeout=1e7),
        lambda: Fetch(connections_per_host=0),
        lambda: Fetch(connections_per_host=-1),
        lambda: Fetch(connections_per_host=10_000),
        lambda: Fetch(max_header=0),
        lambda: Fetch(max_body=0),
        lambda: Fetch(max_ratio=0),
        lambda: Fetch(max_redirects=-1),
        lambda: Fetch(unverified_tls=("a.example:443",)),
        lambda: Fetch(allow_private=("foo",)),
        lambda: Fetch(proxies={"*": "nonsense"}),
        lambda: Warc(size=0),
        lambda: Warc(digest=Algorithm.MD5),
        lambda: Warc(duplicate_size=-1),
        *(lambda name=item.name: Traps(**{name: -1}) for item in fields(Traps)),
    ],
)
def test_values_that_make_no_sense_are_refused(make):
    """Negative limits, zero timeouts, line breaks in headers: each before a folder is made, with a remedy."""
    with pytest.raises(BadPlan) as error:
        make()
    assert error.value.remedy


def test_a_refused_expression_comes_with_its_reason_and_nothing_else(capfd):
    """RE2 says what is wrong; it writes nothing on standard error by itself."""
    with pytest.raises(BadPlan) as error:
        Scope(exclude=("((",))
    assert "missing )" in error.value.what
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("level", range(-1, 11))
def test_a_plan_takes_the_gzip_levels_that_the_archive_has(level):
    """The two do not know each other, and agree."""
    assert _accepted(Warc, gzip_level=level) == _accepted(Compression, level=level)


@pytest.mark.parametrize("algorithm", Algorithm)
def test_a_plan_takes_the_digests_that_the_archive_has(algorithm):
    """The two do not know each other, and agree."""
    assert _accepted(Warc, digest=algorithm) == _accepted(WarcOptions, algorithm=algorithm)


def _accepted(kind, **options):
    try:
        kind(**options)
    except InvalidInput:
        return False
    return True


def test_a_bandwidth_of_nothing_is_no_limit():
    """Also where the preset has one."""
    assert pace_of(Manners(host_bandwidth=0)).host_bandwidth is None
    assert pace_of(Manners()).host_bandwidth


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
