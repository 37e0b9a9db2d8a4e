"""`opilio harvest resources`, `waiting`, `story` and `priority`: what a harvest collected and has before it."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.harvest_told import detailed
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.harvest_orders import order_priority
from opilio.curation.bulk.tables import writing
from opilio.curation.queries import harvest_records as query
from opilio.curation.queries import harvests
from opilio.kernel.files import mapped
from opilio.works.record_filters import wanted
from opilio.works.story_words import facts

_HARVEST = Annotated[int, typer.Argument(metavar="HARVEST", help="Number of the harvest.", show_default=False)]
_TEXT = Annotated[str, typer.Option("--text", help="Only URLs that hold this text, whatever its case.")]
_HOST = Annotated[str, typer.Option("--host", help="Only of this host.")]
_LIMIT = Annotated[int, typer.Option("--limit", help="How many at most.", min=1, max=1_000_000)]
_CSV = Annotated[bool, typer.Option("--csv", help="Write all of them as CSV.")]
_OUTPUT = Annotated[Path | None, typer.Option("--output", metavar="FILE", help="Write the CSV to this file.")]
#: -5 is a number, not an option that does not exist.
_NUMBERS = {"ignore_unknown_options": True}


def register(app: typer.Typer) -> None:
    """Add the verbs to those of `opilio harvest`."""
    catalogue_command(app, "resources")(resources)
    catalogue_command(app, "waiting")(waiting)
    catalogue_command(app, "story")(story)
    catalogue_command(app, "priority", context_settings=_NUMBERS)(priority)


def resources(
    harvest: _HARVEST,
    text: _TEXT = "",
    status: Annotated[str, typer.Option(help="Only this status, such as 404, or class, such as 4xx.")] = "",
    outcome: Annotated[str, typer.Option(help="Only this outcome, such as gone.")] = "",
    kind: Annotated[str, typer.Option("--type", help="Only this type, such as html.")] = "",
    host: _HOST = "",
    limit: _LIMIT = 100,
    csv: _CSV = False,
    output: _OUTPUT = None,
) -> Answer | None:
    """List what a harvest collected, with the place of each record."""
    chosen = wanted(text=text, status=status, outcome=outcome, type_=kind, host=host)
    row = harvests.harvest(operator(), harvest)
    found = query.exported_resources(row, chosen)
    if csv or output is not None:
        return _written(query.RESOURCE_COLUMNS, found, output)
    columns = ("number", "url", "outcome", "status", "type", "size", "warc_file", "offset", "length")
    answer = _listed("resources", columns, found, limit, "No resource fits.")
    with query.opened(row) as records:
        outcomes = records.outcomes()
    told = ", ".join(f"{count:,} {name}" for name, count in outcomes.items())
    return replace(answer, document={**answer.document, "outcomes": outcomes}, parts=[*answer.parts, f"All: {told}."])


def waiting(
    harvest: _HARVEST, text: _TEXT = "", host: _HOST = "", limit: _LIMIT = 100, csv: _CSV = False,
    output: _OUTPUT = None,
) -> Answer | None:  # fmt: skip
    """List what waits in a harvest, by host, in the order in which each host is asked for it."""
    found = query.exported_waiting(harvests.harvest(operator(), harvest), wanted(text=text, host=host))
    if csv or output is not None:
        return _written(query.WAITING_COLUMNS, found, output)
    return _listed("waiting", query.WAITING_COLUMNS, found, limit, "Nothing waits.")


def story(
    harvest: _HARVEST,
    url: Annotated[str, typer.Argument(metavar="URL", help="The URL, in full.", show_default=False)],
) -> Answer:
    """Tell the story of one URL: how it was reached, what was decided and why, where its record lies."""
    told = query.story(harvests.harvest(operator(), harvest), url)
    return Answer(document=told, parts=[Fields(pairs=facts(told))])


def priority(
    harvest: _HARVEST,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Below 0: before the others; above 0: after them.")],
    pattern: Annotated[list[str] | None, typer.Option(help="Expression in RE2's syntax; repeatable.")] = None,
    url: Annotated[list[str] | None, typer.Option(help="URL, matched exactly; repeatable.")] = None,
    host: Annotated[list[str] | None, typer.Option(help="Host, with its port if it is unusual; repeatable.")] = None,
) -> Answer:
    """Move URLs of a running harvest ahead or back; what is found later keeps to it too."""
    me = operator()
    order_priority(
        me, harvest_id=harvest, priority=number, patterns=tuple(pattern or ()), urls=tuple(url or ()),
        hosts=tuple(host or ()),
    )  # fmt: skip
    document = detailed(me, harvests.harvest(me, harvest))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _listed(name: str, columns: tuple[str, ...], found: Iterator[Mapping[str, Any]], limit: int, empty: str) -> Answer:
    rows = list(islice(found, limit + 1))
    more = len(rows) > limit
    shown = [tuple(one[column] for column in columns) for one in rows[:limit]]
    told = [f"There are more than {limit:,}; --limit and --csv show them."] if more else []
    return Answer(
        document={name: rows[:limit], "more": more}, parts=[Rows(columns=columns, rows=shown, empty=empty), *told]
    )


def _written(columns: tuple[str, ...], found: Iterator[Mapping[str, Any]], output: Path | None) -> Answer | None:
    pieces = writing.as_csv(columns, found)
    if output is None:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.flush()
        return None
    with mapped(output), output.open("wb") as stream:
        for piece in pieces:
            stream.write(piece)
    return Answer(document={"written": str(output)}, parts=[f"Written to {output}."])
