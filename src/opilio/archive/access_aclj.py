"""Rules of access in the form that pywb reads: one line for each beginning of SURT keys, the longest first (.aclj).

pywb takes the longest line that fits and knows neither ranges of captures, targets nor patterns. So each line says
what all of our rules together come to for the public, and what cannot be said is closed, or listed as left out.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from opilio.kernel.access import PUBLIC, Asked, Decision, Reach, Rule, Rules, Says, weigh
from opilio.kernel.access_index import Origin

_EXACT = "###"  # behind a key: this one only
_UNKNOWN_HARVEST = "?"  # one that no capture has: such a rule closes, and opens nothing
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class Aclj:
    """The lines, and what belongs beside them."""

    lines: tuple[str, ...]  # without line ends
    default: str  # for `default_access` in pywb's configuration
    until: datetime | None  # when they must be made again, although no rule changed
    left_out: tuple[str, ...]  # ids of rules that close something which pywb would still show

    def text(self) -> str:
        """The file."""
        return "".join(f"{line}\n" for line in self.lines)


def to_aclj(rules: Rules, *, now: datetime, agency: str = "", target: str = "", harvest: str = "") -> Aclj:
    """What `rules` mean for the captures of an agency, target or harvest: for readers nobody knows, and in rooms.

    A reading room is a user of pywb by its name (`X-Pywb-ACL-User`, set by the server in front of it). Without an
    agency, rules that name one close what they would close, and open nothing: the captures may be anybody's.
    """
    rules = rules if agency or rules.shut else _of_nobody(rules)
    held = _Held(rules=rules, origin=Origin(agency=agency, target=target, harvest=harvest), now=now)
    default = _word(weigh([] if rules.shut else held.in_force(""), held.asked(), rules.default))
    found = sorted(_lines(held), key=lambda line: (line[0], bool(line[1])), reverse=True)
    return Aclj(
        lines=tuple(_line(key, user, access) for key, user, access in found),
        default="block" if rules.shut else default,
        until=min((at for rule in rules for at in (rule.starts, rule.ends) if at and at > now), default=None),
        left_out=tuple(rule.id for rule in rules if _unsaid(rule) and held.is_about(rule)),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Held:
    rules: Rules
    origin: Origin
    now: datetime

    def is_about(self, rule: Rule) -> bool:
        return self.origin.owned_by((rule.agency, rule.target, rule.harvest))

    def asked(self, room: str = "") -> Asked:
        rooms = frozenset({room}) if room else frozenset[str]()
        return Asked(reader=PUBLIC, origin=self.origin, rooms=rooms, staff=False)

    def in_force(self, key: str) -> list[Rule]:
        """The rules that may be about something below a key."""
        touched = (rule for rule in self.rules.touched(key, self.origin) if not _unsaid(rule))
        return [_cautious(rule) for rule in touched if _in_force(rule, self.now)]

    def decided(self, key: str, room: str = "") -> Decision:
        return weigh(self.in_force(key), self.asked(room), self.rules.default)


def _lines(held: _Held) -> Iterator[tuple[str, str, str]]:
    """Key, user and access; keys at which nothing changes are not left out, because pywb looks at one line only."""
    if held.rules.shut:
        return
    about = [rule for rule in held.rules if held.is_about(rule)]
    exact = {key for rule in about for key in rule.where.exact}
    begun = {key for rule in about if not _unsaid(rule) for key in rule.where.keys if key}
    for key, written in (*((key, key) for key in begun), *((key, key + _EXACT) for key in exact)):
        public = held.decided(key)
        yield written, "", _word(public)
        if not public.allowed:
            yield from ((written, room, "allow") for room in held.rules.rooms if held.decided(key, room).allowed)


def _of_nobody(rules: Rules) -> Rules:
    """The rules as they hold for captures of nobody knows whom."""
    unsure = (replace(rule, agency="", harvest=_UNKNOWN_HARVEST) if rule.agency else rule for rule in rules)
    return Rules(unsure, default=rules.default, rooms=rules.rooms)


def _cautious(rule: Rule) -> Rule:
    """A rule that is about a part of what lies below its key closes all of it, and opens none."""
    part = rule.captured_from or rule.captured_to or rule.where.narrowed
    return replace(rule, harvest=_UNKNOWN_HARVEST) if part else rule


def _in_force(rule: Rule, now: datetime) -> bool:
    """For any capture: days from a capture may always lie ahead."""
    starts, ends = rule.due(_LAST)
    return (starts is None or now >= starts) and (ends is None or now < ends)


def _unsaid(rule: Rule) -> bool:
    """A pattern for every host has no key."""
    return rule.where.reach is Reach.PATTERN and not rule.where.within and rule.says is not Says.OPEN


def _word(decision: Decision) -> str:
    if decision.allowed:
        return "allow"
    return "block" if decision.told else "exclude"


def _line(key: str, user: str, access: str) -> str:
    fields = {"access": access, **({"user": user} if user else {})}
    return f"{key} - {json.dumps(fields)}"
