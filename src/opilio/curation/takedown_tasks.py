"""The tasks that takedowns make: confirm a proposal, look at one again."""

from opilio.curation.models import Takedown
from opilio.people.acting import Act
from opilio.people.intray import Resource, send_task, waits
from opilio.people.privileges import Privilege

CONFIRM = "takedown-confirm"
REVIEW = "takedown-review"


def about(row: Takedown) -> Resource:
    """The takedown as tasks name it."""
    return Resource(kind="takedown", id=row.pk)


def ask(act: Act, row: Takedown, kind: str, subject: str) -> bool:
    """Put a task before everybody who may take captures down; once."""
    if waits(kind=kind, resource=about(row)):
        return False
    send_task(
        act.actor, kind=kind, subject=f"{subject}: {row.value[:150]}", message=f"{row.authority}\n\n{row.reason}",
        privilege=Privilege.TAKEDOWN, agency=row.agency_id, resource=about(row),
    )  # fmt: skip
    return True
