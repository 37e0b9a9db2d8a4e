"""Gathers what the run guard needs to know about a harvest, and makes its plan on the way."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from opilio.crawl.errors import BadPlan
from opilio.crawl.plan import CrawlPlan
from opilio.curation import harvest_plan, line
from opilio.curation.harvest_plan import Network
from opilio.curation.models import Harvest, State, Target
from opilio.curation.profile_settings import BadProfile
from opilio.curation.run_guard import Decided, DueFacts, Rights, decide
from opilio.people.parameters import value


@dataclass(frozen=True, kw_only=True)
class Considered:
    """What was decided about a harvest, on which grounds, and its plan if one could be made."""

    decided: Decided
    rights: Rights
    targets: Sequence[Target]  # those that may be collected
    plan: CrawlPlan | None


def consider(harvest: Harvest, *, now: datetime.datetime, network: Network, paused: bool) -> Considered:
    """Everything as it is now; nothing is written."""
    row, day = harvest.abstract_target, harvest_plan.day_of(harvest, now)
    rights, free = harvest_plan.collected(harvest, now)
    plan, problem = _plan(harvest, free, day, network)
    decided = decide(
        DueFacts(
            state=State(row.state), deleted=row.deleted, rights=rights, plan_problem=problem, queue_paused=paused,
            line_refusal=line.against(harvest, now), deferrals=harvest.deferrals,
            most_deferrals=int(value("harvest_most_deferrals")),
            has_profile=harvest_plan.profile_of(row) is not None,
        )
    )  # fmt: skip
    return Considered(decided=decided, rights=rights, targets=free, plan=plan)


def _plan(
    harvest: Harvest, targets: Sequence[Target], day: datetime.date, network: Network
) -> tuple[CrawlPlan | None, str]:
    if not targets:
        return None, ""
    try:
        return harvest_plan.plan_for(harvest, targets, day, network), ""
    except (BadPlan, BadProfile) as error:
        return None, f"No crawl can be planned: {error}"
