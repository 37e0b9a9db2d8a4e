"""A plan as JSON: it comes back as it was, and nothing else is taken for one."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.crawl.errors import BadPlan
from opilio.crawl.plan import (
    CrawlPlan,
    Fetch,
    Limits,
    Manners,
    Order,
    Preset,
    RobotsPolicy,
    Scope,
    ScopeKind,
    Seed,
    Traps,
    Warc,
)
from opilio.crawl.plan_json import fingerprint, from_json, to_json
from opilio.kernel.digests import Algorithm
from opilio.kernel.urls import drop_parameters

SMALL = CrawlPlan(seeds=(Seed(url="https://a.example/"),))
FULL = CrawlPlan(
    seeds=(
        Seed(url="https://a.example/ä", root="https://a.example/", depth=0, max_pages=5, append="x=1", credential="c"),
        Seed(url="http://b.example/", active=False),
    ),
    scope=Scope(
        kind=ScopeKind.DOMAIN,
        exclude=("x$",),
        query=drop_parameters("sid", "a"),
        traps=Traps(max_repeats=9),
        max_size=7,
    ),
    limits=Limits(pages=10, bytes=1 << 50),
    manners=Manners(preset=Preset.GENTLE, delay=0.5, robots_by_host={"b.example": RobotsPolicy.IGNORE}),
    fetch=Fetch(proxies={"*": "socks5://p:1"}, allow_private=("10.0.0.0/8",), since="b\udce4nde"),  # no UTF-8 on disk
    warc=Warc(digest=Algorithm.SHA256),
    order=Order.DEPTH,
)


def changed(**changes):
    return json.dumps(json.loads(to_json(SMALL)) | changes)


@pytest.mark.parametrize("plan", [SMALL, FULL])
def test_a_plan_comes_back_as_it_was(plan):
    """Also odd texts; and the text is plain ASCII, which every database takes."""
    text = to_json(plan)
    assert from_json(text) == plan
    assert to_json(from_json(text)) == text
    assert text.isascii()


def test_whole_numbers_will_do_for_seconds():
    """People write 3, not 3.0; the plan is the same."""
    text = to_json(CrawlPlan(seeds=SMALL.seeds, manners=Manners(delay=3.0))).replace("3.0", "3")
    assert from_json(text).manners.delay == 3.0


def test_the_fingerprint_tells_plans_apart():
    """Equal for equal plans, however they were made; another for the smallest change."""
    assert fingerprint(from_json(to_json(FULL))) == fingerprint(FULL)
    other = CrawlPlan(seeds=SMALL.seeds, limits=Limits(pages=1))
    assert fingerprint(SMALL) != fingerprint(other)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", ""),
        ("null", "plan"),
        ("[]", "plan"),
        ("[" * 100_000, ""),
        ("{}", ""),
        (changed(version=2), ""),
        (changed(version="1"), ""),
        (changed(colour="red"), "plan"),
        (changed(seeds="https://a.example/"), "plan.seeds"),
        (changed(seeds=[]), "plan"),
        (changed(seeds=[{}]), "plan.seeds[0]"),
        (changed(seeds=[{"url": 5}]), "plan.seeds[0].url"),
        (changed(seeds=[{"url": "https://a.example/", "depth": "1"}]), "plan.seeds[0].depth"),
        (changed(seeds=[{"url": "https://a.example/", "depth": True}]), "plan.seeds[0].depth"),
        (changed(seeds=[{"url": "https://a.example/", "depth": 1.5}]), "plan.seeds[0].depth"),
        (changed(seeds=[{"url": "https://a.example/", "depth": 1 << 70}]), "plan.seeds[0].depth"),
        (changed(seeds=[{"url": "nonsense"}]), "plan.seeds[0]"),
        (changed(order="sideways"), "plan.order"),
        (changed(order=["breadth"]), "plan.order"),
        (changed(limits=None), "plan.limits"),
        (changed(limits={"pages": -1}), "plan.limits"),
        (changed(manners={"delay": "1"}), "plan.manners.delay"),
        (changed(manners={"delay": 10**400}), "plan.manners.delay"),
        (changed(manners={"robots_by_host": {"a": "maybe"}}), "plan.manners.robots_by_host.a"),
        (changed(manners={"robots_by_host": []}), "plan.manners.robots_by_host"),
        (changed(scope={"query": {"rule": "drop-all", "names": [1]}}), "plan.scope.query.names[0]"),
        (changed(scope={"exclude": ["(("]}), "plan.scope"),
        (changed(scope={"traps": {"max_url": 0}}), "plan.scope.traps"),
        (changed(fetch={"connections_per_host": 0}), "plan.fetch"),
        (changed(fetch={"allow_private": ["foo"]}), "plan.fetch"),
        (changed(warc={"gzip_level": 9}), "plan.warc"),
        (changed(warc={"digest": "md5"}), "plan.warc"),
        (to_json(SMALL).replace("20.0", "NaN"), ""),
        (to_json(SMALL).replace("20.0", "Infinity"), ""),
        (to_json(SMALL).replace("20.0", "1e999"), "plan.fetch.connect_timeout"),
    ],
)
def test_anything_else_is_refused_with_its_place(text, place):
    """Unknown names, wrong types, odd numbers: the message says where."""
    with pytest.raises(BadPlan) as error:
        from_json(text)
    assert place in error.value.where
    assert error.value.remedy


def test_what_is_no_number_is_not_written():
    """Even if it got past the plan's own checks."""
    plan = CrawlPlan(seeds=SMALL.seeds, manners=Manners(delay=1.0))
    object.__setattr__(plan.manners, "delay", float("inf"))
    with pytest.raises(ValueError, match="JSON"):
        to_json(plan)


def test_bytes_are_not_a_plan():
    """Decoding is the caller's."""
    with pytest.raises(BadPlan):
        from_json(to_json(SMALL).encode())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["url", "seeds", "depth"]), inner),
    max_leaves=8,
)


@given(
    name=st.sampled_from(["seeds", "scope", "limits", "manners", "fetch", "extract", "warc", "order"]),
    value=json_values,
)
def test_no_value_breaks_the_reader(name, value):
    """Whatever stands in a field, the answer is a plan or a refusal."""
    with contextlib.suppress(BadPlan):
        assert isinstance(from_json(changed(**{name: value})), CrawlPlan)
