"""Which URLs belong to a crawl, and which rule says so."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.crawl.errors import BadPlan
from opilio.crawl.outcomes import Outcome
from opilio.crawl.plan import CrawlPlan, Scope, ScopeKind, Seed
from opilio.crawl.scope.chain import ScopeChain
from opilio.crawl.scope.traps import Alike
from opilio.crawl.scope.verdict import Candidate
from opilio.kernel.capture import Hop
from opilio.kernel.urls import canonical

TODAY = date(2026, 11, 15)
SEED = "http://museum.example/news/index.html"


def chain(*, seed=None, widened=(), **scope):
    plan = CrawlPlan(seeds=(seed or Seed(url=SEED),), scope=Scope(**scope))
    return ScopeChain(plan, today=TODAY, widened=widened)


def judge(rules, url, *, depth=1, embed_hops=0, hop=Hop.LINK):
    url = canonical(url)
    return rules.judge(
        Candidate(url=url, seed=0, depth=depth, embed_hops=embed_hops, hop=hop)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "inside", "outside"),
    [
        (ScopeKind.PAGE, [SEED], ["http://museum.example/news/other.html"]),
        (
            ScopeKind.PREFIX,
            ["http://museum.example/news/a", "http://museum.example/news/2026/b"],
            ["http://museum.example/newspaper", "http://museum.example/", "https://museum.example/news/a"],
        ),
        (
            ScopeKind.HOST,
            ["http://museum.example/", "https://museum.example/shop"],
            ["http://www.museum.example/", "http://museum.example:8080/"],
        ),
        (
            ScopeKind.DOMAIN,
            ["http://museum.example/", "http://shop.museum.example/x", "https://museum.example:444/"],
            ["http://othermuseum.example/", "http://example/"],
        ),
        (ScopeKind.ANY, ["http://anything.example/"], []),
    ],
)
def test_each_kind_of_scope_reaches_as_far_as_it_says(kind, inside, outside):
    """Page, prefix, host, domain, any."""
    rules = chain(kind=kind)
    assert [url for url in inside if not judge(rules, url).accepted] == []
    assert [url for url in outside if judge(rules, url).accepted] == []
    for url in outside:
        assert judge(rules, url).rule == "root"
        assert "museum.example" in judge(rules, url).reason


def test_a_root_string_is_a_prefix_of_the_canonical_url():
    """Not something that the URL contains, and compared after canonicalisation."""
    rules = chain(seed=Seed(url=SEED, root="HTTP://Museum.example:80/ne%77s/"))
    assert judge(rules, "http://museum.example/news/x").accepted
    assert not judge(rules, "http://museum.example/x?from=http://museum.example/news/").accepted


def test_scheme_and_www_drift_only_as_an_option():
    """Under the same root string."""
    drifted = ["https://www.museum.example/news/a", "https://museum.example/news/a", "http://www.museum.example/news/a"]
    strict = chain()
    loose = chain(schemes_alike=True, www_alike=True)
    assert not any(judge(strict, url).accepted for url in drifted)
    assert all(judge(loose, url).accepted for url in drifted)


def test_depth_is_counted_in_links_and_embeds_come_along():
    """An image of a page at the limit is still fetched; a page beyond it is not."""
    rules = chain(seed=Seed(url=SEED, depth=1))
    assert judge(rules, "http://museum.example/news/a", depth=1).accepted
    denied = judge(rules, "http://museum.example/news/b", depth=2)
    assert (denied.accepted, denied.rule) == (False, "depth")
    image = judge(rules, "http://cdn.example/a.png", depth=1, embed_hops=1, hop=Hop.EMBED)
    assert image.accepted


def test_depth_zero_is_the_seed_page_with_its_embeds():
    """A link from it has depth 1 and is out."""
    rules = chain(seed=Seed(url=SEED, depth=0))
    assert judge(rules, SEED, depth=0).accepted
    assert judge(rules, "http://museum.example/news/a.png", depth=0, embed_hops=1, hop=Hop.EMBED).accepted
    assert not judge(rules, "http://museum.example/news/a", depth=1).accepted


def test_embeds_of_embeds_end_somewhere():
    """A frame in a frame in a frame is too far from its page."""
    rules = chain(max_embed_hops=2)
    assert judge(rules, "http://museum.example/news/f", embed_hops=2).accepted
    assert judge(rules, "http://museum.example/news/f", embed_hops=3).rule == "embed"


def test_offsite_embeds_can_be_left_out():
    """Those on the site stay."""
    rules = chain(offsite_embeds=False)
    assert not judge(rules, "http://cdn.example/a.png", embed_hops=1).accepted
    assert judge(rules, "http://museum.example/news/a.png", embed_hops=1).accepted


def test_exclusions_name_the_expression_and_includes_take_them_back():
    """But an include never widens the scope."""
    rules = chain(exclude=(r"/print/", r"\?sort="), include=(r"/print/keep", r"elsewhere"))
    denied = judge(rules, "http://museum.example/news/print/a")
    assert (denied.rule, denied.outcome) == ("exclude", Outcome.EXCLUDED)
    assert "/print/" in denied.reason
    assert judge(rules, "http://museum.example/news/print/keep").accepted
    assert not judge(rules, "http://elsewhere.example/").accepted


def test_what_is_forbidden_is_never_taken_back():
    """Neither by an include, nor because it is part of a page."""
    rules = chain(forbidden=(r"/closed/",), include=(r"/closed/keep",), exclude=(r"x",))
    denied = judge(rules, "http://museum.example/news/closed/keep")
    assert (denied.rule, denied.outcome) == ("forbidden", Outcome.EXCLUDED)
    assert not judge(rules, "http://museum.example/news/closed/a.png", embed_hops=1).accepted


def test_an_excluded_url_is_that_page_exactly():
    """Its neighbours, and the same page with a query, stay in."""
    rules = chain(excluded_urls=("http://museum.example/news/a",))
    assert judge(rules, "http://museum.example/news/a").rule == "excluded-url"
    assert judge(rules, "http://museum.example/news/ab").accepted
    assert judge(rules, "http://museum.example/news/a?x=1").accepted


def test_exclusions_hold_for_embeds_too():
    """What must not be collected is not collected as a part of a page either."""
    rules = chain(exclude=(r"^http://ads\.",))
    assert not judge(rules, "http://ads.example/banner.png", embed_hops=1).accepted


def test_surt_prefixes_admit_more():
    """Beside the root."""
    rules = chain(surts=("example,shop)/museum",))
    assert judge(rules, "http://shop.example/museum/cups").accepted
    assert not judge(rules, "http://shop.example/other").accepted


def test_path_depth_is_limited_by_segments():
    """Empty ones do not count."""
    rules = chain(max_path_depth=2)
    assert judge(rules, "http://museum.example/news//a").accepted
    assert judge(rules, "http://museum.example/news/a/b").rule == "path-depth"


def test_a_redirected_seed_widens_only_when_told():
    """The engine passes the new place; the old one stays admitted."""
    moved = "http://new.example/start/"
    assert not judge(chain(), f"{moved}a").accepted
    rules = chain(widened=[(0, moved)])
    assert judge(rules, f"{moved}a").accepted
    assert judge(rules, "http://museum.example/news/a").accepted


def test_a_bad_expression_is_refused_with_its_place():
    """Also one that RE2 does not know."""
    with pytest.raises(BadPlan, match="exclude"):
        chain(exclude=("(unclosed",))
    with pytest.raises(BadPlan):
        chain(include=(r"(?<=look)behind",))


@pytest.mark.parametrize(
    "url",
    [
        "http://museum.example/news/" + "a/" * 41,
        "http://museum.example/news/x/y/x/y/x/y/x/y",
        "http://museum.example/news/" + "a" * 4_000,
        "http://museum.example/news/calendar/2036/01",
        "http://museum.example/news/calendar?month=3&year=1999",
        "http://museum.example/news/events/1990-05",
    ],
)
def test_urls_of_trap_shape_are_rejected(url):
    """Too deep, repeating, too long, calendars far away."""
    verdict = judge(chain(), url)
    assert (verdict.accepted, verdict.outcome) == (False, Outcome.TRAP)
    assert verdict.rule.startswith("trap-")


@pytest.mark.parametrize(
    "url",
    [
        "http://museum.example/news/2011/05/harbour-fire",
        "http://museum.example/news/calendar/2026/12",
        "http://museum.example/news/a/b/c/d/e",
    ],
)
def test_ordinary_urls_are_no_traps(url):
    """Old articles and next month's calendar."""
    assert judge(chain(), url).accepted


def test_pages_that_hardly_differ_are_counted():
    """In a row, by pattern of URL; a page that differs starts anew."""
    alike = Alike(most=3)
    assert [alike.note(f"http://x/{n}", 0b1000) for n in range(5)] == [False, False, False, True, True]
    assert not alike.note("http://x/9", 2**60 - 1)
    assert not alike.note("http://other/1", 0b1000)


@given(st.text(max_size=60), st.integers(0, 5), st.integers(0, 5))
def test_any_path_gets_a_verdict(path, depth, embeds):
    """The rules never fail, and a rejection always has a reason."""
    rules = chain(kind=ScopeKind.HOST, exclude=("x",), include=("y",), max_path_depth=3)
    verdict = judge(
        rules, "http://museum.example/" + path.encode("utf-8", "replace").hex(), depth=depth, embed_hops=embeds
    )
    assert verdict.accepted or verdict.reason
