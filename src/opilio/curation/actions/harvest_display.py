"""Whether readers are shown a harvest (TI_DISPLAY_TARGET_INSTANCE, TI_DISPLAY_NOTE)."""

from opilio.curation import harvest_log
from opilio.curation.kinds import HARVEST
from opilio.curation.models import Harvest
from opilio.people.acting import Act, action
from opilio.people.privileges import Privilege


@action("harvest.display", "Show a harvest to readers, or keep it from them.", privilege=Privilege.ENDORSE_HARVEST)
def set_display(act: Act, /, *, harvest_id: int, display: bool, note: str, version: int | None = None) -> Harvest:
    """It counts at every door within seconds, whatever was published."""
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    words = f"decide who is shown the harvest of {harvest.abstract_target}"
    act.require(Privilege.ENDORSE_HARVEST, HARVEST.subject(harvest), words)
    before = harvest.display
    if act.update(harvest, {"display": display, "display_note": note.strip()}, version=version) and before != display:
        harvest_log.noted(act, harvest, "displayed" if display else "not displayed", reason=note.strip())
    return harvest
