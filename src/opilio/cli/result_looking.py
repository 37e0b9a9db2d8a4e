"""The commands of `opilio result` that look at a result and prune it: tree, prune, compare, history, log, hosts."""

import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from opilio.archive.compare.text_diff import Unit
from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.result_prune import prune
from opilio.curation.bulk.tables import writing
from opilio.curation.queries import result_compare, result_history, result_hosts, result_logs, result_tree, results
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import mapped
from opilio.works.log_reading import MOST_LINES, Mode, Question
from opilio.works.prune_preview import Preview
from opilio.works.result_comparison import Asked
from opilio.works.result_picks import Pick, Way

if TYPE_CHECKING:
    from opilio.curation.models import Result

_RESULT = Annotated[int, typer.Argument(metavar="RESULT", help="Number of the result's row.", show_default=False)]
_HOST = Annotated[str, typer.Option("--host", help="Host, with its port if it is unusual.")]
_PATH = Annotated[str, typer.Option("--path", help="Folder of the host, with its last slash.")]
_TEXT = Annotated[str, typer.Option("--text", help="Looked for in URLs.")]
_WAY = Annotated[Way, typer.Option("--way", help="How the text is read.")]
_STATUS = Annotated[str, typer.Option("--status", help="Only this status, such as 404, or class, such as 4xx.")]
_OUTCOME = Annotated[str, typer.Option("--outcome", help="Only this outcome, such as gone.")]
_TYPE = Annotated[str, typer.Option("--type", help="Only this type, such as html.")]
_LIMIT = Annotated[int, typer.Option("--limit", help="How many at most.", min=1, max=100_000)]
_WITH = Annotated[int | None, typer.Option("--with", help="Row of the other result; default: the usual one.")]
_FOLDER_COLUMNS = ("host", "path", "resources", "bytes", "failed", "folders")


def register(app: typer.Typer) -> None:
    """Give `opilio result` these commands."""
    verbs: dict[str, Callable[..., Answer | None]] = {
        "tree": tree, "prune": prune_result, "compare": compare, "compare-text": compare_text, "history": history,
        "log": log, "hops": hops, "hosts": hosts,
    }  # fmt: skip
    for name, body in verbs.items():
        catalogue_command(app, name)(body)


def tree(
    result: _RESULT,
    host: _HOST = "",
    path: _PATH = "",
    text: _TEXT = "",
    way: _WAY = Way.TEXT,
    status: _STATUS = "",
    outcome: _OUTCOME = "",
    kind: _TYPE = "",
    limit: _LIMIT = 100,
    csv: Annotated[bool, typer.Option("--csv", help="Write all resources that fit as CSV.")] = False,
) -> Answer | None:
    """Show the hosts of a result, a folder with what is in it, or the resources that fit filters."""
    row = _row(result)
    pick = Pick(host=host, path=path, text=text, way=way, status=status, outcome=outcome, type=kind)
    if csv:
        _write(result_tree.LEAF_COLUMNS, result_tree.every(row, pick, operator().clock.now()))
        return None
    with result_tree.opened(row, operator().clock.now()) as opened:
        here = opened.folder(pick.host, pick.path)
        folders = [] if pick.filtered else opened.folders(here, most=limit)
        leaves = opened.found(pick, most=limit) if pick.filtered else opened.leaves(here, most=limit)
        counted = opened.counted(pick).resources if pick.filtered else here.resources
    told, found = [result_tree.folder(one) for one in folders], [result_tree.leaf(one) for one in leaves]
    document = {"here": result_tree.folder(here), "folders": told, "resources": found, "counted": counted}
    parts = [
        Rows(columns=_FOLDER_COLUMNS, rows=[[one[name] for name in _FOLDER_COLUMNS] for one in told]) if told else "",
        _rows(result_tree.LEAF_COLUMNS, found) if found else "", f"{counted:,} resources in all.",
    ]  # fmt: skip
    return Answer(document=document, parts=[part for part in parts if part])


def prune_result(
    result: _RESULT,
    note: Annotated[str, typer.Option("--note", help="Why; it stays with the result. Without it: only a look.")] = "",
    url: Annotated[list[str] | None, typer.Option("--url", help="This URL; repeatable.")] = None,
    folder: Annotated[
        list[str] | None, typer.Option("--folder", help="All below HOST/PATH/, or of a HOST; repeatable.")
    ] = None,
    text: _TEXT = "",
    way: _WAY = Way.TEXT,
    status: _STATUS = "",
    outcome: _OUTCOME = "",
    kind: _TYPE = "",
) -> Answer:
    """Show what pruning would come to; with --note, have an agent derive a result without it."""
    row = _row(result)
    picks = [*(Pick(url=one) for one in url or ()), *map(_of_folder, folder or ())]
    if any((text, status, outcome, kind)):
        picks.append(Pick(text=text, way=way, status=status, outcome=outcome, type=kind))
    if not picks:
        raise InvalidInput("nothing is to be pruned", remedy="Give --url, --folder or a filter such as --status.")
    if not note:
        return _previewed(result_tree.preview(row, picks, operator().clock.now()))
    made = prune(operator(), result_id=row.pk, picks=picks, note=note)
    document = {"result": str(made.pk), "number": made.number}
    return Answer(document=document, parts=[f"An agent makes result {made.number}, row {made.pk}."])


def compare(
    result: _RESULT,
    other: _WITH = None,
    kind: Annotated[str, typer.Option(help="Only added, removed, changed or unchanged.")] = "",
    text: _TEXT = "",
    host: _HOST = "",
    type_: _TYPE = "",
    limit: _LIMIT = 100,
    csv: Annotated[bool, typer.Option("--csv", help="Write all that fit as CSV.")] = False,
) -> Answer | None:
    """Show what is new, gone or changed since another result of the same target."""
    row, before = _row(result), _before(result, other)
    asked = Asked(kind=kind, text=text, host=host, type=type_)
    columns = ("kind", "url", "fields", "type", "before_status", "after_status")
    if csv:
        found = result_compare.every(before, row, asked, operator().clock.now())
        _write(("url", *(name for name in columns if name != "url")), found)
        return None
    with result_compare.compared(before, row, operator().clock.now()) as opened:
        rows = [one.document() for one in opened.found(asked, most=limit)]
        totals = opened.totals()
    document = {"before": str(before.pk), "after": str(row.pk), "totals": totals, "differences": rows}
    told = ", ".join(f"{count:,} {name}" for name, count in totals.items())
    return Answer(document=document, parts=[_rows(columns, rows, "No difference fits."), f"All: {told}."])


def compare_text(
    result: _RESULT,
    url: Annotated[str, typer.Argument(metavar="URL", help="The page, in full.", show_default=False)],
    other: _WITH = None,
    unit: Annotated[Unit, typer.Option(help="What is compared.")] = Unit.LINES,
) -> Answer:
    """Show how the text of a page changed since another result."""
    found = result_compare.text_of(_before(result, other), _row(result), url, unit)
    document = {"same": found.same, "lines": list(found.lines), "notes": list(found.notes)}
    return Answer(document=document, parts=["The text is the same."] if found.same else [*found.lines, *found.notes])


def history(result: _RESULT) -> Answer:
    """Show all harvests of a result's target or group, newest first."""
    past = [one.document() for one in result_history.history(operator(), _row(result))]
    columns = tuple(name for name in result_history.COLUMNS if name != "headline")
    return Answer(document={"harvests": past}, parts=[_rows(columns, past)])


def log(
    result: _RESULT,
    file: Annotated[str, typer.Option("--file", help="Name of a log or report; empty: list them.")] = "",
    mode: Annotated[Mode, typer.Option("--mode", help="Which lines.")] = Mode.TAIL,
    text: Annotated[str, typer.Option("--text", help="Line, time, text or expression, as the mode says.")] = "",
    lines: Annotated[int, typer.Option("--lines", help="How many at most.", min=1, max=MOST_LINES)] = 200,
    output: Annotated[Path | None, typer.Option("--output", metavar="FILE", help="Keep the whole log here.")] = None,
) -> Answer:
    """List the logs and reports of a result's harvest, or read one."""
    row = _row(result)
    if not file:
        found = [asdict(one) for one in result_logs.files(row)]
        return Answer(document={"files": found}, parts=[_rows(("name", "size"), found, "There is no log.")])
    if output is not None:
        _, pieces = result_logs.whole(row, file)
        with mapped(output), output.open("wb") as stream:
            stream.writelines(pieces)
        return Answer(document={"written": str(output)}, parts=[f"Written to {output}."])
    part = result_logs.read(row, file, Question(mode=mode, text=text, lines=lines))
    told = [{"number": one.number, "text": one.text} for one in part.lines]
    return Answer(document={"file": file, "lines": told, "more": part.more}, parts=[
        *(f"{one.number:>6}  {one.text}" for one in part.lines), *(["There is more."] if part.more else []),
    ])  # fmt: skip


def hops(
    result: _RESULT, url: Annotated[str, typer.Argument(metavar="URL", help="The URL, in full.", show_default=False)]
) -> Answer:
    """Show the way from the seed to a URL of a result."""
    way = result_logs.hops(_row(result), url)
    return Answer(document={"hops": way}, parts=list(way))


def hosts(result: _RESULT, limit: _LIMIT = 100) -> Answer:
    """Show which hosts of a result link to which."""
    graph = result_hosts.graph(_row(result), operator().clock.now())
    links = [result_hosts.link(one) for one in graph.links[:limit]]
    document = {"links": links, "hosts": graph.hosts, "whole": graph.whole}
    return Answer(document=document, parts=[_rows(result_hosts.COLUMNS, links, "No host links another.")])


def _row(result: int) -> "Result":
    return results.result(operator(), result)


def _before(result: int, other: int | None) -> "Result":
    chosen = other if other is not None else result_compare.usual(operator(), _row(result))
    if chosen is None:
        raise InvalidInput("there is no result to compare with", remedy="Name one with --with.")
    return result_compare.other(operator(), chosen)


def _of_folder(text: str) -> Pick:
    host, slash, rest = text.partition("/")
    path = f"/{rest}" if slash and rest else ""
    return Pick(host=host.lower(), path=path if not path or path.endswith("/") else f"{path}/")


def _previewed(found: Preview) -> Answer:
    document = {
        "goes": asdict(found.chosen), "stays": asdict(found.left), "everything": found.everything,
        "vain": [str(pick) for pick in found.vain], "pages_total": found.pages_total,
        "pages_whole": found.pages_whole, "pages": [asdict(one) for one in found.pages],
        "needed": [asdict(one) for one in found.needed],
    }  # fmt: skip
    pairs = [
        ("resources that go", found.chosen.resources), ("bytes that go", found.chosen.bytes),
        ("resources that stay", found.left.resources), ("pages that would break", found.pages_total),
    ]  # fmt: skip
    notes = [f"Harvest {one.harvest} needs {one.captures:,} of its captures." for one in found.needed]
    notes += ["Nothing would be left: that is refused."] if found.everything else []
    rows = _rows(("url", "embeds", "links", "example"), document["pages"], "No page would break.")
    return Answer(
        document=document, parts=[Fields(pairs=pairs), rows, *notes, "Nothing was changed; give --note to prune."]
    )


def _rows(columns: tuple[str, ...], found: Any, empty: str = "Nothing.") -> Rows:
    return Rows(columns=columns, rows=[tuple(one[name] for name in columns) for one in found], empty=empty)


def _write(columns: tuple[str, ...], found: Any) -> None:
    rows: Any = ({name: one[name] for name in columns} for one in found)
    for piece in writing.as_csv(columns, rows):
        sys.stdout.buffer.write(piece)
    sys.stdout.flush()
