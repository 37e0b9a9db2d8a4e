"""Say what agents may take, tell them what to do, and pause or let go on the queue of harvests."""

from collections.abc import Sequence

from opilio.curation.models import AgentRule, AgentRuleAgency
from opilio.jobs import commands
from opilio.jobs.models import Agent
from opilio.jobs.states import AGENT_ORDERS, Order
from opilio.people.acting import Act, action
from opilio.people.actions.parameters import put
from opilio.people.errors import InvalidFields
from opilio.people.privileges import SYSTEM_WIDE, Privilege
from opilio.people.queries.homes import agency_names

_QUEUE = "harvest_queue_paused"


@action("agent.rule", "Say which harvests agents of a name take.", privilege=Privilege.MANAGE_WEB_HARVESTER)
def set_agent_rule(
    act: Act, /, *, name: str, accepting: bool = True, agencies: Sequence[int] = (), note: str = "",
    version: int | None = None,
) -> AgentRule:  # fmt: skip
    """Made, or changed; it counts from the next job that the agent looks for. Without agencies it takes everybody's."""
    act.require(Privilege.MANAGE_WEB_HARVESTER, SYSTEM_WIDE, "set rules for agents")
    name, wanted = name.strip(), sorted(set(agencies))
    _known(act, wanted)
    row: AgentRule | None = AgentRule.objects.select_for_update(of=("self",)).filter(name=name).first()
    if row is None:
        row = act.insert(AgentRule(name=name, accepting=accepting, note=note.strip()))
        _take_only(act, row, wanted)
        return row
    act.update(row, {"accepting": accepting, "note": note.strip()}, version=version)
    if _take_only(act, row, wanted):
        act.touch(row, [])
    return row


@action("agent.command", "Tell an agent to pause, resume or drain.", privilege=Privilege.MANAGE_WEB_HARVESTER)
def command_agent(act: Act, /, *, agent_id: int, what: str) -> int:
    """It obeys at its next heartbeat; the identifier of the command."""
    act.require(Privilege.MANAGE_WEB_HARVESTER, SYSTEM_WIDE, "tell agents what to do")
    if what not in AGENT_ORDERS:
        offered = ", ".join(sorted(AGENT_ORDERS))
        raise InvalidFields({"what": [f"{what[:40]!r} is none of {offered}."]}, where=act.name)
    told = commands.tell_agent(agent_id, Order(what), by=act.actor.username, now=act.clock.now())
    act.record(Agent.objects.get(pk=agent_id), message=Order(what).sentence, after={"order": what})
    return told


@action("harvest.queue_switch", "Pause the queue of harvests, or let it go on.",
        privilege=Privilege.MANAGE_WEB_HARVESTER)  # fmt: skip
def switch_queue(act: Act, /, *, paused: bool) -> bool:
    """While it is paused no harvest begins at its time; those that run go on, and a launch by hand still counts."""
    act.require(Privilege.MANAGE_WEB_HARVESTER, SYSTEM_WIDE, "pause the queue")
    put(act, name=_QUEUE, value=paused)
    return paused


def _known(act: Act, wanted: Sequence[int]) -> None:
    known = {number for number, _ in agency_names(frozenset(wanted))}
    missing = [str(number) for number in wanted if number not in known]
    if missing:
        raise InvalidFields({"agencies": [f"There is no agency {', '.join(missing)}."]}, where=act.name)


def _take_only(act: Act, row: AgentRule, wanted: Sequence[int]) -> bool:
    """Whether that was a change."""
    links = AgentRuleAgency.objects.filter(rule=row)
    before = sorted(links.values_list("agency_id", flat=True))
    if before == list(wanted):
        return False
    links.exclude(agency_id__in=wanted).delete()
    AgentRuleAgency.objects.bulk_create(
        AgentRuleAgency(rule=row, agency_id=number) for number in wanted if number not in before
    )
    act.record(row, message="Its agencies changed.", before={"agencies": before}, after={"agencies": list(wanted)})
    return True
