"""The plan of a patch: single URLs, within the scope and manners of the harvest."""

import datetime

import pytest

from opilio.crawl.plan import CrawlPlan, Fetch, Limits, Manners, RobotsPolicy, Scope, ScopeKind, Seed
from opilio.curation.patch_plan import Asked, patch_plan

TODAY = datetime.date(2026, 1, 1)
SITE = "http://owls.example/"
FROZEN = CrawlPlan(
    seeds=(
        Seed(url=SITE, depth=1, append="?a=1", credential="credential-7"),
        Seed(url="http://herons.example/reed/", root="http://herons.example/reed/"),
        Seed(url="http://swans.example/", active=False),
    ),
    scope=Scope(kind=ScopeKind.HOST, exclude=("secret",), include=("secret/but-public",)),
    limits=Limits(pages=10, bytes=1_000, pages_per_host=5),
    manners=Manners(delay=7.0, contact="curator@library.example", robots=RobotsPolicy.IGNORE),
    fetch=Fetch(since="/earlier"),
)


def plan(*urls, embeds=True, **more):
    asked = [url if isinstance(url, Asked) else Asked(url=url) for url in urls]
    return patch_plan(FROZEN, asked, embeds=embeds, today=TODAY, **more)


def test_each_url_is_a_seed_of_its_own():
    """Followed by no link; with the credential and append string of the seed whose site it lies on."""
    made = plan(f"{SITE}nest", "http://herons.example/reed/1").plan
    assert [(seed.url, seed.depth, seed.credential, seed.append) for seed in made.seeds] == [
        (f"{SITE}nest", 0, "credential-7", "?a=1"), ("http://herons.example/reed/1", 0, "", ""),
    ]  # fmt: skip
    assert made.scope.kind is ScopeKind.PAGE


def test_manners_stay_and_limits_of_pages_go():
    """Delays, robots and bytes count as before; a patch begins without an earlier crawl."""
    made = plan(f"{SITE}nest").plan
    assert made.manners == FROZEN.manners
    assert (made.limits.pages, made.limits.pages_per_host, made.limits.bytes) == (None, None, 1_000)
    assert (made.fetch.since, made.extract.sitemaps) == ("", False)


@pytest.mark.parametrize(
    ("url", "embedded", "allowed"),
    [
        (f"{SITE}any/where", False, True),
        (f"{SITE}secret/page", False, False),
        (f"{SITE}secret/but-public", False, True),
        ("http://herons.example/elsewhere", False, False),
        ("http://swans.example/", False, False),  # its seed is not active
        ("http://cdn.example/a.png", False, False),
        ("http://cdn.example/a.png", True, True),
        ("http://owls.example.evil.example/", False, False),
    ],
)
def test_the_scope_of_the_harvest_decides(url, embedded, allowed):
    """Other sites only as parts of pages; what was excluded stays out, and the reason is told."""
    made = plan(Asked(url=url, embedded=embedded))
    assert (made.plan is not None) is allowed
    assert allowed or "not in the scope" in made.refused[url]


def test_secrets_do_not_leave_their_site():
    """A part of a page that lies elsewhere is asked for without the credential."""
    (seed,) = plan(Asked(url="http://cdn.example/a.png", embedded=True)).plan.seeds
    assert (seed.credential, seed.append) == ("", "")


def test_what_is_forbidden_by_now_is_refused():
    """Whatever the profile includes."""
    made = plan(f"{SITE}secret/but-public", f"{SITE}nest", forbidden=("but-public",))
    assert [seed.url for seed in made.plan.seeds] == [f"{SITE}nest"]
    assert f"{SITE}secret/but-public" in made.refused


def test_embeds_stay_behind_when_nobody_wants_them():
    """No part of a page is fetched then."""
    assert plan(f"{SITE}nest", embeds=False).plan.scope.max_embed_hops == 0
    assert plan(f"{SITE}nest").plan.scope.max_embed_hops == FROZEN.scope.max_embed_hops
