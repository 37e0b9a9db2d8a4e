"""The table of who may do what with harvests and agents."""

import datetime
from typing import Any

from opilio.curation.actions import (
    agents,
    bandwidth,
    harvest_broken,
    harvest_care,
    harvest_orders,
    harvest_queue,
    harvest_revisits,
    harvest_running,
    harvester_health,
)
from opilio.curation.actions.harvest_flags import flag_harvest
from opilio.curation.actions.harvest_now import harvest_now
from opilio.curation.models import HarvestOrder, HarvestState
from opilio.people.privileges import Privilege
from opilio.works.harvest_reports.broken import Broken
from tests.harvest_desk import NETWORK, HarvestDesk
from tests.permissions.table import AGENCY, ALL, Place, Rule, agency_wide, open_to, owner_wide

_MANAGE = Privilege.MANAGE_TARGET_INSTANCES
_LAUNCH = Privilege.LAUNCH_TARGET_INSTANCE_IMMEDIATE
_AGENTS = Privilege.MANAGE_WEB_HARVESTER


def _ready(place: Place) -> Any:
    return HarvestDesk(place.town).ready(agency=place.agency, owner=place.user)


def _harvest(place: Place, state: HarvestState = HarvestState.SCHEDULED) -> int:
    desk = HarvestDesk(place.town)
    return int(desk.harvest(desk.ready(agency=place.agency, owner=place.user), state=state).pk)


def _running(place: Place) -> int:
    return _harvest(place, HarvestState.RUNNING)


def _order(place: Place) -> int:
    made = HarvestOrder(harvest_id=_running(place), what="delay", by="user", at=place.town.clock.now())
    made.save()
    return int(made.pk)


def _registered(place: Place) -> int:
    return HarvestDesk(place.town).registered().id


def _installation(call: Any) -> Rule:
    """A thing of the whole installation: only those who hold the privilege over everything."""
    return Rule(privilege=_AGENTS, call=call, reach={ALL: "own", AGENCY: "", None: ""}, objects="own")


def _by_agents(call: Any) -> Rule:
    """Only agents do it, whatever people hold."""
    return open_to(call, "")


def _row(place: Place) -> int:
    return int(
        bandwidth.create_restriction(
            place.town.system, day=0, start=datetime.time(8), end=datetime.time(18), limit=100
        ).pk
    )


RULES: dict[str, Rule] = {
    "bandwidth.create": _installation(lambda actor, place: bandwidth.create_restriction(
        actor, day=0, start=datetime.time(8), end=datetime.time(18), limit=100)),
    "bandwidth.update": _installation(lambda actor, place: bandwidth.update_restriction(
        actor, restriction_id=_row(place), version=1, day=1, start=datetime.time(8), end=datetime.time(18), limit=9,
        allow_early_start=True)),
    "health.agents_unwell": _by_agents(lambda actor, place: harvester_health.warn_unwell(actor, reasons={"a": "b"})),
    "health.agents_lost": _by_agents(lambda actor, place: harvester_health.warn_lost(actor, agents=["a"])),
    "health.line_narrow": _by_agents(lambda actor, place: harvester_health.warn_narrow(actor)),
    "bandwidth.divide": _by_agents(lambda actor, place: bandwidth.divide_line(actor)),
    "harvest.launch": owner_wide(_LAUNCH, lambda actor, place: harvest_queue.launch_harvest(
        actor, harvest_id=_harvest(place), network=NETWORK)),
    "harvest.now": owner_wide(_LAUNCH, lambda actor, place: harvest_now(
        actor, holder_id=_ready(place).pk, network=NETWORK)),
    "harvest.order": owner_wide(_MANAGE, lambda actor, place: harvest_orders.order_move(
        actor, harvest_id=_running(place), what="pause")),
    "harvest.limits": owner_wide(_MANAGE, lambda actor, place: harvest_orders.order_limits(
        actor, harvest_id=_running(place), pages=5)),
    "harvest.delay": owner_wide(_MANAGE, lambda actor, place: harvest_orders.order_delay(
        actor, harvest_id=_running(place), seconds=1)),
    "harvest.exclude": owner_wide(_MANAGE, lambda actor, place: harvest_orders.order_exclusion(
        actor, harvest_id=_running(place), patterns=("x",))),
    "harvest.flag": owner_wide(_MANAGE, lambda actor, place: flag_harvest(actor, harvest_id=_harvest(place))),
    "harvest.priority": owner_wide(_MANAGE, lambda actor, place: harvest_orders.order_priority(
        actor, harvest_id=_running(place), priority=-10, hosts=("example.org",))),
    "harvest.bandwidth": agency_wide(_AGENTS, lambda actor, place: harvest_orders.set_bandwidth(
        actor, harvest_id=_harvest(place), percent=10)),
    "harvest.queue_switch": _installation(lambda actor, place: agents.switch_queue(actor, paused=True)),
    "agent.rule": _installation(lambda actor, place: agents.set_agent_rule(actor, name="barn")),
    "agent.command": _installation(lambda actor, place: agents.command_agent(
        actor, agent_id=_registered(place), what="pause")),
    "harvest.consider": _by_agents(lambda actor, place: harvest_queue.consider_due(
        actor, harvest_id=_harvest(place), network=NETWORK)),
    "harvest.begin": _by_agents(lambda actor, place: harvest_running.begin(
        actor, harvest_id=_harvest(place, HarvestState.QUEUED), agent="barn#1")),
    "harvest.obey": _by_agents(lambda actor, place: harvest_running.obeyed(
        actor, order_id=_order(place), agent="barn#1")),
    "harvest.finish": _by_agents(lambda actor, place: harvest_running.finish(
        actor, harvest_id=_running(place), agent="barn#1", reason="")),
    "harvest.keep": _by_agents(lambda actor, place: harvest_running.keep(
        actor, harvest_id=_running(place), agent="barn#1", reason="", files=[])),
    "harvest.end_aborted": _by_agents(lambda actor, place: harvest_running.give_up(
        actor, harvest_id=_running(place), agent="barn#1", reason="", ordered=True)),
    "harvest.trouble": _by_agents(lambda actor, place: harvest_running.trouble(
        actor, harvest_id=_running(place), agent="barn#1", reason="x")),
    "harvest.ask_for_help": _by_agents(lambda actor, place: harvest_running.ask_for_help(
        actor, harvest_id=_running(place), agents=2)),
    "harvest.without_pictures": _by_agents(lambda actor, place: harvest_running.without_pictures(
        actor, harvest_id=_running(place), agent="barn#1", reason="x")),
    "harvest.fetch_all": _by_agents(lambda actor, place: harvest_revisits.fetch_all(
        actor, harvest_id=_running(place), agent="barn#1", begun=False)),
    "harvest.examine": _by_agents(lambda actor, place: harvest_revisits.examine(
        actor, harvest_id=_running(place), findings=[])),
    "harvest.tell_broken": _by_agents(lambda actor, place: harvest_broken.tell_broken_links(
        actor, harvest_id=_running(place), broken=Broken(urls=1, links=1))),
    "harvest.heal": _by_agents(lambda actor, place: harvest_care.heal(actor, harvest_id=_running(place))),
    "harvest.watch_rights": _by_agents(lambda actor, place: harvest_care.watch_rights(
        actor, harvest_id=_running(place))),
    "harvest.flag_late": _by_agents(lambda actor, place: harvest_care.flag_late(actor, harvest_id=_running(place))),
}  # fmt: skip
