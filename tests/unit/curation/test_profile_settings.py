"""Profiles are crawl plans without seeds: they survive JSON, tell what is wrong with each field, and differ visibly."""

import json

import pytest

from opilio.crawl import plan_json
from opilio.crawl.plan import CrawlPlan, Preset, Scope, ScopeKind, Seed
from opilio.curation.profile_settings import (
    RESERVED,
    BadProfile,
    Politeness,
    ProfileSettings,
    difference,
    from_plain,
    from_text,
    leaves,
    plan_of,
    preset,
    to_plain,
)
from opilio.kernel.urls import drop_parameters

FULL = {
    "scope": {"kind": "domain", "exclude": [r"/print/"], "query": {"rule": "drop-named", "names": ["sid"]},
              "traps": {"max_url": 900}},
    "limits": {"pages": 500, "seconds": 3_600},
    "manners": {"preset": "gentle", "delay": 4, "robots_by_host": {"a.example": "ignore"}},
    "fetch": {"http2": True, "proxies": {"*": "http://proxy.example:3128"}},
    "extract": {"scripts": True},
    "warc": {"digest": "sha256"},
    "order": "depth",
}  # fmt: skip


def test_settings_survive_json():
    """What is written is read again, and equal."""
    made = from_plain(FULL)
    assert made.scope.kind is ScopeKind.DOMAIN
    assert made.scope.query == drop_parameters("sid")
    assert from_plain(json.loads(json.dumps(to_plain(made)))) == made
    assert from_text(json.dumps(to_plain(made))) == made


def test_every_field_is_written():
    """A stored profile means the same after a default changes; only what no profile sets is left out."""
    written = to_plain(ProfileSettings())
    places = {place for place, _ in leaves(ProfileSettings())}
    assert {place for place in places if place.count(".") == 1} - set(RESERVED) <= {
        f"{section}.{name}" for section, part in written.items() if isinstance(part, dict) for name in part
    }
    for place in RESERVED:
        section, _, name = place.partition(".")
        assert name not in written[section]


def test_an_empty_profile_has_the_defaults():
    """Nothing said means the crawl engine's own defaults."""
    seeds = (Seed(url="http://a.example/"),)
    assert plan_of(from_plain({}), seeds) == CrawlPlan(seeds=seeds)


def test_every_wrong_field_is_named():
    """All messages come at once, each with its field."""
    with pytest.raises(BadProfile) as refused:
        from_plain({
            "scope": {"kind": "galaxy", "exclude": ["(a"], "max_embed_hops": 99, "depth": 3},
            "limits": {"pages": -1, "bytes": "many"},
            "manners": {"delay": 10**400, "robots": True},
            "colour": "red", "warc": 7,
        })  # fmt: skip
    messages = refused.value.messages
    assert set(messages) == {
        "scope.kind", "scope.exclude", "scope.max_embed_hops", "scope.depth", "limits.pages", "limits.bytes",
        "manners.delay", "manners.robots", "colour", "warc",
    }  # fmt: skip
    assert "page, prefix, host, domain, any" in messages["scope.kind"]
    assert "RE2" in messages["scope.exclude"]
    assert all(message.endswith((".", "!")) for message in messages.values())


@pytest.mark.parametrize("pattern", ["(a", "a**", "(?=x)", r"(a)\1", "(?<!x)y", "[z-a]", "\\"])
def test_expressions_that_re2_lacks_are_explained(pattern):
    """Look-around and back references, which would take for ever, are no expressions here."""
    with pytest.raises(BadProfile) as refused:
        from_plain({"scope": {"exclude": [pattern]}})
    assert "is no expression" in refused.value.messages["scope.exclude"]


@pytest.mark.parametrize(
    ("place", "value"),
    [("scope.excluded_urls", ["http://a.example/"]), ("fetch.since", "/etc"), ("fetch.allow_private", ["10.0.0.0/8"])],
)
def test_what_belongs_to_others_cannot_be_set(place, value):
    """Pages of a target, folders of the machine, private networks: the message says where they are set."""
    section, _, name = place.partition(".")
    with pytest.raises(BadProfile) as refused:
        from_plain({section: {name: value}})
    assert RESERVED[place] in refused.value.messages[place]


def test_variables_of_the_machine_stay_unread():
    """A proxy cannot be made of what the environment holds."""
    with pytest.raises(BadProfile) as refused:
        from_plain({"fetch": {"proxies": {"*": "http://u:${OPILIO_DATABASE_URL}@proxy.example:3128"}}})
    assert "variables" in refused.value.messages["fetch.proxies"]


@pytest.mark.parametrize(
    "thing",
    [None, [], "scope", 7, {"version": 99}, {"scope": {"exclude": ["a"] * 3_000}}, {"scope": {"x" * 5_000: 1}},
     {"scope": {"kind": {"a": 1}}}, {"<script>": {}}, {"order": None}],
)  # fmt: skip
def test_hostile_settings_are_refused(thing):
    """Whatever is given, the answer is a message of ours, of bounded length."""
    with pytest.raises(BadProfile) as refused:
        from_plain(thing)
    assert len(str(refused.value)) < 2_000


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"limits": {"pages": NaN}}', "[" * 100_000, " " * 300_000, '"\\ud800"']
)
def test_hostile_texts_are_refused(text):
    """A text that is no profile is refused, however deep or long."""
    with pytest.raises(BadProfile):
        from_text(text)


def test_differences_are_told_field_by_field():
    """Of two versions, exactly the fields that differ, before and after."""
    before, after = from_plain(FULL), from_plain({**FULL, "limits": {"pages": 900}, "order": "breadth"})
    assert [(change.place, change.before, change.after) for change in difference(before, after)] == [
        ("limits.pages", 500, 900), ("limits.seconds", 3_600, None), ("order", "depth", "breadth"),
    ]  # fmt: skip
    assert difference(before, before) == ()


def test_presets_set_the_manners_only():
    """Polite, medium and fast replace delays that were set by hand, and nothing else."""
    start = from_plain({"manners": {"preset": "own-site", "delay": 0, "contact": "mailto:a@b.example"}})
    polite = preset(Politeness.POLITE, start)
    assert (polite.manners.preset, polite.manners.delay, polite.manners.contact) == (
        Preset.GENTLE, None, "mailto:a@b.example",
    )  # fmt: skip
    assert preset(Politeness.MEDIUM).manners.preset is Preset.NORMAL
    assert preset(Politeness.FAST).manners.preset is Preset.BRISK
    assert polite.scope == Scope()


def test_the_settings_of_many_harvests_are_read_once(monkeypatch):
    """Each field is checked by itself, which takes as long as all else of handing a harvest over."""
    given = to_plain(ProfileSettings())
    first, read = from_plain(given), []
    monkeypatch.setattr(plan_json, "from_json", read.append)
    assert from_plain(to_plain(ProfileSettings())) is first
    assert read == []
