"""Single rows that an asker can reach by identifier alone: API tokens, annotations, tasks."""

from django.db.models import QuerySet

from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.kinds import kind_named
from opilio.people.models import Annotation, ApiToken, Task
from opilio.people.privileges import Privilege
from opilio.people.queries.intray import agency_tasks, tasks
from opilio.people.queries.records import rows_of
from opilio.people.queries.visible import one, visible


def tokens(actor: Actor) -> QuerySet[ApiToken]:
    """API tokens of those whom the asker manages, and the asker's own."""
    rows = ApiToken.objects.select_related("user__agency")
    managed = visible(rows, actor, Privilege.MANAGE_USERS, agency_path="user__agency_id")
    return managed | rows.filter(user_id=actor.user) if actor.user is not None else managed


def annotation(actor: Actor, identifier: int) -> Annotation:
    """A note that the asker wrote, or that is pinned to a row which the asker may see; else `NotFound`."""
    row = Annotation.objects.select_related("author").prefetch_related("edits__replaced_by").filter(id=identifier)
    found: Annotation | None = row.first()
    if found is not None and (found.author_id == actor.user or _sees_subject(actor, found)):
        return found
    raise NotFound(
        f"There is no annotation {identifier} that you may see",
        remedy="It may have been deleted, or be pinned to a row of another agency.",
    )


def task(actor: Actor, identifier: int) -> Task:
    """A task that is the asker's to do, or to delete; else `NotFound`."""
    return one(tasks(actor) | agency_tasks(actor), "task", identifier)


def _sees_subject(actor: Actor, note: Annotation) -> bool:
    kind = kind_named(note.subject_type)
    return rows_of(actor, kind, privilege=kind.note_privilege).filter(pk=note.subject_id).exists()
