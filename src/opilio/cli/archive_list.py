"""`opilio archive list PATH…`: the records of WARC and ARC files."""

from dataclasses import asdict
from itertools import islice
from typing import Annotated

import typer

from opilio.archive.verify.capture_places import CapturePlaces
from opilio.archive.verify.faults import Fault, Severity
from opilio.archive.verify.listing import Listed, Wish, list_records
from opilio.archive.verify.places import Places, places
from opilio.cli.archive_options import ONLY_RESULT, PATHS
from opilio.cli.bars import bars
from opilio.cli.command import command
from opilio.cli.loading import part
from opilio.cli.output import Answer, Rows
from opilio.kernel.errors import Damaged

_MOST_FAULTS = 10  # shown to people
_COLUMNS = ("offset", "type", "time", "status", "mime", "bytes", "URL")


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio archive`."""
    command(app, "list")(list_)


def list_(
    paths: PATHS,
    url: Annotated[str, typer.Option(help="Only this URL; with a * behind it, all that begin so.")] = "",
    kind: Annotated[str, typer.Option("--type", help="Only records of this type: response, revisit …")] = "",
    status: Annotated[int | None, typer.Option(help="Only this HTTP status.", min=0, max=999)] = None,
    limit: Annotated[int, typer.Option(help="Stop after so many; 0: never.", min=0)] = 1000,
    result: ONLY_RESULT = None,
) -> Answer:
    """List records in the order of the files: where they begin, what they hold.

    With --result only the captures that this result has.
    """
    wish = Wish(url=url, kind=kind.lower(), status=status)
    faults: list[Fault] = []
    if result is None:
        given = places(paths)
        listed = _listed(given, wish, faults, limit, None)
    else:
        with part("opilio.works.chosen_result").chosen_result(paths, result) as chosen:
            given = chosen.places
            listed = _listed(given, wish, faults, limit, CapturePlaces(chosen.captures.prefix("")))
    return _answer(given, listed, faults, limit)


def _listed(
    given: Places, wish: Wish, faults: list[Fault], limit: int, among: CapturePlaces | None
) -> list[Listed]:  # fmt: skip
    with bars() as told:
        found = list_records(
            given.records, wish, told=lambda at: told("records", at, given.size), report=faults.append, among=among
        )  # fmt: skip
        return list(islice(found, limit or None))


def _answer(given: Places, listed: list[Listed], faults: list[Fault], limit: int) -> Answer:
    several = len(given.records) > 1
    rows = [
        (
            *((each.file,) if several else ()),
            each.offset,
            each.kind,
            each.at,
            each.status,
            each.mime,
            each.size,
            each.url,
        )
        for each in listed
    ]
    columns = ("file", *_COLUMNS) if several else _COLUMNS
    broken = [fault for fault in faults if fault.severity is Severity.ERROR]
    document = {
        "records": [asdict(each) for each in listed], "files": len(given.records),
        "faults": [fault.document() for fault in broken],
    }  # fmt: skip
    notes = [f"Only the first {limit:,} are shown; --limit 0 shows all."] if limit and len(listed) == limit else []
    notes += [f"{fault.file}, byte {fault.offset:,}: {fault.sentence}" for fault in broken[:_MOST_FAULTS]]
    notes += [f"{len(broken):,} faults were met; `opilio archive verify` tells all."] if broken else []
    code = Damaged.exit_code if broken else 0
    table = Rows(columns=columns, rows=rows, empty="No such record.")
    return Answer(document=document, parts=[table, *notes], exit_code=code)
