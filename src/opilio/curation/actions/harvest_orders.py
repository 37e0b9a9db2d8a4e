"""What people tell a harvest: pause, go on, stop, abort, new limits, delays, exclusions, priorities, bandwidth."""

from collections.abc import Mapping
from typing import Any

from opilio.crawl import expressions
from opilio.crawl.frontier.control import checked
from opilio.curation import harvest_log, rights_watch
from opilio.curation.harvest_workflow import HARVESTS
from opilio.curation.kinds import HARVEST
from opilio.curation.models import Harvest, HarvestOrder, HarvestState
from opilio.jobs import queue
from opilio.jobs.errors import NotInThatState
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege

_MANAGERS = (Privilege.MANAGE_TARGET_INSTANCES, Privilege.MANAGE_WEB_HARVESTER)
_MOVES = ("pause", "resume", "stop", "abort")
_MOST = 10**15


@action("harvest.order", "Pause, go on, stop or abort a harvest.", privilege=Privilege.MANAGE_TARGET_INSTANCES)
def order_move(act: Act, /, *, harvest_id: int, what: str, decision: str = "") -> HarvestOrder | None:
    """Its agent carries it out within two seconds; a harvest that waits for an agent is aborted at once.

    One that lost its right goes on only with a decision of somebody who may confirm permissions.
    """
    harvest = _fetched(act, harvest_id, what)
    if what not in _MOVES:
        raise InvalidFields({"what": [f"{what[:40]!r} is none of {', '.join(_MOVES)}."]}, where=act.name)
    HARVESTS.move(what, HarvestState(harvest.state))  # refused in a state from which there is no such move
    if harvest.state == HarvestState.QUEUED and _withdrawn(act, harvest):
        harvest_log.moved(act, harvest, "abort", reason=f"{act.actor.username} aborted it before it began.")
        return None
    if what == "resume" and harvest.held:
        rights_watch.accept(act, harvest, decision)
    return _order(act, harvest, what, {})


@action("harvest.limits", "Change the limits of a running harvest.", privilege=Privilege.MANAGE_TARGET_INSTANCES)
def order_limits(
    act: Act, /, *, harvest_id: int, pages: int | None = None, bytes_: int | None = None, seconds: int | None = None
) -> HarvestOrder:
    """Counted from the beginning of the harvest; 0 lifts a limit."""
    harvest = _running(act, harvest_id, "change the limits of")
    given = {"pages": pages, "bytes": bytes_, "seconds": seconds}
    wanted = {name: number for name, number in given.items() if number is not None}
    wrong = {name: ["Give a whole number from 0."] for name, number in wanted.items() if not 0 <= number <= _MOST}
    if wrong or not wanted:
        raise InvalidFields(wrong or {"pages": ["Give at least one limit."]}, where=act.name)
    return _order(act, harvest, "limits", wanted)


@action("harvest.delay", "Change the delay of a running harvest.", privilege=Privilege.MANAGE_TARGET_INSTANCES)
def order_delay(act: Act, /, *, harvest_id: int, seconds: float) -> HarvestOrder:
    """Between two requests to a host."""
    harvest = _running(act, harvest_id, "change the delay of")
    if not 0 <= seconds <= 86_400:
        raise InvalidFields({"seconds": ["Give seconds from 0 to a day."]}, where=act.name)
    return _order(act, harvest, "delay", {"seconds": seconds})


@action("harvest.exclude", "Leave URLs out of a running harvest.", privilege=Privilege.MANAGE_TARGET_INSTANCES)
def order_exclusion(
    act: Act, /, *, harvest_id: int, patterns: tuple[str, ...] = (), urls: tuple[str, ...] = ()
) -> HarvestOrder:
    """What waits and matches is not asked for any more."""
    harvest = _running(act, harvest_id, "leave URLs out of")
    if not patterns and not urls:
        raise InvalidFields({"patterns": ["Give an expression or a URL."]}, where=act.name)
    expressions.check(patterns, "patterns")
    return _order(act, harvest, "exclude", {"patterns": list(patterns), "urls": list(urls)})


@action("harvest.priority", "Move URLs of a running harvest.", privilege=Privilege.MANAGE_TARGET_INSTANCES)
def order_priority(
    act: Act, /, *, harvest_id: int, priority: int, patterns: tuple[str, ...] = (), urls: tuple[str, ...] = (),
    hosts: tuple[str, ...] = (),
) -> HarvestOrder:  # fmt: skip
    """Ahead of the others of their host (below 0) or behind them (above 0); what is found later keeps to it too."""
    harvest = _running(act, harvest_id, "move URLs of")
    given = {"patterns": list(patterns), "urls": list(urls), "hosts": list(hosts)}
    named = {name: texts for name, texts in given.items() if texts}
    if not named:
        raise InvalidFields({"patterns": ["Give an expression, a URL or a host."]}, where=act.name)
    arguments = {"priority": priority, **named}
    checked("priority", arguments)
    return _order(act, harvest, "priority", arguments)


@action("harvest.bandwidth", "Give a harvest a share of the line.", privilege=Privilege.MANAGE_WEB_HARVESTER)
def set_bandwidth(act: Act, /, *, harvest_id: int, percent: int | None, version: int | None = None) -> Harvest:
    """Of the limit in force; empty means an equal part of what others leave."""
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    act.require(Privilege.MANAGE_WEB_HARVESTER, HARVEST.subject(harvest), "divide the line")
    if percent is not None and not 1 <= percent <= 100:
        raise InvalidFields({"percent": ["Give a percentage from 1 to 100."]}, where=act.name)
    act.update(harvest, {"bandwidth_percent": percent}, version=version)
    return harvest


def _fetched(act: Act, harvest_id: int, what: str) -> Harvest:
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    subject, words = HARVEST.subject(harvest), f"{what} the harvest of {harvest.abstract_target}"
    held = next((one for one in _MANAGERS if act.actor.may(one, subject)), _MANAGERS[0])
    act.require(held, subject, words)
    return harvest


def _running(act: Act, harvest_id: int, what: str) -> Harvest:
    harvest = _fetched(act, harvest_id, what)
    if harvest.state not in (HarvestState.RUNNING, HarvestState.PAUSED):
        HARVESTS.move("pause", HarvestState(harvest.state))  # tells that it does not run
    return harvest


def _order(act: Act, harvest: Harvest, what: str, arguments: Mapping[str, Any]) -> HarvestOrder:
    made = HarvestOrder(
        harvest=harvest, what=what, arguments=dict(arguments), by=act.actor.username[:150], at=act.clock.now()
    )
    made.save()
    harvest_log.noted(act, harvest, "ordered", details={"what": what, **arguments})
    act.record(harvest, message=f"Ordered: {what}.", after={"order": what, **arguments})
    return made


def _withdrawn(act: Act, harvest: Harvest) -> bool:
    """Take the job back before an agent has it; False when one has."""
    if harvest.job is None:
        return True
    try:
        queue.withdraw(harvest.job, by=act.actor.username, now=act.clock.now())
    except NotInThatState:
        return False
    return True
