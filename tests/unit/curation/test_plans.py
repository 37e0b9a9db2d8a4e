"""Seeds, profile, overrides, credentials and exclusions become one crawl plan."""

from datetime import date

import pytest

from opilio.crawl.errors import BadPlan
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.plan_json import from_json, to_json
from opilio.crawl.scope.chain import ScopeChain
from opilio.crawl.scope.verdict import Candidate
from opilio.curation.overrides import OverrideValues
from opilio.curation.plans import PlanCredential, PlanSeed, Wanted, crawl_plan
from opilio.curation.profile_settings import ProfileSettings, from_plain

SEED = PlanSeed(url="http://www.site.example/")


def _judged(plan, url):
    return ScopeChain(plan, today=date(2026, 1, 1)).judge(Candidate(url=url, seed=0, depth=1))


def test_a_plain_target_becomes_a_plain_plan():
    """Without anything special the plan is the engine's own, for these seeds."""
    plan = crawl_plan(Wanted(seeds=[SEED], settings=ProfileSettings()))
    assert plan.seeds[0].url == SEED.url
    assert (plan.scope, plan.limits) == (CrawlPlan(seeds=plan.seeds).scope, CrawlPlan(seeds=plan.seeds).limits)
    assert from_json(to_json(plan)) == plan


def test_what_a_seed_says_comes_along():
    """Root, depth, pages, append string, active flag."""
    seed = PlanSeed(
        url="http://www.site.example/a",
        root="http://www.site.example/",
        depth=0,
        max_pages=7,
        append="?x=1",
        active=True,
    )
    found = crawl_plan(
        Wanted(seeds=[seed, PlanSeed(url="http://b.example/", active=False)], settings=ProfileSettings())
    )
    first, second = found.seeds
    assert (first.root, first.depth, first.max_pages, first.append) == ("http://www.site.example/", 0, 7, "?x=1")
    assert not second.active


def test_hops_are_for_seeds_without_a_depth():
    """The overrides' limit of links does not touch a seed with its own."""
    over = OverrideValues(max_hops=4, on=frozenset({"max_hops"}))
    plan = crawl_plan(
        Wanted(seeds=[SEED, PlanSeed(url="http://b.example/", depth=1)], settings=ProfileSettings(), overrides=over)
    )
    assert [seed.depth for seed in plan.seeds] == [4, 1]


def test_a_credential_that_a_seed_names_counts():
    """Whatever the switch of the overrides says."""
    seed = PlanSeed(url="http://www.site.example/", credential="credential-7")
    assert crawl_plan(Wanted(seeds=[seed], settings=ProfileSettings())).seeds[0].credential == "credential-7"


@pytest.mark.parametrize(
    ("on", "url", "wanted"),
    [
        (False, "http://www.site.example/", ""),
        (True, "http://www.site.example/", "narrow"),
        (True, "http://other.site.example/", "wide"),
        (True, "http://notsite.example/", ""),
    ],
)
def test_other_credentials_of_the_target_count_by_their_switch(on, url, wanted):
    """For hosts of their domain, the narrowest first."""
    known = [
        PlanCredential(name="wide", domain="site.example"),
        PlanCredential(name="narrow", domain="www.site.example"),
    ]
    over = OverrideValues(on=frozenset({"credentials"} if on else ()))
    plan = crawl_plan(Wanted(seeds=[PlanSeed(url=url)], settings=ProfileSettings(), overrides=over, credentials=known))
    assert plan.seeds[0].credential == wanted


def test_excluded_pages_are_left_out_exactly():
    """The page itself, and not what lies below it."""
    plan = crawl_plan(Wanted(seeds=[SEED], settings=ProfileSettings(), excluded_urls=["http://www.site.example/a"]))
    assert not _judged(plan, "http://www.site.example/a").accepted
    assert _judged(plan, "http://www.site.example/ab").accepted


def test_exclusions_of_permissions_have_the_last_word():
    """What a permission excludes is left out, though profile and overrides would let it in."""
    settings = from_plain({"scope": {"include": ["/private/open"]}})
    over = OverrideValues(inclusions=("private",), on=frozenset({"inclusions"}))
    plan = crawl_plan(
        Wanted(seeds=[SEED], settings=settings, overrides=over, exclusions=["^https?://www\\.site\\.example/private/"])
    )
    refused = _judged(plan, "http://www.site.example/private/open")
    assert (refused.accepted, refused.rule) == (False, "forbidden")
    assert _judged(plan, "http://www.site.example/public").accepted


def test_exceptions_still_count_beside_exclusions_of_permissions():
    """They take back what exclude patterns leave out, and only that."""
    over = OverrideValues(
        exclusions=("/print/",), inclusions=("/print/me",), on=frozenset({"exclusions", "inclusions"})
    )  # fmt: skip
    plan = crawl_plan(Wanted(seeds=[SEED], settings=ProfileSettings(), overrides=over, exclusions=["/private/"]))
    assert _judged(plan, "http://www.site.example/print/me").accepted
    assert not _judged(plan, "http://www.site.example/private/print/me").accepted


def test_without_such_exclusions_exceptions_count():
    """Include patterns take back what exclude patterns leave out."""
    over = OverrideValues(
        exclusions=("/print/",), inclusions=("/print/me",), on=frozenset({"exclusions", "inclusions"})
    )  # fmt: skip
    plan = crawl_plan(Wanted(seeds=[SEED], settings=ProfileSettings(), overrides=over))
    assert not _judged(plan, "http://www.site.example/print/you").accepted
    assert _judged(plan, "http://www.site.example/print/me").accepted


@pytest.mark.parametrize("seeds", [[], [PlanSeed(url="http://a.example/", active=False)], [PlanSeed(url="mailto:a@b")]])
def test_targets_that_cannot_be_crawled_are_refused(seeds):
    """No seed, no active seed, or one that is no web address."""
    with pytest.raises(BadPlan) as refused:
        crawl_plan(Wanted(seeds=seeds, settings=ProfileSettings()))
    assert "seeds" in refused.value.where
