"""Orders to a running crawl, and what they add up to. They are kept in the store, so that every worker sees them."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from opilio.crawl.frontier.rows import Command
from opilio.crawl.frontier.values import LAST_PRIORITY
from opilio.crawl.plan import CrawlPlan, Limits
from opilio.crawl.scope.rules import Excluded
from opilio.kernel.errors import InvalidInput
from opilio.kernel.urls import canonical

_LIMITS = {each.name for each in fields(Limits)}
_MOST = 1_000  # expressions or URLs in one order
_LONGEST = 8_000  # characters of one of them
_NAMED = ("patterns", "urls", "hosts")


class CrawlState(StrEnum):
    """What a crawl is told to do."""

    RUNNING = "running"
    PAUSED = "paused"  # take nothing new, keep the leases
    STOPPING = "stopping"  # finish what is in flight, then end
    ABORTING = "aborting"  # end at once


@dataclass(frozen=True, kw_only=True, slots=True)
class Precedence:
    """Pages that were given another priority: those that match an expression, or are of a host, or are a URL."""

    priority: int  # smaller ones come first; pages have 0 of themselves
    patterns: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Control:
    """The sum of all orders."""

    limits: Limits
    state: CrawlState = CrawlState.RUNNING
    delay: float | None = None  # seconds; None: as planned
    host_delays: Mapping[str, float] = field(default_factory=dict)
    bandwidth: float | None = None  # bytes per second; None: as planned, infinite: no limit
    exclude: tuple[str, ...] = ()  # RE2 expressions
    excluded_urls: tuple[str, ...] = ()
    precedence: tuple[Precedence, ...] = ()  # later ones count more
    sorting: bool = False  # the queue is not yet in the order that was asked for
    last: int = 0  # number of the last order
    limited: int = 0  # number of the last order that changed limits


_STATES = {
    "pause": CrawlState.PAUSED,
    "resume": CrawlState.RUNNING,
    "stop": CrawlState.STOPPING,
    "abort": CrawlState.ABORTING,
}


def replay(plan: CrawlPlan, commands: Iterable[Command]) -> Control:
    """What holds after these orders, in the order of their numbers."""
    control = Control(limits=plan.limits)
    for command in commands:
        changed = _OTHERS[command.what](control, command.arguments) if command.what in _OTHERS else control
        limited = command.id if command.what == "limits" else control.limited
        state = _STATES.get(command.what, control.state)
        sorting = control.sorting or (command.what == "priority" and command.done is None)
        control = replace(changed, state=state, last=command.id, limited=limited, sorting=sorting)
    return control


def checked(what: str, arguments: Mapping[str, Any]) -> None:
    """`InvalidInput` unless a crawl can carry out this order."""
    if what not in _STATES and what not in _OTHERS:
        known = ", ".join([*_STATES, *_OTHERS])
        raise InvalidInput(f"{what[:80]!r} is not an order to a crawl", remedy=f"Known: {known}.")
    wrong = _refusal(what, arguments)
    if wrong:
        raise InvalidInput(f"the order {what!r} cannot be given like this: {wrong}", remedy="Correct its arguments.")


def _refusal(what: str, arguments: Mapping[str, Any]) -> str:
    if what == "limits":
        unknown = sorted(set(arguments) - _LIMITS)
        return f"there is no limit {unknown[0]!r}" if unknown else _not_whole(arguments.values())
    if what == "bandwidth":
        return _not_whole([arguments.get("bytes_per_second", "missing")])
    if what == "delay":
        seconds: Any = arguments.get("seconds")
        good = type(seconds) in (int, float) and 0 <= seconds < 1e9 and isinstance(arguments.get("host", ""), str)
        return "" if good else "it needs `seconds`, 0 or more, and may name a `host`"
    if what == "exclude":
        return _not_exclusions(arguments.get("patterns", []), arguments.get("urls", []))
    if what == "priority":
        return _not_precedence(arguments)
    return "it takes no arguments" if arguments else ""


def _not_whole(values: Iterable[object]) -> str:
    good = all(value is None or (type(value) is int and value >= 0) for value in values)
    return "" if good else "a limit is a whole number, 0 or more; null lifts it"


def _not_exclusions(given_patterns: object, given_urls: object) -> str:
    patterns, urls = _texts(given_patterns), _texts(given_urls)
    if patterns is None or urls is None or not (patterns or urls):
        return "it needs `patterns` or `urls`, lists of texts"
    try:
        Excluded(patterns)
        for url in urls:
            canonical(url)
    except InvalidInput as error:
        return error.what
    return ""


def _not_precedence(arguments: Mapping[str, Any]) -> str:
    priority, lists = arguments.get("priority"), [_texts(arguments.get(name, [])) for name in _NAMED]
    if type(priority) is not int or abs(priority) >= LAST_PRIORITY:
        return f"it needs a `priority`, a whole number between -{LAST_PRIORITY} and {LAST_PRIORITY}"
    if None in lists or not any(lists):
        return "it needs `patterns`, `urls` or `hosts`, lists of texts"
    return _not_exclusions(lists[0], lists[1]) if lists[0] or lists[1] else ""


def _texts(given: object) -> list[str] | None:
    """A list of texts; None if it is something else."""
    if not isinstance(given, list | tuple) or len(given) > _MOST:
        return None
    found = [text for text in given if isinstance(text, str) and 0 < len(text) <= _LONGEST]
    return found if len(found) == len(given) else None


def _limits(control: Control, arguments: Mapping[str, Any]) -> Control:
    return replace(control, limits=replace(control.limits, **arguments))


def _delay(control: Control, arguments: Mapping[str, Any]) -> Control:
    host, seconds = arguments.get("host", ""), float(arguments["seconds"])
    if host:
        return replace(control, host_delays={**control.host_delays, host: seconds})
    return replace(control, delay=seconds)


def _bandwidth(control: Control, arguments: Mapping[str, Any]) -> Control:
    given = arguments["bytes_per_second"]
    return replace(control, bandwidth=math.inf if given is None else given)


def _exclude(control: Control, arguments: Mapping[str, Any]) -> Control:
    return replace(
        control,
        exclude=(*control.exclude, *arguments.get("patterns", ())),
        excluded_urls=(*control.excluded_urls, *arguments.get("urls", ())),
    )


def _precedence(control: Control, arguments: Mapping[str, Any]) -> Control:
    named = {name: tuple(arguments.get(name, ())) for name in _NAMED}
    return replace(control, precedence=(*control.precedence, Precedence(priority=arguments["priority"], **named)))


_OTHERS: dict[str, Callable[[Control, Mapping[str, Any]], Control]] = {
    "limits": _limits,
    "delay": _delay,
    "bandwidth": _bandwidth,
    "exclude": _exclude,
    "priority": _precedence,
}
