"""`opilio archive verify PATH…`: what is wrong with WARC and ARC files, exactly where, and what to do about it."""

import os
from typing import Annotated

import typer

from opilio.archive.verify.faults import Fault, Severity
from opilio.archive.verify.findings import Findings
from opilio.archive.verify.places import places
from opilio.archive.verify.verifying import verify as verify_files
from opilio.cli.archive_options import AGAINST_PATHS, ONLY_RESULT, PATHS
from opilio.cli.bars import bars
from opilio.cli.command import command
from opilio.cli.loading import part
from opilio.cli.output import Answer, Fields, Rows
from opilio.kernel.errors import Damaged

_MOST = 100  # faults that are shown to people


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio archive`."""
    command(app, "verify")(verify)


def verify(
    paths: PATHS,
    against: AGAINST_PATHS = None,
    result: ONLY_RESULT = None,
    fast: Annotated[bool, typer.Option("--fast", help="Leave out the digests of blocks and payloads.")] = False,
    workers: Annotated[int, typer.Option(help="Processes for large files; 0: one for each core.", min=0, max=64)] = 0,
) -> Answer:
    """Check every record: framing, packing, fields, digests, what it refers to; then the index and the manifests."""
    given = places(paths) if result is None else part("opilio.works.chosen_result").places_of_result(paths, result)
    further = places(against).records if against else ()
    with bars() as told:
        number = workers or len(os.sched_getaffinity(0))
        found = verify_files(given, against=further, digests=not fast, workers=number, told=told)
    return _answer(found)


def _answer(found: Findings) -> Answer:
    errors, warnings = found.count(Severity.ERROR), found.count(Severity.WARNING)
    document = {
        "files": found.files, "records": found.records, "bytes": found.bytes, "index_lines": found.lines,
        "bags": found.bags, "bag_files": found.bag_files,
        "errors": errors, "warnings": warnings, "counts": {code.value: n for code, n in sorted(found.counts.items())},
        "faults": [fault.document() for fault in found.faults],
    }  # fmt: skip
    pairs = [
        ("files", found.files), ("records", found.records), ("bytes", found.bytes), ("errors", errors),
        ("warnings", warnings),
        *([("bags", found.bags), ("files of bags", found.bag_files)] if found.bags else []),
    ]  # fmt: skip
    parts: list[Fields | Rows | str] = [Fields(pairs=pairs)]
    if found.faults:
        shown = sorted(found.faults, key=lambda fault: fault.severity)[:_MOST]
        parts += [Rows(columns=_COLUMNS, rows=[_row(fault) for fault in shown]), *_remedies(shown)]
        if errors + warnings > len(shown):
            parts.append(f"{errors + warnings - len(shown):,} more are not shown; --json lists up to 10,000.")
    return Answer(document=document, parts=parts, exit_code=0 if found.whole else Damaged.exit_code)


_COLUMNS = ("file", "offset", "severity", "code", "what")


def _row(fault: Fault) -> tuple[object, ...]:
    return (fault.file, fault.offset, fault.severity.value, fault.code.value, fault.sentence)


def _remedies(shown: list[Fault]) -> list[str]:
    """What to do, once for each kind of fault."""
    return [f"{code}: {remedy}" for code, remedy in {fault.code.value: fault.remedy for fault in shown}.items()]
