"""Decides what becomes of a harvest whose time came: begin, wait, put off by a day, or hold it for a person. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from opilio.curation.models import State
from opilio.curation.workflow import SCHEDULABLE


class Verdict(Enum):
    """What is to be done with a due harvest."""

    GO = "go"  # freeze and queue it
    WAIT = "wait"  # leave it as it is; the reason is not its own
    DEFER = "defer"  # put it off by a day
    HOLD = "hold"  # wait for a person
    DROP = "drop"  # it cannot be done at all


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A member of a group that is not collected this time."""

    name: str
    reasons: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Rights:
    """What the permissions say about the seeds of a harvest."""

    problems: Sequence[str] = ()  # why it may not run; of a combined harvest: why nothing of it may
    left_out: Sequence[LeftOut] = ()  # members of a combined harvest without a right


@dataclass(frozen=True, kw_only=True)
class DueFacts:
    """All that the decision needs."""

    state: State  # of the target or group
    deleted: bool = False
    has_profile: bool = True
    rights: Rights = field(default_factory=Rights)
    plan_problem: str = ""  # why no plan can be made of it
    queue_paused: bool = False
    line_refusal: str = ""  # why the line has no room for it
    deferrals: int = 0
    most_deferrals: int = 7


@dataclass(frozen=True, kw_only=True)
class Decided:
    """A verdict with its reason."""

    verdict: Verdict
    reason: str = ""


def decide(facts: DueFacts) -> Decided:
    """The first thing that stands against it decides."""
    for against in (_gone, _unplannable, _waits):
        if (decided := against(facts)) is not None:
            return decided
    return Decided(verdict=Verdict.GO, reason=_left_out(facts.rights.left_out))


def _gone(facts: DueFacts) -> Decided | None:
    if facts.deleted:
        return Decided(verdict=Verdict.DROP, reason="Its target or group was deleted.")
    if facts.state not in SCHEDULABLE:
        return Decided(verdict=Verdict.DROP, reason=f"Its target or group is {facts.state.label.lower()}.")
    return None


def _unplannable(facts: DueFacts) -> Decided | None:
    if facts.rights.problems:
        return _without_right(facts)
    if not facts.has_profile:
        return Decided(verdict=Verdict.HOLD, reason="It has no profile, and its agency has no default profile.")
    return Decided(verdict=Verdict.HOLD, reason=facts.plan_problem) if facts.plan_problem else None


def _waits(facts: DueFacts) -> Decided | None:
    if facts.queue_paused:
        return Decided(verdict=Verdict.WAIT, reason="The queue is paused.")
    if facts.line_refusal:
        return Decided(verdict=Verdict.WAIT, reason=f"The line has no room: {facts.line_refusal}.")
    return None


def _without_right(facts: DueFacts) -> Decided:
    reason = " ".join(facts.rights.problems)
    if facts.deferrals >= facts.most_deferrals:
        words = f"It was put off {facts.deferrals} times and still lacks a right: {reason}"
        return Decided(verdict=Verdict.HOLD, reason=words)
    return Decided(verdict=Verdict.DEFER, reason=reason)


def _left_out(members: Sequence[LeftOut]) -> str:
    return " ".join(f"{member.name} is left out: {' '.join(member.reasons)}" for member in members)
