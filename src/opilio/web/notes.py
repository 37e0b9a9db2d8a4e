"""The annotations of a row, as its page shows them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opilio.catalogue.curated import Curated
from opilio.people.actor import Actor
from opilio.people.kinds import Kind
from opilio.people.queries.records import annotations

if TYPE_CHECKING:
    from opilio.people.models import Annotation

_MOST = 200


@dataclass(frozen=True, kw_only=True)
class Panel:
    """Notes, newest first, and whether another may be pinned."""

    kind: str
    row_id: int
    notes: "list[Annotation]"
    may_add: bool
    user: int | None  # whose own notes can be reworded


def panel(actor: Actor, kind: Kind, row: Curated) -> Panel | None:
    """The notes of a row; None where the asker may not see them."""
    subject = kind.subject(row)
    if not actor.may(kind.note_privilege, subject) and (subject.owner is None or subject.owner != actor.user):
        return None
    return Panel(
        kind=kind.name, row_id=row.id, notes=list(annotations(actor, kind.name, row.id)[:_MOST]),
        may_add=kind.annotated and actor.user is not None, user=actor.user,
    )  # fmt: skip
