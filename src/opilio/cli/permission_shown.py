"""How the command line shows permissions."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from opilio.cli.catalogue import operator
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.permissions import FIELDS
from opilio.curation.queries import permissions as found

if TYPE_CHECKING:
    from opilio.curation.models import Permission

PERMISSION = Annotated[
    str, typer.Argument(metavar="PERMISSION", help="Identifier, or name of a quick pick.", show_default=False)
]


def told(row: Any) -> dict[str, Any]:
    """A permission as a document."""
    details = {name: getattr(row, name) for name in FIELDS}
    return {
        "id": str(row.id), "name": str(row), "status": found.STANDINGS[row.standing],
        "authorisation": row.authorisation.title, "agent": row.agent.name, "agency": row.agency.name, **details,
        "requested_at": row.requested_at, "decided_at": row.decided_at, "reminders": row.reminders,
        "seeds": row.seed_count, "version": row.version,
    }  # fmt: skip


def one(row: "Permission") -> Answer:
    """A permission with its parts and what was said."""
    patterns = [link.pattern.pattern for link in row.pattern_links.all()]
    wider = found.wider(operator(), agency_id=row.agency_id, patterns=patterns, but=row.id)
    document = {
        **told(row),
        "patterns": patterns,
        "exclusions": [f"{each.url} {each.reason}".strip() for each in row.exclusions.all()],
        "covered_already_by": [f"{each.permission} {each.name}: {each.pattern}" for each in wider],
    }
    said = [
        {"id": str(each.id), "at": each.at, "by": each.channel, "outgoing": each.outgoing, "with": each.address,
         "subject": each.subject, "text": each.text}
        for each in found.communications(operator(), row.id)[:200]
    ]  # fmt: skip
    table = Rows(
        columns=("at", "by", "with", "what"), empty="Nothing was said yet.",
        rows=[(each["at"], each["by"], each["with"], each["subject"] or each["text"]) for each in said],
    )  # fmt: skip
    return Answer(document={**document, "said": said}, parts=[Fields(pairs=list(document.items())), table])
