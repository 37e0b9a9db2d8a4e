"""The crawl plan of a target or group, and what permissions keep out of it, as the asker may see them."""

from opilio.crawl.plan import CrawlPlan
from opilio.curation import harvest_plan
from opilio.curation.harvested import targets_of
from opilio.curation.queries.profiles import holder
from opilio.people.actor import Actor


def plan_of(actor: Actor, holder_id: int) -> CrawlPlan:
    """How a target or group would be crawled today, without secrets; `BadPlan` says why it cannot be."""
    return harvest_plan.plan_of(holder(actor, holder_id), actor.clock.now().date())


def barred_for(actor: Actor, holder_id: int) -> dict[str, str]:
    """What permissions keep out of the harvests of a target or group: expression → pattern as people wrote it."""
    targets = targets_of(holder(actor, holder_id))
    found = harvest_plan.exclusions_of(targets, actor.clock.now().date())
    return {one.expression: one.pattern for one in found}
