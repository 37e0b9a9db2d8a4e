"""Have the data of a harvest removed, and write down that it was; its record and its results' lists stay."""

from opilio.curation import harvest_log
from opilio.curation.kinds import HARVEST
from opilio.curation.models import Harvest, HarvestEvent, Result
from opilio.curation.purging import judged, purge_soon
from opilio.curation.results import preserved
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.privileges import Privilege
from opilio.works.purge_harvest import Purged


@action("harvest.purge", "Have the data of a harvest removed that need not be kept.", privilege=Privilege.PURGE)
def purge_harvest(act: Act, /, *, harvest_id: int) -> Harvest:
    """An agent that has the data removes it, unless another harvest needs it."""
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    act.require(Privilege.PURGE, HARVEST.subject(harvest), f"purge the harvest of {harvest.abstract_target}")
    found = judged(harvest, act.clock.now())
    if not found.allowed:
        raise Conflict(
            f"The data of harvest {harvest.pk} of {harvest.abstract_target} stays", where="purge",
            remedy=found.why_not,
        )  # fmt: skip
    purge_soon(harvest.pk, act.clock.now(), by=act.actor.username)
    harvest_log.noted(act, harvest, "purge", reason="Its data is to be removed.")
    act.record(harvest, message="Its data is to be removed.")
    return harvest


@action("harvest.purged", "Write down that the data of a harvest was removed.")
def purged(act: Act, /, *, harvest_id: int, done: Purged, by: str = "") -> None:
    """Done by the agent that removed it."""
    act.require_that(act.actor.is_system, "remove data of harvests", "Only agents do; order a purge instead.")
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    if harvest.purged:
        return
    told = f"{done.files} files of {done.bytes} bytes were removed" + (f", as {by} wanted." if by else ".")
    for number, digest in done.results.items():
        Result.objects.filter(harvest=harvest, number=number).update(digest=digest)
    for number in Result.objects.filter(harvest=harvest).values_list("number", flat=True):
        preserved(act, harvest, number, "deletion", detail=told)
    harvest_log.noted(act, harvest, "purged", reason=told, details={"files": done.files, "bytes": done.bytes})
    act.update(harvest, {"purged": True, "purged_at": act.clock.now()}, message=told)


@action("harvest.purge_refused", "Write down why the data of a harvest was not removed.")
def purge_refused(act: Act, /, *, harvest_id: int, reason: str) -> None:
    """Done by the agent that was to remove it; the same reason is written once."""
    act.require_that(act.actor.is_system, "remove data of harvests", "Only agents do; order a purge instead.")
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    last = HarvestEvent.objects.filter(harvest=harvest).order_by("-number").first()
    if last is None or (last.name, last.reason) != ("purge-refused", reason[:4_000]):
        harvest_log.noted(act, harvest, "purge-refused", reason=reason)
