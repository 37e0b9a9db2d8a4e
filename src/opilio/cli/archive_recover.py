"""`opilio archive recover PATH…`: what is whole of damaged files, in new ones."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.archive.verify.places import places
from opilio.archive.verify.recovering import Recovered, recovered_name
from opilio.archive.verify.recovering import recover as recover_file
from opilio.archive.verify.verifying import Told
from opilio.cli.archive_options import PATHS
from opilio.cli.bars import bars
from opilio.cli.command import command
from opilio.cli.output import Answer, Rows
from opilio.kernel.errors import Damaged, InvalidInput

_MOST = 100  # places that are shown to people


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio archive`."""
    command(app, "recover")(recover)


def recover(
    paths: PATHS,
    into: Annotated[
        Path | None, typer.Option("--into", metavar="DIR", help="Where new files go; default: beside the old ones.")
    ] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Give new files the names of the old ones, which become NAME.damaged.")
    ] = False,
) -> Answer:
    """Keep every record that is whole, and say what was lost. Files without damage are left alone."""
    if into is not None and in_place:
        raise InvalidInput("--into and --in-place cannot be had together", where="recover", remedy="Choose one.")
    given = places(paths).records
    with bars() as told:
        found = [
            recover_file(path, _output(path, into), in_place=in_place, told=partial(_tell, told, path))
            for path in given
        ]
    return _answer(found)


def _tell(told: Told, path: Path, at: int) -> None:
    told(path.name, at, path.stat().st_size)


def _output(path: Path, into: Path | None) -> Path:
    return into / path.name.removesuffix(".open") if into is not None else path.with_name(recovered_name(path))


def _answer(found: list[Recovered]) -> Answer:
    rows = [
        (one.file, one.output or ("whole" if one.whole else "nothing to keep"), one.records, one.mended,
         one.lost_records, one.lost_bytes)
        for one in found
    ]  # fmt: skip
    lost = [(one.file, each.offset, each.size) for one in found for each in one.lost]
    parts: list[Rows | str] = [Rows(columns=_COLUMNS, rows=rows)]
    if lost:
        parts.append(Rows(columns=("file", "lost from", "bytes"), rows=lost[:_MOST]))
        parts.append("Check what is there now: opilio archive verify")
    kept = all(one.whole or one.records for one in found)
    return Answer(
        document={"files": [_document(one) for one in found]}, parts=parts, exit_code=0 if kept else Damaged.exit_code
    )


_COLUMNS = ("file", "new file", "records", "mended", "records lost", "bytes lost")


def _document(one: Recovered) -> dict[str, Any]:
    return {
        "file": str(one.file), "output": str(one.output) if one.output else None,
        "aside": str(one.aside) if one.aside else None, "whole": one.whole, "records": one.records,
        "mended": one.mended, "lost_records": one.lost_records, "lost_bytes": one.lost_bytes,
        "lost": [{"offset": each.offset, "bytes": each.size} for each in one.lost],
        "faults": [fault.document() for fault in one.faults],
    }  # fmt: skip
