"""Takes the URLs that an assessment found missing into the list from which a patch is made."""

from dataclasses import dataclass

from opilio.curation.actions.missing_urls import take_missing
from opilio.curation.missing_urls import readable
from opilio.curation.models import Assessment, MissingFrom, Result
from opilio.kernel.errors import Missing
from opilio.people.actor import Actor


class NothingProposed(Missing):
    """The assessment found nothing that a patch could fetch."""


@dataclass(frozen=True, kw_only=True)
class TakenOver:
    """What became of the proposals."""

    added: int
    known: int


def take_proposals(actor: Actor, row: Result) -> TakenOver:
    """All of them; those that stand on the list already stay as they are."""
    made = Assessment.objects.filter(result=row).first()
    rows = made.sheet.get("patch", []) if made is not None else []
    if not rows:
        raise NothingProposed(
            "The assessment found no URL to patch", where=str(row),
            remedy="Look for missing URLs, or name some yourself.",
        )  # fmt: skip
    added = known = 0
    for noticed, check in ((MissingFrom.EMBED, False), (MissingFrom.CHECK, True)):
        urls = readable((one["url"], one["page"]) for one in rows if bool(one.get("check")) is check)
        found = take_missing(actor, result_id=row.pk, noticed=noticed, urls=list(urls))
        added, known = added + found.added, known + found.known
    return TakenOver(added=added, known=known)
