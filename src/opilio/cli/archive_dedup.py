"""Verbs about bodies that are kept once: `opilio archive needs DIR`, `opilio archive dedup DIR --into NEW`."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from opilio.cli.archive_options import FOLDER, RESULT
from opilio.cli.bars import bars
from opilio.cli.command import command
from opilio.cli.output import Answer, Fields, Rows
from opilio.works.dedup_crawl import LEAST, deduplicate
from opilio.works.pack_needs import Needs, dependents, find_needs, siblings

_SHOWN = 20  # rows of a list


def add_to(app: typer.Typer) -> None:
    """Add the verbs to those of `opilio archive`."""
    command(app, "needs")(needs)
    command(app, "dedup")(dedup)


def needs(
    folder: FOLDER,
    result: RESULT = None,
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", metavar="DIR", help="A crawl to look at; default: those beside DIR."),
    ] = None,
) -> Answer:
    """Say which other crawls a crawl needs, and which need it: before it is deleted or handed over."""
    others = list(against) if against else siblings(folder)
    found = find_needs(folder, result=result, against=others)
    held = Counter(each.crawl for each in dependents(folder, others))
    return _needs(found, held)


def _needs(found: Needs, held: Counter[str]) -> Answer:
    document = {
        "result": str(found.result), "list": str(found.listed_in), "inside": found.inside, "crawls": found.crawls,
        "files": found.files, "missing": found.missing_total,
        "missing_examples": [{"url": row.url, "file": row.file, "offset": row.offset} for row in found.missing],
        "needed_by": dict(held),
    }  # fmt: skip
    pairs = [
        ("result", found.result), ("needs inside the crawl", found.inside),
        ("needs of other crawls", sum(found.crawls.values())), ("found nowhere", found.missing_total),
        ("needed by others", sum(held.values())), ("list", found.listed_in),
    ]  # fmt: skip
    parts: list[Rows | Fields | str] = [Fields(pairs=pairs)]
    for columns, rows in (
        (("needs", "captures"), list(found.files.items())[:_SHOWN]),
        (("is needed by", "captures"), list(held.items())[:_SHOWN]),
        (("without a body", "in", "at"), [(row.url, row.file, row.offset) for row in found.missing[:_SHOWN]]),
    ):
        if rows:
            parts.append(Rows(columns=columns, rows=rows))
    return Answer(document=document, parts=parts)


def dedup(
    folder: FOLDER,
    into: Annotated[
        Path, typer.Option("--into", metavar="NEW", help="The folder to make; new or empty.", show_default=False)
    ],
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", metavar="DIR", help="An earlier crawl whose bodies need not be kept again."),
    ] = None,
    least: Annotated[int, typer.Option("--least", min=1, help="Bytes from which on a body is looked for.")] = LEAST,
) -> Answer:
    """Copy a crawl without the bodies that it, or an earlier crawl, keeps already. DIR itself is not touched."""
    with bars() as told:
        done = deduplicate(folder, into, against=tuple(against or ()), least=least, told=told)
    document = {
        "folder": str(done.folder), "records": done.records, "rewritten": done.rewritten, "saved_bytes": done.saved,
        "bytes_before": done.before, "bytes_after": done.after,
    }  # fmt: skip
    pairs = [(name.replace("_", " "), value) for name, value in document.items()]
    note = "The copy needs the crawls that it was held against: opilio archive needs."
    return Answer(document=document, parts=[Fields(pairs=pairs), *([note] if against else [])])
