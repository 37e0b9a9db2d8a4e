"""What an asker must hold before a noun answers, so that a refusal never tells of rows the asker may not see."""

from opilio.people.actions.rows import delete_row
from opilio.people.actor import Actor
from opilio.people.errors import NotAllowed
from opilio.people.kinds import Kind
from opilio.people.privileges import Privilege
from opilio.people.queries.records import rows_of
from opilio.people.queries.visible import one


def need(actor: Actor, what: str, *privileges: Privilege) -> None:
    """Go on only if the asker holds one of the privileges on anything at all; queries and actions say on what."""
    if not any(actor.holds(privilege) for privilege in privileges):
        raise NotAllowed(
            f"{actor.username} may not {what}", where="privileges",
            remedy=f"It needs {' or '.join(privileges)}, in a role and in the scopes of the token.",
        )  # fmt: skip


def delete(actor: Actor, kind: Kind, row_id: int, version: int | None) -> None:
    """Delete a row that the asker may see, so that it can be restored."""
    if not kind.owner_path:
        need(actor, f"delete {kind.plural.lower()}", *kind.privileges)
    one(rows_of(actor, kind), kind.label.lower(), row_id)
    delete_row(actor, kind_name=kind.name, row_id=row_id, version=version)
