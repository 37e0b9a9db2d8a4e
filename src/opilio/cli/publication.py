"""`opilio publication`: builds of the public index from what is endorsed."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.publications import start_publication
from opilio.curation.queries import publications as query

app = noun_app("Publish what is endorsed, and look at how that went.")
_COLUMNS = ("id", "state", "generation", "results", "added", "dropped", "documents", "by", "ended_at", "failure")
_ONE = Annotated[int, typer.Argument(metavar="PUBLICATION", help="Number of the publication.", show_default=False)]


@catalogue_command(app, "list")
def list_publications(
    limit: Annotated[int, typer.Option(help="How many at most.", min=1, max=1_000)] = 20,
) -> Answer:
    """List publications, the newest first."""
    found = [_told(row) for row in query.publications(operator())[:limit]]
    rows = [tuple(one[name] for name in _COLUMNS) for one in found]
    empty = "Nothing was published yet. Endorse a harvest, then: opilio publication start"
    return Answer(document={"publications": found}, parts=[Rows(columns=_COLUMNS, rows=rows, empty=empty)])


@catalogue_command(app, "show")
def show(publication: _ONE) -> Answer:
    """Show what a publication holds, what was left out, and what the nodes said."""
    return _one(query.publication(operator(), publication))


@catalogue_command(app, "next")
def next_publication() -> Answer:
    """Say what the next publication would bring."""
    found = query.outlook(operator())
    document = {
        "results": found.results, "added": list(map(str, found.added)), "dropped": list(map(str, found.dropped)),
        "running": str(found.running) if found.running is not None else None,
    }  # fmt: skip
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


@catalogue_command(app, "start")
def start() -> Answer:
    """Publish what is endorsed; an agent does it."""
    return _one(start_publication(operator()))


def _one(row: Any) -> Answer:
    document = _told(row) | {
        "nodes": row.details.get("nodes", []), "left_out": row.details.get("left_out", []),
        "harvests": list(map(str, row.details.get("harvests", []))),
    }  # fmt: skip
    nodes = [(one["node"], one["role"], one["outcome"], one["error"]) for one in document["nodes"]]
    lost = [(one["harvest"], one["why"]) for one in document["left_out"]]
    parts: list[Any] = [Fields(pairs=[(name, document[name]) for name in _COLUMNS])]
    parts += [Rows(columns=("node", "role", "outcome", "trouble"), rows=nodes)] if nodes else []
    parts += [Rows(columns=("left out", "why"), rows=lost)] if lost else []
    return Answer(document=document, parts=parts)


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "state": row.state, "generation": row.generation, "results": row.results,
        "added": row.added, "dropped": row.dropped, "documents": row.details.get("documents", 0), "by": row.by,
        "begun_at": row.begun_at, "ended_at": row.ended_at, "failure": row.failure,
    }  # fmt: skip
