"""The audit log, deleted rows, annotations and constrained lists, as far as the asker may see them."""

from collections.abc import Sequence
from functools import reduce
from operator import or_

from django.db.models import Q, QuerySet

from opilio.catalogue.curated import Curated
from opilio.people.actor import Actor
from opilio.people.kinds import Kind, kind_named, kinds
from opilio.people.models import Annotation, AuditEntry, ListEntry, OutboxMessage
from opilio.people.privileges import Privilege
from opilio.people.queries.visible import one, visible


def audit_entries(actor: Actor) -> QuerySet[AuditEntry]:
    """Entries about agencies whose audit log the asker may read, newest first."""
    return visible(AuditEntry.objects.all(), actor, Privilege.VIEW_AUDIT, agency_path="agency_id")


def rows_of(
    actor: Actor, kind: Kind, *, deleted: bool = False, privilege: Privilege | None = None
) -> QuerySet[Curated]:
    """Rows of a kind that the asker may delete or, once deleted, restore; or reaches by another privilege."""
    rows: QuerySet[Curated] = kind.model.everything.filter(deleted=deleted).select_related("updated_by")
    found = _reached(rows, actor, kind, privilege)
    if kind.owner_may and kind.owner_path and actor.user is not None:
        found = found | rows.filter(**{kind.owner_path: actor.user})
    return found.order_by("-updated", "-id")


def _reached(rows: QuerySet[Curated], actor: Actor, kind: Kind, privilege: Privilege | None) -> QuerySet[Curated]:
    """What a privilege reaches; without one, each row by the privilege that rules it."""
    paths = {"agency_path": kind.agency_path, "owner_path": kind.owner_path}
    if privilege is not None or not kind.ruled:
        return visible(rows, actor, privilege or kind.privilege, **paths)
    others = reduce(or_, (Q(**part.where) for part in kind.ruled))
    found = visible(rows.filter(~others), actor, kind.privilege, **paths)
    for part in kind.ruled:
        found = found | visible(rows.filter(**part.where), actor, part.privilege, **paths)
    return found


def deleted_counts(actor: Actor) -> Sequence[tuple[Kind, int]]:
    """For each kind that the asker may restore, how many deleted rows there are."""
    counted = [(kind, rows_of(actor, kind, deleted=True).count()) for kind in kinds()]
    return [(kind, count) for kind, count in counted if count or any(map(actor.holds, kind.privileges))]


def annotations(actor: Actor, kind_name: str, identifier: int) -> QuerySet[Annotation]:
    """The notes pinned to a row that the asker may see, newest first, with their edits."""
    kind = kind_named(kind_name)
    one(rows_of(actor, kind, privilege=kind.note_privilege), kind.label.lower(), identifier)
    rows: QuerySet[Annotation] = Annotation.objects.filter(subject_type=kind.name, subject_id=identifier)
    return rows.select_related("author").prefetch_related("edits__replaced_by")


def list_entries(actor: Actor) -> QuerySet[ListEntry]:
    """All entries of all lists; everybody who signed in may read them."""
    rows: QuerySet[ListEntry] = ListEntry.objects.all()
    return rows


def choices(list_name: str) -> list[tuple[str, str]]:
    """What a constrained field offers now: value and label."""
    return list(ListEntry.objects.filter(list_name=list_name, active=True).values_list("value", "label"))


def choices_of(*list_names: str) -> dict[str, list[tuple[str, str]]]:
    """The same for several lists, read at once."""
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in list_names}
    rows = ListEntry.objects.filter(list_name__in=list_names, active=True)
    for list_name, value, label in rows.values_list("list_name", "value", "label"):
        found[list_name].append((value, label))
    return found


def outbox(actor: Actor) -> QuerySet[OutboxMessage]:
    """E-mail sent and waiting, for whoever may change parameters."""
    return visible(OutboxMessage.objects.all(), actor, Privilege.CONFIGURE_PARAMETERS)
