"""Who may see what: one decision, for replay, CDX and search alike. Pure: rules and facts in, a decision out.

Order of precedence: takedowns stand above everything; then a rule that `overrides` sets aside all less specific ones
(longest SURT key, as pywb's .aclj does); all that remain must let the reader in, so that the most restrictive wins.
Staff of a capture's own agency see it unless it was blocked or destroyed. docs/explanation/access.md says why.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from opilio.kernel.access_checks import BadRule, require_time
from opilio.kernel.access_index import OPEN_TO_ALL, Default, Origin, Rules
from opilio.kernel.access_rules import Rule, Says, Statement
from opilio.kernel.access_where import Reach, Where, key_of

__all__ = [
    "OPEN_TO_ALL",
    "PUBLIC",
    "UNOWNED",
    "Asked",
    "BadRule",
    "Decision",
    "Default",
    "Reach",
    "Reader",
    "Rule",
    "Rules",
    "Says",
    "Seat",
    "Statement",
    "Where",
    "decide",
    "weigh",
]

#: By this name rules can be about pages of an index that belong to no agency, as those that an operator put there.
UNOWNED = "-"
_FOR_NOBODY = frozenset({Says.TAKEN_BLOCK, Says.TAKEN_DESTROY})  # not even for staff


@dataclass(frozen=True, kw_only=True, slots=True)
class Reader:
    """Who asks. Nothing known: the public."""

    address: str = ""  # IP address, as the server that faces readers saw it
    user: str = ""  # id of a person who signed in
    agency: str = ""  # of that person
    roles: frozenset[str] = frozenset()
    staff_of: frozenset[str] = frozenset()  # agencies whose captures the person may review
    seats: frozenset[str] = frozenset()  # rules under which the reader holds a seat now


PUBLIC = Reader()


@dataclass(frozen=True, kw_only=True, slots=True)
class Seat:
    """A seat that would let the reader in: take it, then ask again."""

    rule: str
    most: int  # readers at once


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """Whether a reader may see a capture, and why."""

    allowed: bool
    reason: str  # a sentence for the reader
    rule: str = ""  # id of the rule that decided; empty: none did
    statements: tuple[Statement, ...] = ()  # for the banner of replay
    until: datetime | None = None  # when it may change although the rules do not; None: never
    told: bool = True  # False: the reader must not even learn that there is a capture
    seat: Seat | None = None


def decide(
    rules: Rules, *, url: str, captured: datetime, agency: str, reader: Reader, now: datetime,
    target: str = "", harvest: str = "",
) -> Decision:  # fmt: skip
    """Whether `reader` may see the capture of `url` that was made at `captured` for `agency`.

    Where target or harvest are not told, rules that name one close what they would close, and open nothing.
    """
    require_time(captured, "the time of a capture")
    require_time(now, "the time of a decision")
    if rules.shut:
        return Decision(allowed=False, reason=rules.shut)
    staff = bool(agency) and agency in reader.staff_of
    found = key_of(url)
    if found is None:
        return _without_key(rules, staff=staff)
    origin = Origin(agency=agency, target=target, harvest=harvest)
    about = [rule for rule in rules.about(*found, origin) if _covers(rule, captured)]
    until = _soonest((at for rule in about for at in rule.due(captured)), now)
    in_force = [rule for rule in about if _in_force(rule, captured, now)]
    asked = Asked(reader=reader, origin=origin, rooms=rules.rooms_of(reader.address), staff=staff)
    return weigh(in_force, asked, rules.default, until)


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """The facts that rules are held against."""

    reader: Reader
    origin: Origin
    rooms: frozenset[str]  # in which the reader sits
    staff: bool  # of the agency of the capture

    def refused_by(self, rule: Rule) -> bool:
        """Whether the rule keeps the reader out."""
        if self.staff:
            return rule.says in _FOR_NOBODY
        match rule.says:
            case Says.OPEN:
                return False
            case Says.SEATS:
                return rule.id not in self.reader.seats
            case Says.ROOMS:
                return not (self.rooms & rule.rooms if rule.rooms else self.rooms)
            case Says.PERSONS:
                return not self._named(rule)
            case _:
                return True

    def _named(self, rule: Rule) -> bool:
        reader = self.reader
        if not reader.user:
            return False
        return reader.user in rule.users or bool(reader.roles & rule.roles) or reader.agency in rule.agencies


def weigh(in_force: Sequence[Rule], asked: Asked, default: Default, until: datetime | None = None) -> Decision:
    """The decision by rules that are all about the capture and in force now."""
    standing = _standing(in_force, asked.origin)
    refusing = [rule for rule in standing if asked.refused_by(rule)]
    if refusing:
        return _refused(max(refusing, key=_weight), until)
    granting = [rule for rule in standing if rule.says.grants and _certain(rule, asked.origin)]
    if not granting and not asked.staff and default is Default.CLOSED:
        return Decision(allowed=False, reason="No permission opens this capture to readers.", until=until)
    rule = max(granting, key=_weight).id if granting else ""
    said = sorted((each for each in standing if _certain(each, asked.origin)), key=_weight, reverse=True)
    statements = tuple(dict.fromkeys(each.statement for each in said if each.statement is not None))
    return Decision(allowed=True, reason=_welcome(rule, asked), rule=rule, statements=statements, until=until)


def _refused(rule: Rule, until: datetime | None) -> Decision:
    seat = Seat(rule=rule.id, most=rule.seats) if rule.says is Says.SEATS else None
    reason = rule.reason or _sentence(rule)
    return Decision(allowed=False, reason=reason, rule=rule.id, until=until, told=not rule.says.silent, seat=seat)


def _standing(in_force: Sequence[Rule], origin: Origin) -> list[Rule]:
    """The rules that count: takedowns, and what no more specific rule sets aside."""
    lifting = (rule.where.specificity for rule in in_force if rule.overrides and _certain(rule, origin))
    narrow = max(lifting, default=(0, 0))
    return [rule for rule in in_force if rule.says.takedown or rule.where.specificity >= narrow]


def _certain(rule: Rule, origin: Origin) -> bool:
    """Whether the rule is surely about the capture, not only perhaps."""
    return rule.target in ("", origin.target) and rule.harvest in ("", origin.harvest)


def _covers(rule: Rule, captured: datetime) -> bool:
    begun = rule.captured_from is None or captured >= rule.captured_from
    return begun and (rule.captured_to is None or captured < rule.captured_to)


def _in_force(rule: Rule, captured: datetime, now: datetime) -> bool:
    starts, ends = rule.due(captured)
    return (starts is None or now >= starts) and (ends is None or now < ends)


def _soonest(times: Iterable[datetime | None], now: datetime) -> datetime | None:
    return min((at for at in times if at is not None and at > now), default=None)


def _weight(rule: Rule) -> tuple[int, tuple[int, int], str]:
    return rule.says.rank, rule.where.specificity, rule.id


def _without_key(rules: Rules, *, staff: bool) -> Decision:
    """A URL that cannot be read might be any: rules could not be held against it."""
    if staff or (not rules.count and rules.default is Default.OPEN):
        return Decision(allowed=True, reason="The capture is open.")
    return Decision(allowed=False, reason="The address of the capture cannot be read, so that no rule can open it.")


def _welcome(rule: str, asked: Asked) -> str:
    if asked.staff:
        return "Staff of the agency that collected it may see it."
    return "A rule opens this capture to the reader." if rule else "The capture is open."


def _sentence(rule: Rule) -> str:
    match rule.says:
        case Says.SEATS:
            return f"Only {rule.seats} readers at once may see this capture."
        case Says.ROOMS:
            places = ", ".join(sorted(rule.rooms))
            return f"This capture can be seen in reading rooms only{f': {places}' if places else ''}."
        case Says.PERSONS:
            return "This capture can be seen by certain persons only; sign in if you are one of them."
        case Says.EMBARGO:
            return "This capture is under embargo."
        case Says.TAKEN_BLOCK | Says.TAKEN_DESTROY:
            return "This capture was taken down."
        case _:
            return "This capture is not available."
