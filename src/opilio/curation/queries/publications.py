"""Publications of the public index, for those who may publish."""

from dataclasses import dataclass

from django.db.models import QuerySet

from opilio.curation.models import Publication
from opilio.curation.publishing import endorsed
from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What the next publication would bring."""

    results: int
    added: tuple[int, ...]  # harvests
    dropped: tuple[int, ...]
    running: int | None  # publication that is under way


def publications(actor: Actor) -> QuerySet[Publication]:
    """Every publication, the newest first; nothing for those who may not publish."""
    rows = Publication.objects.order_by("-id")
    return rows if actor.holds(Privilege.PUBLISH_INDEX) else rows.none()


def publication(actor: Actor, publication_id: int) -> Publication:
    """One publication by its identifier."""
    found = publications(actor).filter(pk=publication_id).first()
    if found is None:
        raise NotFound(
            f"There is no publication {publication_id} that you may see", where="publications",
            remedy="Look at the list of publications.",
        )  # fmt: skip
    return found


def under_way(publication_id: int) -> Publication | None:
    """A publication that has not ended; for agents."""
    return Publication.objects.filter(pk=publication_id, ended_at=None).first()


def outlook(actor: Actor) -> Outlook:
    """What is endorsed now beside what was published last."""
    now = {row.harvest_id for row in endorsed(actor.clock.now())}
    last = harvests_of(last_done())
    running = Publication.objects.filter(ended_at=None).values_list("id", flat=True).first()
    return Outlook(
        results=len(now), added=tuple(sorted(now - last)), dropped=tuple(sorted(last - now)), running=running
    )


def last_done() -> Publication | None:
    """The last publication that came to its end."""
    return Publication.objects.filter(state="done").order_by("-id").first()


def harvests_of(row: Publication | None) -> set[int]:
    """The harvests that a publication holds."""
    return set(row.details.get("harvests", ())) if row is not None else set()
