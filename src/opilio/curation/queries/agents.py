"""Rules of agents, as agents ask for them and as people see them."""

from dataclasses import dataclass

from django.db.models import QuerySet

from opilio.curation.harvest_jobs import tag_of
from opilio.curation.models import AgentRule, AgentRuleAgency
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What an agent of some name may take."""

    accepting: bool = True
    tags: frozenset[str] | None = None  # of jobs; None: all


def rule_of(name: str) -> Taken:
    """The rule for an agent; without one it takes everything."""
    rule = AgentRule.objects.filter(name=name).first()
    if rule is None:
        return Taken()
    agencies = list(AgentRuleAgency.objects.filter(rule=rule).values_list("agency_id", flat=True))
    return Taken(accepting=rule.accepting, tags=frozenset(map(tag_of, agencies)) if agencies else None)


def agent_rules(actor: Actor) -> "QuerySet[AgentRule]":
    """All rules, for whoever manages agents."""
    rows: QuerySet[AgentRule] = AgentRule.objects.prefetch_related("agencies__agency")
    return rows if actor.holds(Privilege.MANAGE_WEB_HARVESTER) else rows.none()
