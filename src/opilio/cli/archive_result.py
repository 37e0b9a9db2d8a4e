"""`opilio archive result …`: the results of a crawl, how they came about, and how they differ; derive one, undo it."""

from pathlib import Path
from typing import Annotated

import typer

from opilio.archive.results.deriving import Change, Derived, Existing
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.selection import Selection
from opilio.archive.results.view import Derivation, ResultView
from opilio.cli.archive_compare import answer
from opilio.cli.archive_options import FOLDER, RESULT, user_of_machine
from opilio.cli.bars import bars
from opilio.cli.command import command, noun_app
from opilio.cli.output import Answer, Fields, Rows
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import reading
from opilio.works import derive_result
from opilio.works.compare_results import Named, Wanted, compare

_LONGEST_LIST = 64 << 20  # bytes of a file with URLs


def add_to(app: typer.Typer) -> None:
    """Add the verbs to those of `opilio archive`."""
    result = noun_app("The results of a crawl: list, show, compare, derive and undo them.")
    command(result, "list")(list_results)
    command(result, "show")(show)
    command(result, "diff")(diff)
    command(result, "derive")(derive)
    command(result, "undo")(undo)
    app.add_typer(result, name="result")


def list_results(folder: FOLDER) -> Answer:
    """List the results of a crawl, and those that were undone."""
    results = ResultsFolder(folder)
    results.newest()
    found = []
    for number in results.numbers():
        with ResultView(results, number) as view:
            found.append((view.lineage()[-1], sum(view.outcomes().values()), results.protection(number)))
    undone = results.undone()
    document = {
        "results": [{**_document(each), "resources": count, "protected": mark} for each, count, mark in found],
        "undone": undone,
    }  # fmt: skip
    rows = [
        [each.number, each.parent, each.made, each.by, count, each.removed, each.added, mark, each.note]
        for each, count, mark in found
    ]
    columns = ["result", "from", "made", "by", "resources", "removed", "added", "protected", "note"]
    notes = [f"Result {each['number']} was undone at {each['undone']}: {each['why']}" for each in undone]
    return Answer(document=document, parts=[Rows(columns=columns, rows=rows), *notes])


def show(folder: FOLDER, number: RESULT = None) -> Answer:
    """Show a result: how it came about, its outcomes and its WARC files."""
    with ResultView(ResultsFolder(folder), number) as view:
        lineage, outcomes, warcs = view.lineage(), view.outcomes(), view.warcs()
    document = {
        "result": lineage[-1].number,
        "lineage": [_document(each) for each in lineage],
        "outcomes": outcomes,
        "warcs": [{"file": warc.file, "bytes": warc.size, "sha256": warc.sha256} for warc in warcs],
    }
    way = [[each.number, each.made, each.by, each.note, "; ".join(each.changes)] for each in lineage]
    return Answer(
        document=document,
        parts=[
            Rows(columns=["result", "made", "by", "note", "changes"], rows=way),
            Rows(columns=["outcome", "resources"], rows=list(outcomes.items())),
            Rows(columns=["WARC file", "bytes"], rows=[[warc.file, warc.size] for warc in warcs]),
        ],
    )


def diff(
    folder: FOLDER,
    before: Annotated[int, typer.Argument(metavar="A", help="Number of a result.", min=1, show_default=False)],
    after: Annotated[int, typer.Argument(metavar="B", help="Number of another.", min=1, show_default=False)],
    limit: Annotated[int, typer.Option("--limit", help="Differences to show.", min=0)] = 100,
    every: Annotated[bool, typer.Option("--every", help="Also what was never captured.")] = False,
) -> Answer:
    """Compare two results of a crawl; of two crawls: opilio archive compare."""
    names = Named(folder=folder, number=before), Named(folder=folder, number=after)
    return answer(names, compare(*names, Wanted(most=limit, every=every)))


def derive(
    folder: FOLDER,
    note: Annotated[str, typer.Option("--note", help="Why the result is made.", show_default=False)],
    parent: RESULT = None,
    url: Annotated[list[str] | None, typer.Option("--remove-url", help="Remove this URL.")] = None,
    prefix: Annotated[list[str] | None, typer.Option("--remove-prefix", help="Remove URLs that begin so.")] = None,
    host: Annotated[list[str] | None, typer.Option("--remove-host", help="Remove this host.")] = None,
    domain: Annotated[
        list[str] | None, typer.Option("--remove-domain", help="Remove this host and all below it.")
    ] = None,
    pattern: Annotated[
        list[str] | None, typer.Option("--remove-pattern", help="Remove URLs in which this RE2 pattern is found.")
    ] = None,
    listed: Annotated[
        Path | None, typer.Option("--remove-list", help="Remove the URLs in this file, one on each line.")
    ] = None,
    add: Annotated[list[Path] | None, typer.Option("--add", help="Add the captures of this WARC file.")] = None,
    existing: Annotated[
        Existing, typer.Option("--existing", help="What becomes of resources that an added file has too.")
    ] = Existing.REPLACE,
    by: Annotated[str, typer.Option("--by", help="Who makes it; default: the user of this machine.")] = "",
) -> Answer:
    """Derive a result: remove resources, add those of WARC files. What is there stays as it is."""
    remove = Selection(
        urls=(*(url or ()), *_lines(listed)), prefixes=tuple(prefix or ()), hosts=tuple(host or ()),
        domains=tuple(domain or ()), patterns=tuple(pattern or ()),
    )  # fmt: skip
    change = Change(remove=remove, add=tuple(add or ()), existing=existing, note=note, by=by or user_of_machine())
    with bars() as told:
        derived = derive_result.derive(folder, change, parent=parent, told=told)
    return _derived(derived)


def undo(
    folder: FOLDER,
    note: Annotated[str, typer.Option("--note", help="Why it is undone; kept in the record.", show_default=False)],
    number: RESULT = None,
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", metavar="DIR", help="A crawl that may need it; default: those beside DIR."),
    ] = None,
    by: Annotated[str, typer.Option("--by", help="Who undoes it; default: the user of this machine.")] = "",
) -> Answer:
    """Undo the newest derived result, unless it is protected or another crawl needs it. A record of it stays."""
    others = list(against) if against else None
    undone = derive_result.undo(folder, number, why=note, by=by or user_of_machine(), against=others)
    document = {"result": undone.number, "parent": undone.parent, "removed_warcs": list(undone.warcs)}
    return Answer(document=document, parts=[f"Result {undone.number} is undone; result {undone.parent} stays."])


def _derived(derived: Derived) -> Answer:
    document = {
        "result": derived.number, "parent": derived.parent, "removed": derived.removed, "added": derived.added,
        "replaced": derived.replaced, "kept": derived.kept, "unmatched": list(derived.unmatched),
        "file": str(derived.path),
    }  # fmt: skip
    pairs = [(name, value) for name, value in document.items() if name != "unmatched"]
    notes = [f"Nothing was found for {each}." for each in derived.unmatched[:20]]
    return Answer(document=document, parts=[Fields(pairs=pairs), *notes])


def _document(each: Derivation) -> dict[str, object]:
    return {
        "number": each.number, "parent": each.parent, "made": each.made, "by": each.by, "note": each.note,
        "changes": list(each.changes), "removed": each.removed, "added": each.added,
    }  # fmt: skip


def _lines(path: Path | None) -> list[str]:
    if path is None:
        return []
    with reading(path), path.open("rb") as stream:
        data = stream.read(_LONGEST_LIST + 1)
    if len(data) > _LONGEST_LIST:
        raise InvalidInput("the list is too long", where=str(path), remedy="Use prefixes or patterns.")
    lines = (line.strip() for line in data.decode("utf-8", "replace").splitlines())
    return [line for line in lines if line and not line.startswith("#")]
