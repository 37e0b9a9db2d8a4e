"""Have the kept files of a harvest read again, and write down what came of it."""

from dataclasses import asdict
from datetime import datetime

from opilio.curation import harvest_log
from opilio.curation.fixity import KEPT, TASK, about, check_soon
from opilio.curation.kinds import HARVEST
from opilio.curation.models import FixityCheck, Harvest, HarvestState, Result
from opilio.curation.results import preserved
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.intray import Category, audience, close_tasks, notify, send_task, waits
from opilio.people.privileges import Privilege
from opilio.works.fixity import MOST_TOLD, Reading


@action("fixity.order", "Have the kept files of a harvest read and compared with their digests.",
        privilege=Privilege.ARCHIVE_HARVEST)  # fmt: skip
def order_check(act: Act, /, *, harvest_id: int) -> Harvest:
    """An agent that has the files reads them."""
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    act.require(Privilege.ARCHIVE_HARVEST, HARVEST.subject(harvest), f"check the harvest of {harvest.abstract_target}")
    if harvest.state not in KEPT:
        label = HarvestState(harvest.state).label.lower()
        raise Conflict(
            f"Nothing of harvest {harvest.pk} is kept that could be checked: it is {label}", where="fixity",
            remedy="Choose a harvest that was collected and not rejected.",
        )  # fmt: skip
    check_soon(harvest.pk, act.clock.now())
    act.record(harvest, message="Its kept files are to be read again.")
    return harvest


@action("fixity.record", "Write down what a reading of the kept files of a harvest came to.")
def record_check(act: Act, /, *, harvest_id: int, place: str, begun_at: datetime, reading: Reading) -> FixityCheck:
    """Done by the agent that read them; damage that stays is a task and a notice."""
    act.require_that(act.actor.is_system, "say what files are like", "Only agents do; order a check instead.")
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    damaged = len(reading.damages)
    row = FixityCheck(
        harvest=harvest, place=place[:1_000], begun_at=begun_at, ended_at=act.clock.now(), files=reading.files,
        bytes=reading.bytes, damaged=damaged, repaired=reading.repaired,
        details=[asdict(each) for each in reading.damages[:MOST_TOLD]],
    )  # fmt: skip
    row.save()
    _preserve(act, harvest, row)
    if damaged:
        harvest_log.noted(act, harvest, "damage", reason=_sentence(row))
        act.record(harvest, message=_sentence(row))
    _tell(act, harvest, row)
    return row


@action("fixity.fail", "Write down that the kept files of a harvest could not be read.")
def fail_check(act: Act, /, *, harvest_id: int, place: str, begun_at: datetime, failure: str) -> None:
    """Done by the agent that tried."""
    act.require_that(act.actor.is_system, "say what files are like", "Only agents do; order a check instead.")
    harvest: Harvest = act.fetch(HARVEST, harvest_id)
    FixityCheck(
        harvest=harvest, place=place[:1_000], begun_at=begun_at, ended_at=act.clock.now(), failure=failure[:4_000]
    ).save()


def _preserve(act: Act, harvest: Harvest, row: FixityCheck) -> None:
    outcome = "success" if not row.damaged else "warning" if row.repaired == row.damaged else "failure"
    for number in Result.objects.filter(harvest=harvest, imported=False).values_list("number", flat=True):
        preserved(act, harvest, number, "fixity check", outcome=outcome, detail=_sentence(row))


def _tell(act: Act, harvest: Harvest, row: FixityCheck) -> None:
    """Damage that is left is a task until a reading of the same place finds none."""
    left = row.damaged - row.repaired
    if not row.damaged:
        if not _left_elsewhere(harvest, row):
            close_tasks(kind=TASK, resource=about(harvest.pk))
        return
    subject = f"Files of the harvest of {harvest.abstract_target} {'are' if left else 'were'} damaged"
    people = {harvest.owner_id, *(user.pk for user in audience(Privilege.ARCHIVE_HARVEST, harvest.agency_id))}
    notify(
        people, kind=TASK, category=Category.WARNING, subject=subject, message=_sentence(row),
        sender=act.actor.username, now=act.clock.now(), resource=about(harvest.pk),
    )  # fmt: skip
    if left and not waits(kind=TASK, resource=about(harvest.pk)):
        send_task(
            act.actor, kind=TASK, subject=subject, message=f"{_sentence(row)} Restore them from a backup.",
            privilege=Privilege.ARCHIVE_HARVEST, agency=harvest.agency_id, resource=about(harvest.pk),
        )  # fmt: skip


def _left_elsewhere(harvest: Harvest, row: FixityCheck) -> bool:
    """Whether the newest reading of another place left damage."""
    newest: dict[str, FixityCheck] = {}
    for each in FixityCheck.objects.filter(harvest=harvest).exclude(place=row.place).order_by("id"):
        newest[each.place] = each
    return any(each.damaged > each.repaired for each in newest.values())


def _sentence(row: FixityCheck) -> str:
    found = f"{row.files} files of {row.bytes} bytes were read in the {row.place}"
    if not row.damaged:
        return f"{found}; all have their digests."
    names = ", ".join(str(each["name"]) for each in row.details[:3])
    return f"{found}; {row.damaged} were damaged, {row.repaired} of them repaired: {names[:1_000]}."
