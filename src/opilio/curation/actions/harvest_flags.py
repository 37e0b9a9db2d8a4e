"""Mark a harvest for attention, or take the mark off."""

from opilio.curation import harvest_log
from opilio.curation.kinds import HARVEST
from opilio.curation.models import Harvest
from opilio.people.acting import Act, action
from opilio.people.privileges import Privilege


@action("harvest.flag", "Mark a harvest for attention, or take the mark off.",
        privilege=Privilege.MANAGE_TARGET_INSTANCES)  # fmt: skip
def flag_harvest(act: Act, /, *, harvest_id: int, flagged: bool = True) -> Harvest:
    """Nothing happens to a harvest that is marked so already."""
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    words = f"flag the harvest of {harvest.abstract_target}"
    act.require(Privilege.MANAGE_TARGET_INSTANCES, HARVEST.subject(harvest), words)
    if harvest.flagged != flagged:
        harvest_log.noted(act, harvest, "flagged" if flagged else "unflagged")
        act.update(harvest, {"flagged": flagged})
    return harvest
