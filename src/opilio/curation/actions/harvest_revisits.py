"""What an agent writes down about a harvest that goes by an earlier one, and about its site at the end."""

from collections.abc import Sequence

from opilio.curation import harvest_findings, harvest_log
from opilio.curation.models import Harvest
from opilio.curation.site_health import Finding
from opilio.people.acting import Act, action


@action("harvest.fetch_all", "A harvest asks for everything, because the earlier one cannot be read.")
def fetch_all(act: Act, /, *, harvest_id: int, agent: str, begun: bool) -> None:
    """The log says why. One that has begun keeps the earlier one: some of its records refer to it."""
    harvest = locked(act, harvest_id)
    if harvest is None or harvest.since_id is None:
        return
    reason = f"The data of harvest {harvest.since_id} is not where this agent looks; every page is asked for in full."
    harvest_log.noted(act, harvest, "fetch-all", reason=reason, agent=agent, details={"since": str(harvest.since_id)})
    if not begun:
        act.update(harvest, {"since": None}, message="It goes by no earlier harvest.")


@action("harvest.examine", "A harvest ended, and its site was looked at: it is well, moved, dead, parked or closed.")
def examine(act: Act, /, *, harvest_id: int, findings: Sequence[Finding]) -> None:
    """Troubles become tasks of those who may change the target; the tasks go when a later harvest finds it well."""
    harvest = locked(act, harvest_id)
    if harvest is not None:
        harvest_findings.report(act, harvest, findings)


def locked(act: Act, harvest_id: int) -> Harvest | None:
    """The harvest, for an agent."""
    act.require_that(act.actor.is_system, "run harvests", "Only agents do.")
    found: Harvest | None = Harvest.objects.select_for_update(of=("self",)).filter(pk=harvest_id).first()
    return found
