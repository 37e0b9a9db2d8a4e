"""Overrides: values of one target that replace those of its profile, each only where its switch is on. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from opilio.crawl import expressions, plan_checks
from opilio.crawl.errors import BadPlan
from opilio.crawl.plan import RobotsPolicy
from opilio.curation.profile_settings import Politeness, ProfileSettings, preset

MOST_PATTERNS = 500  # of one use
MOST_DEPTH = 1_000_000  # links or path segments
LONGEST_PATTERN = 2_048  # characters
_EXCLUDE, _INCLUDE, _TYPES = "overrides: exclusions", "overrides: inclusions", "overrides: excluded_mime_types"


@dataclass(frozen=True, kw_only=True, slots=True)
class OverrideValues:
    """The values, whether their switches are on or not."""

    robots_policy: RobotsPolicy = RobotsPolicy.OBEY
    politeness: Politeness = Politeness.POLITE
    max_seconds: int | None = None
    max_bytes: int | None = None
    max_documents: int | None = None
    max_path_depth: int | None = None
    max_hops: int | None = None  # links from a seed
    excluded_mime_types: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()  # RE2
    inclusions: tuple[str, ...] = ()  # RE2; exceptions to the exclusions
    on: frozenset[str] = frozenset()  # names of the values above that count, and `credentials`

    def __post_init__(self) -> None:
        for name in ("max_seconds", "max_bytes", "max_documents"):
            plan_checks.whole(getattr(self, name), name, "overrides")
        for name in ("max_path_depth", "max_hops"):
            plan_checks.whole(getattr(self, name), name, "overrides", high=MOST_DEPTH)
        plan_checks.types(self.excluded_mime_types, _TYPES)
        _check_patterns(self.exclusions, _EXCLUDE)
        _check_patterns(self.inclusions, _INCLUDE)

    def counts(self, name: str) -> bool:
        """Whether a value replaces the profile's."""
        return name in self.on


#: Every value that has a switch.
SWITCHED = (*(item.name for item in fields(OverrideValues) if item.name != "on"), "credentials")


def applied(settings: ProfileSettings, over: OverrideValues) -> ProfileSettings:
    """The profile's settings with what the overrides replace. `max_hops` is no setting: see `hops`."""
    found = preset(over.politeness, settings) if over.counts("politeness") else settings
    scope = {
        name: getattr(over, value) for value, name in _SCOPE.items() if over.counts(value)
    }  # fmt: skip
    limits = {name: getattr(over, value) for value, name in _LIMITS.items() if over.counts(value)}
    manners = found.manners
    if over.counts("robots_policy"):
        manners = replace(manners, robots=over.robots_policy, robots_by_host={})
    return replace(
        found, scope=replace(found.scope, **scope), limits=replace(found.limits, **limits), manners=manners
    )  # fmt: skip


def hops(over: OverrideValues) -> int | None:
    """How many links from a seed are followed, where the seed itself says nothing."""
    return (over.max_hops or None) if over.counts("max_hops") else None


_SCOPE: Mapping[str, str] = {
    "max_path_depth": "max_path_depth",
    "excluded_mime_types": "excluded_types",
    "exclusions": "exclude",
    "inclusions": "include",
}
_LIMITS: Mapping[str, str] = {"max_seconds": "seconds", "max_bytes": "bytes", "max_documents": "pages"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Faults:
    """Messages by field; empty when all is well."""

    messages: Mapping[str, str] = field(default_factory=dict)


def faults(values: Mapping[str, Any]) -> Faults:
    """What is wrong with each value by itself."""
    found: dict[str, str] = {}
    for name, value in values.items():
        try:
            OverrideValues(**{name: value})
        except BadPlan as error:
            found[name] = f"{error.what[:1].upper()}{error.what[1:]}. {error.remedy}".strip()
    return Faults(messages=found)


def _check_patterns(patterns: tuple[str, ...], where: str) -> None:
    if len(patterns) > MOST_PATTERNS:
        raise BadPlan(f"there are {len(patterns)} patterns", where=where, remedy=f"Give at most {MOST_PATTERNS}.")
    for pattern in patterns:
        if not pattern or len(pattern) > LONGEST_PATTERN:
            remedy = f"Write 1 to {LONGEST_PATTERN} characters."
            raise BadPlan(f"a pattern has {len(pattern)} characters", where=where, remedy=remedy)
    expressions.check(patterns, where)


NONE = OverrideValues()
