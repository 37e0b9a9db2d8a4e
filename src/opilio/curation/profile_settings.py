"""What a profile says: a crawl plan without seeds, as frozen values, to and from JSON, with messages by field.

What belongs to a target or to the operator of the installation cannot be set here (`RESERVED`).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

from opilio.crawl import plan_json
from opilio.crawl.errors import BadPlan
from opilio.crawl.plan import (
    PLAN_VERSION,
    CrawlPlan,
    Extract,
    Fetch,
    Limits,
    Manners,
    Order,
    Preset,
    Report,
    Scope,
    Seed,
    Warc,
)
from opilio.kernel.errors import InvalidInput

LONGEST = 200_000  # characters of a profile as JSON
_MOST_ITEMS = 2_000  # of one list
_ANYWHERE = {"url": "http://profile.invalid/"}  # stands for the seeds of targets to come
#: Fields that no profile sets, and why.
RESERVED: Mapping[str, str] = {
    "scope.excluded_urls": "Pages are excluded in the target itself.",
    "scope.forbidden": "What may not be collected is said by permissions.",
    "fetch.since": "Earlier crawls are found by the harvest itself.",
    "fetch.allow_private": "Private networks are opened by the operator, in the settings of the installation.",
}


class BadProfile(InvalidInput):
    """Settings of a profile that cannot be used; names every field that is wrong."""

    def __init__(self, messages: Mapping[str, str]) -> None:
        place, told = next(iter(messages.items()))
        super().__init__(f"the profile cannot be used: {told.rstrip('.')}", where=place, remedy="Correct it.")
        self.messages = dict(messages)


class Politeness(StrEnum):
    """How gently servers are asked, by the names that curators know."""

    POLITE = "polite"
    MEDIUM = "medium"
    FAST = "fast"


PRESETS: Mapping[Politeness, Preset] = {
    Politeness.POLITE: Preset.GENTLE,
    Politeness.MEDIUM: Preset.NORMAL,
    Politeness.FAST: Preset.BRISK,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ProfileSettings:
    """How to crawl, whatever the target."""

    scope: Scope = field(default_factory=Scope)
    limits: Limits = field(default_factory=Limits)
    manners: Manners = field(default_factory=Manners)
    fetch: Fetch = field(default_factory=Fetch)
    extract: Extract = field(default_factory=Extract)
    warc: Warc = field(default_factory=Warc)
    report: Report = field(default_factory=Report)
    order: Order = Order.BREADTH


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One field that differs between two profiles."""

    place: str  # scope.kind
    before: Any  # as JSON has it
    after: Any


def to_plain(settings: ProfileSettings) -> dict[str, Any]:
    """The settings as JSON carries them; every field is written, so that later defaults change nothing."""
    found: dict[str, Any] = plan_json.plain(settings)
    for place in RESERVED:
        section, _, name = place.partition(".")
        found[section].pop(name)
    return {"version": PLAN_VERSION, **found}


def from_plain(value: object) -> ProfileSettings:
    """The settings that JSON carried; what is left out has its default. `BadProfile` names all that is wrong."""
    if not isinstance(value, Mapping):
        raise BadProfile({"profile": "A profile is an object with sections, such as scope and limits."})
    given = {name: item for name, item in value.items() if name != "version"}
    if value.get("version", PLAN_VERSION) != PLAN_VERSION:
        told = f"The profile has version {str(value['version'])[:20]}, and this Opilio reads {PLAN_VERSION}."
        raise BadProfile({"version": told})
    try:
        text = json.dumps(given)
    except (ValueError, TypeError, RecursionError):  # things that JSON lacks; told with their places
        return _checked(given)
    return _remembered(text)


@lru_cache(maxsize=64)
def _remembered(text: str) -> ProfileSettings:
    """Thousands of harvests of one profile are planned together: each field of it is checked once."""
    return _checked(json.loads(text))


def _checked(given: Mapping[str, Any]) -> ProfileSettings:
    if messages := dict(_faults(given)):
        raise BadProfile(messages)
    return _whole(given)


def from_text(text: str) -> ProfileSettings:
    """The same from a text of JSON, as `opilio profile export` writes it."""
    if len(text) > LONGEST:
        raise BadProfile({"profile": f"A profile has at most {LONGEST} characters."})
    try:
        return from_plain(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise BadProfile({"profile": f"This is not JSON: {str(error)[:200]}."}) from None


def difference(before: ProfileSettings, after: ProfileSettings) -> tuple[Change, ...]:
    """The fields that differ, in their order."""
    old, new = dict(leaves(before)), dict(leaves(after))
    return tuple(Change(place=place, before=old[place], after=new[place]) for place in old if old[place] != new[place])


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Every field with its place and its value as JSON has it."""
    if not is_dataclass(value):
        yield place, plan_json.plain(value)
        return
    for item in fields(value):
        yield from leaves(getattr(value, item.name), f"{place}.{item.name}".lstrip("."))


def preset(politeness: Politeness, settings: ProfileSettings | None = None) -> ProfileSettings:
    """The settings with this politeness, and with nothing that would soften or sharpen it."""
    start = settings or ProfileSettings()
    manners = replace(
        start.manners, preset=PRESETS[politeness], delay=None, max_delay=None, factor=None, crawl_delay_cap=None,
        host_bandwidth=None,
    )  # fmt: skip
    return replace(start, manners=manners)


def _faults(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each field by itself, so that all messages come at once."""
    for name, item in given.items():
        if isinstance(item, Mapping) and name in _SECTIONS:
            for field_name, value in item.items():
                yield from _fault(f"{name}.{field_name}"[:80], {name: {field_name: value}}, value)
        else:
            yield from _fault(str(name)[:80], {name: item}, item)


def _fault(place: str, part: Mapping[str, Any], value: Any) -> Iterator[tuple[str, str]]:
    if place in RESERVED:
        if value:
            yield place, f"This cannot be set in a profile. {RESERVED[place]}"
        return
    if isinstance(value, list | dict) and len(value) > _MOST_ITEMS:
        yield place, f"It has {len(value)} entries; {_MOST_ITEMS} are the most."
        return
    if place == "fetch.proxies" and "$" in str(value):
        yield place, "A profile cannot use variables of the machine; name the proxy without them."
        return
    try:
        _whole(part)
    except BadPlan as error:
        yield place, f"{error.what[:1].upper()}{error.what[1:]}. {error.remedy}".strip()
    except (ValueError, OverflowError, TypeError, RecursionError):  # numbers without end, things that JSON lacks
        yield place, "This is no value that a profile can have. Correct it."


def _whole(given: Mapping[str, Any]) -> ProfileSettings:
    text = json.dumps({"version": PLAN_VERSION, "seeds": [_ANYWHERE], **given})
    made = plan_json.from_json(text)
    return ProfileSettings(**{name: getattr(made, name) for name in (*_SECTIONS, "order")})


def plan_of(settings: ProfileSettings, seeds: tuple[Seed, ...]) -> CrawlPlan:
    """The plan that starts at these seeds."""
    return CrawlPlan(seeds=seeds, **{name: getattr(settings, name) for name in (*_SECTIONS, "order")})


_SECTIONS = tuple(item.name for item in fields(ProfileSettings) if item.name != "order")
