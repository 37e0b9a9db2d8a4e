"""All rules in force, arranged so that a decision touches only the few that are about a URL.

Beginnings of SURT keys are sorted, and each knows the longest other one that it begins with: one search finds the
last key before a URL's, and the way up from there holds every beginning of it.
"""

import bisect
import ipaddress
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from opilio.kernel.access_checks import BadRule
from opilio.kernel.access_rules import Rule
from opilio.kernel.access_where import Reach

MAX_RULES = 1_000_000
MAX_OPEN_PATTERNS = 1_000  # patterns that are tried on every URL
MAX_NETWORKS = 10_000

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_Owner = tuple[str, str, str]  # agency, target, harvest
_Owned = dict[_Owner, list[Rule]]


class Default(StrEnum):
    """What holds for captures that no rule lets anybody see."""

    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """Where a capture comes from; empty: not known, except the agency, which is then none."""

    agency: str = ""
    target: str = ""
    harvest: str = ""

    def owned_by(self, owner: _Owner) -> bool:
        """Whether a rule of that owner may be about the capture: what is not known may be anything."""
        agency, target, harvest = owner
        return (
            agency in ("", self.agency)
            and (not self.target or target in ("", self.target))
            and (not self.harvest or harvest in ("", self.harvest))
        )


@dataclass(slots=True)
class _Beginnings:
    """Sorted beginnings, each with the place of the longest other one that it begins with."""

    keys: list[str]
    above: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.above, open_ones = [], list[int]()
        for place, key in enumerate(self.keys):
            while open_ones and not key.startswith(self.keys[open_ones[-1]]):
                open_ones.pop()
            self.above.append(open_ones[-1] if open_ones else -1)
            open_ones.append(place)

    def of(self, key: str) -> Iterator[str]:
        """The beginnings of a key, the longest first."""
        place = bisect.bisect_right(self.keys, key) - 1
        while place >= 0:
            if key.startswith(self.keys[place]):
                yield self.keys[place]
            place = self.above[place]


class Rules:
    """An immutable set of rules; made once, asked for every capture."""

    __slots__ = ("_beginnings", "_begun", "_exact", "_rooms", "count", "default", "shut")

    def __init__(
        self,
        rules: Iterable[Rule] = (),
        *,
        default: Default = Default.CLOSED,
        rooms: Mapping[str, Iterable[str | Network]] | None = None,
        shut: str = "",
    ) -> None:
        self.default = Default(default)
        self.shut = shut  # a sentence: why everything is closed to everybody
        self._rooms = {name: _networks(name, found) for name, found in (rooms or {}).items()}
        self._exact: dict[str, _Owned] = {}
        self._begun: dict[str, _Owned] = {}
        self.count = self._take(rules)
        self._beginnings = _Beginnings(sorted(self._begun))

    @classmethod
    def closed(cls, reason: str) -> "Rules":
        """Rules that let nobody see anything; the sentence says why."""
        return cls(shut=reason)

    def touched(self, key: str, origin: Origin) -> Iterator[Rule]:
        """The rules that have to be looked at for a key: all that can be about it, and few others."""
        seen: set[str] = set()
        for owned in self._owned(key):
            for rule in _chosen(owned, origin):
                if rule.id not in seen:
                    seen.add(rule.id)
                    yield rule

    def about(self, key: str, url: str, origin: Origin) -> list[Rule]:
        """The rules that are about a URL."""
        return [rule for rule in self.touched(key, origin) if rule.where.matches(key, url)]

    def rooms_of(self, address: str) -> frozenset[str]:
        """The reading rooms in whose networks an address lies; none for an address that cannot be read."""
        if not address or not self._rooms:
            return frozenset()
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return frozenset()
        mapped = getattr(found, "ipv4_mapped", None) or found
        return frozenset(name for name, nets in self._rooms.items() if any(mapped in net for net in nets))

    @property
    def rooms(self) -> dict[str, tuple[Network, ...]]:
        """The reading rooms with their networks."""
        return dict(self._rooms)

    def __iter__(self) -> Iterator[Rule]:
        """Every rule once, by its id."""
        owned = itertools.chain(self._exact.values(), self._begun.values())
        found = {rule.id: rule for each in owned for rules in each.values() for rule in rules}
        return iter([found[name] for name in sorted(found)])

    def __len__(self) -> int:
        return self.count

    def _owned(self, key: str) -> Iterator[_Owned]:
        exact = self._exact.get(key)
        if exact is not None:
            yield exact
        for beginning in self._beginnings.of(key):
            yield self._begun[beginning]

    def _take(self, rules: Iterable[Rule]) -> int:
        ids: set[str] = set()
        patterns = 0
        for rule in rules:
            if rule.id in ids:
                raise BadRule(f"two rules have the id {rule.id[:80]!r}", remedy="Give each an id of its own.")
            ids.add(rule.id)
            patterns += rule.where.reach is Reach.PATTERN and not rule.where.within
            self._check(rule, len(ids), patterns)
            self._put(rule)
        return len(ids)

    def _check(self, rule: Rule, count: int, patterns: int) -> None:
        if count > MAX_RULES:
            raise BadRule(f"there are more than {MAX_RULES:,} rules", remedy="Use wider rules in place of many.")
        if patterns > MAX_OPEN_PATTERNS:
            what = f"there are more than {MAX_OPEN_PATTERNS:,} patterns that are about all hosts"
            raise BadRule(what, where=f"rule {rule.id}", remedy="Name the domain within which a pattern lies.")
        unknown = rule.rooms - self._rooms.keys()
        if unknown:
            what = f"the reading room {min(unknown)[:80]!r} has no networks"
            raise BadRule(what, where=f"rule {rule.id}", remedy="Add it to `rooms`.")

    def _put(self, rule: Rule) -> None:
        owner = (rule.agency, rule.target, rule.harvest)
        for place, keys in ((self._exact, rule.where.exact), (self._begun, rule.where.keys)):
            for key in keys:
                place.setdefault(key, {}).setdefault(owner, []).append(rule)


#: Nothing is closed: for a person's own machine.
OPEN_TO_ALL = Rules(default=Default.OPEN)


def _chosen(owned: _Owned, origin: Origin) -> Iterator[Rule]:
    if origin.target and origin.harvest:
        names = itertools.product({"", origin.agency}, {"", origin.target}, {"", origin.harvest})
        for owner in names:
            yield from owned.get(owner, ())
        return
    for owner, rules in owned.items():
        if origin.owned_by(owner):
            yield from rules


def _networks(name: str, found: Iterable[str | Network]) -> tuple[Network, ...]:
    if not isinstance(name, str) or not 0 < len(name) <= 200:
        raise BadRule("a reading room has no name that can be used", where=str(name)[:80], remedy="Name it.")
    if isinstance(found, str) or not isinstance(found, Iterable):
        raise BadRule(f"the networks of {name!r} must be a list", remedy='Write ["192.0.2.0/24"].')
    nets = tuple(_network(name, each) for each in itertools.islice(found, MAX_NETWORKS + 1))
    if len(nets) > MAX_NETWORKS:
        raise BadRule(f"the room {name!r} has more than {MAX_NETWORKS} networks", remedy="Use wider ones.")
    return nets


def _network(name: str, text: str | Network) -> Network:
    try:
        return ipaddress.ip_network(text) if isinstance(text, str) else ipaddress.ip_network(str(text))
    except ValueError:
        where = f"reading room {name}"
        raise BadRule(f"{str(text)[:80]!r} is no network", where=where, remedy="Write 192.0.2.0/24.") from None
