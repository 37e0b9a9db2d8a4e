"""Publish the index: people ask for it or a schedule does; an agent tells how far it has come."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from opilio.curation.models import Publication
from opilio.curation.publishing import publish_soon
from opilio.jobs import queue
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act, action
from opilio.people.errors import NotFound
from opilio.people.intray import Category, notify
from opilio.people.privileges import Privilege
from opilio.people.queries.names import user_id

_LONGEST = 4_000  # characters of a failure


class AlreadyPublishing(Conflict):
    """Another publication is under way."""


@dataclass(frozen=True, kw_only=True)
class Published:
    """What a publication came to."""

    generation: str = ""
    harvests: Sequence[int] = ()
    added: int = 0
    dropped: int = 0
    details: dict[str, Any] = field(default_factory=dict)
    failure: str = ""  # empty: every node serves it


@action("publication.start", "Publish what is endorsed.", privilege=Privilege.PUBLISH_INDEX)
def start_publication(act: Act, /) -> Publication:
    """Build the next generation and let all nodes serve it; one at a time."""
    act.require_that(
        act.actor.holds(Privilege.PUBLISH_INDEX), "publish the index",
        f"It needs the privilege {Privilege.PUBLISH_INDEX}; ask an administrator.",
    )  # fmt: skip
    running = Publication.objects.select_for_update().filter(ended_at=None).order_by("-id").first()
    if running is not None and not queue.unfinished(running.job):
        _ended(act, running, Published(failure="Nothing works on it any more; see the log of the agents."))
    elif running is not None:
        raise AlreadyPublishing(
            "The index is being published already", where=f"publication {running.pk}",
            remedy="Wait for it to end; then start another if something was endorsed meanwhile.",
        )  # fmt: skip
    row = Publication(begun_at=act.clock.now(), by=act.actor.username[:150], state="waiting")
    row.save()
    row.job = publish_soon(row.pk, act.clock.now()).id
    row.save(update_fields=["job"])
    act.record(row, message="Publish what is endorsed.")
    return row


@action("publication.step", "Tell how far a publication has come; agents do.")
def note_step(act: Act, /, *, publication_id: int, state: str, generation: str = "") -> None:
    """What readers find does not change by it."""
    row = _open(act, publication_id)
    row.state, row.generation = state, generation or row.generation
    row.save(update_fields=["state", "generation"])


@action("publication.end", "Tell what a publication came to; agents do.")
def end_publication(act: Act, /, *, publication_id: int, found: Published) -> None:
    """Whoever asked for it is told when it failed."""
    _ended(act, _open(act, publication_id), found)


def _ended(act: Act, row: Publication, found: Published) -> None:
    row.state, row.ended_at = ("failed" if found.failure else "done"), act.clock.now()
    row.generation, row.results = found.generation, len(found.harvests)
    row.added, row.dropped, row.failure = found.added, found.dropped, found.failure[:_LONGEST]
    row.details = {**found.details, "harvests": list(found.harvests)}
    row.save()
    words = f"Failed: {row.failure}" if row.failure else f"Generation {row.generation} holds {row.results} results."
    act.record(row, message=words)
    if row.failure and (asked := user_id(row.by)) is not None:
        notify(
            [asked], kind="publication-failed", category=Category.GENERAL, subject="The index was not published",
            message=row.failure, sender=act.actor.username, now=act.clock.now(),
        )  # fmt: skip


def _open(act: Act, publication_id: int) -> Publication:
    act.require_that(act.actor.user is None, "say how far a publication is", "Agents do that.")
    row = Publication.objects.select_for_update().filter(pk=publication_id, ended_at=None).first()
    if row is None:
        raise NotFound(f"No publication {publication_id} is under way", where=act.name, remedy="It ended already.")
    return row
