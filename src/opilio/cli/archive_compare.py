"""`opilio archive compare A B`: two crawls or results side by side, or the text of one page in both."""

from pathlib import Path
from typing import Annotated

import typer

from opilio.archive.compare.differences import Difference, Kind
from opilio.archive.compare.text_diff import TextDiff, Unit
from opilio.cli.command import command
from opilio.cli.output import Answer, Fields, Rows
from opilio.kernel.errors import InvalidInput
from opilio.works.compare_results import Compared, Named, Wanted, compare, compare_text

_RESULT = "Folder of a crawl, for its newest result; DIR@2 for result 2."


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio archive`."""
    command(app, "compare")(compare_results)


def compare_results(
    before: Annotated[str, typer.Argument(metavar="A", help=_RESULT, show_default=False)],
    after: Annotated[str, typer.Argument(metavar="B", help="The other one.", show_default=False)],
    url: Annotated[str, typer.Option("--url", help="Only URLs that begin so.")] = "",
    text: Annotated[str, typer.Option("--text", help="Compare the text of this page.")] = "",
    unit: Annotated[Unit, typer.Option("--by", help="Compare texts by lines or by words.")] = Unit.LINES,
    only: Annotated[Kind | None, typer.Option("--only", help="Show only these.")] = None,
    every: Annotated[bool, typer.Option("--every", help="Also what was never captured: denied, failed.")] = False,
    limit: Annotated[int, typer.Option("--limit", help="Differences to show.", min=0)] = 100,
    rows: Annotated[
        Path | None, typer.Option("--rows", help="Write all these differences into this file, as JSON lines.")
    ] = None,
) -> Answer:
    """Compare two crawls or results: what was added, removed or changed (digest, status, type, title)."""
    names = Named.parse(before), Named.parse(after)
    if not text:
        return answer(names, compare(*names, Wanted(url=url, only=only, every=every, most=limit, rows=rows)))
    if url or only or rows or every:
        remedy = "Leave out --url, --only, --every and --rows, or --text."
        raise InvalidInput("the text of one page is no list of differences", remedy=remedy)
    return _text_answer(names, text, compare_text(*names, text, unit))


def answer(names: tuple[Named, Named], compared: Compared) -> Answer:
    """The differences, for people and machines."""
    totals = compared.totals.document()
    document = {
        "before": {"folder": str(names[0].folder), "result": compared.before},
        "after": {"folder": str(names[1].folder), "result": compared.after},
        "totals": totals["kinds"],
        "changed_fields": totals["fields"],
        "rows": [row.document() for row in compared.rows],
        "more": compared.more,
    }
    table = Rows(
        columns=["", "URL", "what", "before", "after"],
        rows=[_row(row) for row in compared.rows],
        empty="Nothing differs.",
    )
    more = f"{compared.more} more are not shown; --limit shows more, `opilio archive compare … --rows FILE` writes all."
    notes = [more] if compared.more else []
    return Answer(document=document, parts=[Fields(pairs=list(totals["kinds"].items())), table, *notes])


def _row(row: Difference) -> list[object]:
    told = [_told(side, row.fields) for side in (row.before, row.after)]
    return [row.kind.value, row.url, ", ".join(row.fields), *told]


def _told(side: object, fields: tuple[str, ...]) -> str:
    """What differs, of one side; the status where it is only there or not."""
    if side is None:
        return ""
    shown = [name for name in fields if name != "digest"] or ["status"]
    return "; ".join(str(getattr(side, name) or "–") for name in shown)


def _text_answer(names: tuple[Named, Named], url: str, found: TextDiff) -> Answer:
    document = {
        "url": url, "before": str(names[0]), "after": str(names[1]), "same": found.same, "diff": list(found.lines),
        "notes": list(found.notes),
    }  # fmt: skip
    lines = list(found.lines) or ["The text is the same."]
    return Answer(document=document, parts=[*lines, *found.notes])
