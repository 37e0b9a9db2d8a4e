"""The tasks of review in people's in-trays: look at a harvest, agree to its endorsement, archive it."""

from opilio.curation.harvest_tasks import REVIEW_TASK
from opilio.curation.models import Harvest
from opilio.people.acting import Act
from opilio.people.intray import Category, Resource, close_tasks, notify, send_task
from opilio.people.privileges import Privilege

ARCHIVE_TASK = "archive-harvest"
SECOND_TASK = "second-endorsement"
_REVIEW = "Look at the recommendation and the pages of its results; then endorse or reject it."
_ARCHIVE = "It is endorsed. Hand it over to a depository."


def _about(harvest: Harvest) -> Resource:
    return Resource(kind="harvest", id=harvest.pk)


def ask_for_review(act: Act, harvest: Harvest) -> None:
    """Put the harvest before those who endorse; once is enough."""
    _ask(act, harvest, REVIEW_TASK, "Review the harvest of", _REVIEW, Privilege.ENDORSE_HARVEST)


def ask_for_second(act: Act, harvest: Harvest) -> None:
    """Somebody proposed an endorsement; another person has to agree."""
    words = f"{act.actor.username} wants to endorse it. Look at it, then agree by endorsing it too."
    _ask(act, harvest, SECOND_TASK, "Agree to the endorsement of the harvest of", words, Privilege.ENDORSE_HARVEST)


def ask_for_archiving(act: Act, harvest: Harvest) -> None:
    """Put the endorsed harvest before those who archive."""
    _ask(act, harvest, ARCHIVE_TASK, "Archive the harvest of", _ARCHIVE, Privilege.ARCHIVE_HARVEST)


def reviewed(harvest: Harvest) -> None:
    """It was decided: nobody need look any more."""
    close_tasks(kind=REVIEW_TASK, resource=_about(harvest))
    close_tasks(kind=SECOND_TASK, resource=_about(harvest))


def archived(harvest: Harvest) -> None:
    """It was archived, or is endorsed no more: nobody need archive it."""
    close_tasks(kind=ARCHIVE_TASK, resource=_about(harvest))


def tell_owner(act: Act, harvest: Harvest, kind: str, what: str, message: str) -> None:
    """Tell the owner of the harvest what somebody else decided."""
    if harvest.owner_id == act.actor.user:
        return
    notify(
        [harvest.owner_id], kind=kind, category=Category.GENERAL, now=act.clock.now(), sender=act.actor.username,
        subject=f"The harvest of {harvest.abstract_target} {what}", message=message, resource=_about(harvest),
    )  # fmt: skip


def _ask(act: Act, harvest: Harvest, kind: str, subject: str, message: str, privilege: Privilege) -> None:
    close_tasks(kind=kind, resource=_about(harvest))
    send_task(
        act.actor, kind=kind, subject=f"{subject} {harvest.abstract_target}", message=message, privilege=privilege,
        agency=harvest.agency_id, resource=_about(harvest),
    )  # fmt: skip
