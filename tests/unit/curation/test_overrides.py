"""Overrides replace a profile's values where their switches are on, and can be tried on URLs before they count."""

import pytest

from opilio.crawl.errors import BadPlan
from opilio.crawl.plan import Preset, RobotsPolicy
from opilio.curation.overrides import MOST_PATTERNS, NONE, SWITCHED, OverrideValues, applied, faults, hops
from opilio.curation.profile_settings import Politeness, from_plain
from opilio.curation.trying import MOST_URLS, try_patterns

PROFILE = from_plain({
    "scope": {"exclude": ["/calendar/"], "include": ["/calendar/2026"], "max_path_depth": 9,
              "excluded_types": ["audio/*"]},
    "limits": {"pages": 10, "bytes": 20, "seconds": 30},
    "manners": {"preset": "normal", "delay": 7, "robots_by_host": {"a.example": "ignore"}},
})  # fmt: skip
VALUES = {
    "robots_policy": RobotsPolicy.IGNORE, "politeness": Politeness.FAST, "max_seconds": 3, "max_bytes": 2,
    "max_documents": 1, "max_path_depth": 4, "max_hops": 5, "excluded_mime_types": ("video/*",),
    "exclusions": ("/print/",), "inclusions": ("/print/me",),
}  # fmt: skip


def _seen(settings):
    """What overrides may change, by their names."""
    return {
        "robots_policy": settings.manners.robots, "politeness": settings.manners.preset,
        "max_seconds": settings.limits.seconds, "max_bytes": settings.limits.bytes,
        "max_documents": settings.limits.pages, "max_path_depth": settings.scope.max_path_depth,
        "excluded_mime_types": settings.scope.excluded_types, "exclusions": settings.scope.exclude,
        "inclusions": settings.scope.include,
    }  # fmt: skip


def test_nothing_counts_while_all_switches_are_off():
    """Values without their switches change nothing."""
    assert applied(PROFILE, OverrideValues(**VALUES)) == PROFILE
    assert applied(PROFILE, NONE) == PROFILE
    assert hops(OverrideValues(**VALUES)) is None


@pytest.mark.parametrize("name", [name for name in SWITCHED if name not in ("max_hops", "credentials")])
def test_each_switch_replaces_its_own_value_only(name):
    """One switch, one change; all other fields are the profile's."""
    before, after = _seen(PROFILE), _seen(applied(PROFILE, OverrideValues(**VALUES, on=frozenset({name}))))
    wanted = Preset.BRISK if name == "politeness" else VALUES[name]
    assert after == {**before, name: wanted}


def test_hops_count_by_their_switch():
    """The limit of links is for the seeds; 0 means none."""
    assert hops(OverrideValues(max_hops=5, on=frozenset({"max_hops"}))) == 5
    assert hops(OverrideValues(max_hops=0, on=frozenset({"max_hops"}))) is None


def test_politeness_is_not_softened_by_the_profile():
    """With a politeness of its own, the target forgets delays that the profile had set."""
    found = applied(PROFILE, OverrideValues(politeness=Politeness.POLITE, on=frozenset({"politeness"})))
    assert (found.manners.preset, found.manners.delay) == (Preset.GENTLE, None)


def test_robots_are_ignored_or_obeyed_everywhere():
    """An override of robots.txt leaves no host with a rule of its own."""
    found = applied(PROFILE, OverrideValues(robots_policy=RobotsPolicy.OBEY, on=frozenset({"robots_policy"})))
    assert (found.manners.robots, dict(found.manners.robots_by_host)) == (RobotsPolicy.OBEY, {})


@pytest.mark.parametrize(
    "values",
    [
        {"max_seconds": -1}, {"max_bytes": 1 << 70}, {"max_hops": True}, {"max_path_depth": 2_000_000},
        {"excluded_mime_types": ("video",)}, {"exclusions": ("(a",)}, {"inclusions": ("(?=a)",)}, {"exclusions": ("",)},
        {"exclusions": ("x" * 3_000,)}, {"exclusions": ("x",) * (MOST_PATTERNS + 1)},
    ],
)  # fmt: skip
def test_values_that_cannot_be_used_are_refused(values):
    """The message names the field, and `faults` gives all of them."""
    with pytest.raises(BadPlan) as refused:
        OverrideValues(**values)
    assert refused.value.remedy
    assert set(faults({**values, "max_documents": 5}).messages) == set(values)


def test_trying_says_which_pattern_decides():
    """For each URL: kept or left out, and by which pattern, in the order in which a crawl asks."""
    urls = [" http://A.example/print/1#x ", "http://a.example/print/me", "http://a.example/", "no url", ""]
    out, kept, plain, fault = try_patterns(urls, exclude=["/print/", "/p"], include=["/print/me"])
    assert (out.kept, out.pattern, out.canonical) == (False, "/print/", "http://a.example/print/1")
    assert (kept.kept, kept.pattern) == (True, "/print/me")
    assert "keeps it nevertheless" in kept.sentence
    assert (plain.kept, plain.pattern) == (True, "")
    assert not fault.kept
    assert fault.fault


def test_what_a_permission_excludes_is_not_taken_back():
    """Exclusions of permissions have the last word."""
    barred = {"^http://a\\.example/private/": "http://a.example/private/*"}
    (found,) = try_patterns(
        ["http://a.example/private/x"], exclude=["/private/"], include=["/private/x"], barred=barred
    )
    assert (found.kept, found.pattern) == (False, "http://a.example/private/*")
    assert "permission" in found.sentence


def test_trying_refuses_bad_patterns_and_many_urls():
    """A pattern that is no expression is explained; of endless lists the beginning is tried."""
    with pytest.raises(BadPlan) as refused:
        try_patterns(["http://a.example/"], exclude=["(?<=x)"], include=[])
    assert "RE2" in refused.value.remedy
    assert len(try_patterns(["http://a.example/"] * 1_000, exclude=["(a+)+$"], include=[])) == MOST_URLS
