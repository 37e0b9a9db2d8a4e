"""The commands of `opilio result` that fetch, add and judge: missing, find, patch, import, pages, verdict, replay."""

import datetime
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator, settings
from opilio.cli.command import Body
from opilio.cli.lookups import user_named
from opilio.cli.moments import moment
from opilio.cli.output import Answer, Rows
from opilio.curation import replay_doors
from opilio.curation.actions.missing_urls import Taken, add_missing, wait_again
from opilio.curation.actions.page_verdicts import judge_page
from opilio.curation.actions.patches import begin_patch, end_patch, import_url
from opilio.curation.missing_finding import find_missing
from opilio.curation.missing_urls import web_url
from opilio.curation.queries import missing_urls, page_verdicts, result_pages, results
from opilio.curation.replay_doors import Place
from opilio.curation.result_importing import Upload, Words, import_at_url, import_warcs
from opilio.kernel.files import reading
from opilio.people.actions.rows import delete_row
from opilio.server import ports

_RESULT = Annotated[int, typer.Argument(metavar="RESULT", help="Number of the result's row.", show_default=False)]
_NOTE = Annotated[str, typer.Option("--note", help="Why; it stays with the new result.", show_default=False)]
_EXISTING = Annotated[str, typer.Option(help="What is there already: if-failed, replace or keep.")]
_FILE = Annotated[Path, typer.Argument(metavar="FILE", help="File to be read.", exists=True, dir_okay=False)]
_NUMBER = Annotated[int, typer.Argument(metavar="NUMBER", help="Number of the row.", show_default=False)]
_LIMIT = Annotated[int, typer.Option(help="How many at most.", min=1, max=100_000)]
_COLUMNS = ("id", "url", "noticed", "state", "outcome", "patched_in")


def register(app: typer.Typer) -> None:
    """Give `opilio result` these commands."""
    commands: dict[str, Body] = {
        "missing": missing, "add-missing": add, "find-missing": find, "wait-again": again, "forget-missing": forget,
        "patch": patch, "end-patch": give_up, "import": import_file, "import-warc": import_warc,
        "import-url": import_fetched, "pages": pages, "judge": judge, "verdicts": verdicts,
        "forget-verdict": forget_verdict, "replay": replay,
    }  # fmt: skip
    for name, body in commands.items():
        catalogue_command(app, name)(body)


def missing(row: _RESULT, limit: _LIMIT = 100) -> Answer:
    """List what a result lacks."""
    found = missing_urls.of_result(operator(), results.result(operator(), row)).order_by("id")[:limit]
    lines = [{name: getattr(one, name) for name in _COLUMNS} | {"id": str(one.pk)} for one in found]
    return Answer(document={"missing": lines}, parts=[_table(_COLUMNS, lines, "Nothing is missing so far.")])


def add(row: _RESULT, file: _FILE) -> Answer:
    """Name URLs that a result lacks: one on each line of a file, or a CSV table with the columns url and page."""
    with reading(file):
        text = file.read_bytes().decode("utf-8-sig", "replace")
    return _taken(add_missing(operator(), result_id=results.result(operator(), row).pk, text=text))


def find(row: _RESULT, what: Annotated[str, typer.Argument(help="embed or sitemap.")] = "embed") -> Answer:
    """Look through the pages of a result for what they need and it has not."""
    found = find_missing(operator(), results.result(operator(), row), what)
    more = {"pages": found.pages, "whole": found.whole}
    return _taken(found.taken, more, f"{found.pages:,} pages were looked at.")


def again(number: _NUMBER) -> Answer:
    """Let a URL that could not be fetched wait for the next patch."""
    done = wait_again(operator(), missing_id=number)
    return Answer(document={"id": str(done.pk), "state": done.state}, parts=[f"{done.url} waits again."])


def forget(number: _NUMBER) -> Answer:
    """Take a URL off the list of what is missing."""
    done = delete_row(operator(), kind_name="missing-url", row_id=number)
    return Answer(document={"id": str(done.pk)}, parts=[f"{done} is off the list."])


def patch(
    row: _RESULT,
    note: _NOTE,
    only: Annotated[list[int] | None, typer.Option("--only", help="Numbers of missing URLs; default: all.")] = None,
    existing: _EXISTING = "if-failed",
    embeds: Annotated[bool, typer.Option(help="Whether what fetched pages embed comes along.")] = True,
) -> Answer:
    """Have an agent fetch what a result lacks into a new one."""
    made = begin_patch(
        operator(), result_id=row, note=note, missing_ids=tuple(only or ()), existing=existing, embeds=embeds
    )
    return _begun(made)


def give_up(row: _RESULT, reason: Annotated[str, typer.Option(help="Why.")] = "") -> Answer:
    """Give up the patch that makes a result."""
    done = end_patch(operator(), result_id=row, reason=reason)
    return Answer(document={"result": str(done.pk)}, parts=[f"{done} is given up; its URLs wait again."])


def import_file(
    row: _RESULT,
    file: _FILE,
    url: Annotated[str, typer.Option(help="URL at which it stands.", show_default=False)],
    note: _NOTE,
    content_type: Annotated[str, typer.Option("--type", help="MIME type; empty: found out.")] = "",
    at: Annotated[str, typer.Option(help="Time of the capture, ISO 8601; file: that of the file; empty: now.")] = "",
    existing: _EXISTING = "replace",
) -> Answer:
    """Add a file that stands at a URL to a result; an agent makes the new one."""
    when = _changed(file) if at == "file" else moment(at, "--at")
    with _opened([file]) as (upload,):
        made = import_at_url(
            operator(), results.result(operator(), row), upload, Words(note=note, existing=existing), url=url,
            content_type=content_type, at=when,
        )  # fmt: skip
    return _begun(made)


def import_warc(
    row: _RESULT,
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="WARC files.", exists=True, dir_okay=False)],
    note: _NOTE,
    existing: _EXISTING = "replace",
) -> Answer:
    """Add all captures of WARC files to a result."""
    with _opened(files) as uploads:
        words = Words(note=note, existing=existing)
        made = import_warcs(operator(), results.result(operator(), row), uploads, words)
    return _begun(made)


def import_fetched(
    row: _RESULT,
    url: Annotated[str, typer.Argument(help="URL that is fetched now.", show_default=False)],
    note: _NOTE,
    stands_for: Annotated[str, typer.Option(help="URL for which it stands; empty: for itself.")] = "",
    existing: _EXISTING = "replace",
    embeds: Annotated[bool, typer.Option(help="Whether what the page embeds comes along.")] = False,
) -> Answer:
    """Have an agent fetch a URL now and add it to a result."""
    made = import_url(
        operator(), result_id=row, url=url, note=note, stands_for=stands_for, existing=existing, embeds=embeds
    )
    return _begun(made)


def pages(row: _RESULT, text: Annotated[str, typer.Option(help="Part of the URL or title.")] = "",
          limit: _LIMIT = 100) -> Answer:  # fmt: skip
    """List the pages of a result with what reviewers said about them."""
    found = result_pages.part(operator(), results.result(operator(), row), text=text, most=limit)
    lines = [result_pages.told(one) for one in found.rows]
    columns = ("number", "url", "title", "outcome", "verdicts")
    return Answer(document={"pages": lines, "whole": found.whole and found.next is None},
                  parts=[_table(columns, lines, "No page here.")])  # fmt: skip


def judge(
    row: _RESULT,
    url: Annotated[str, typer.Argument(help="URL of the page.", show_default=False)],
    by: Annotated[str, typer.Option("--by", help="User whose verdict it is.", show_default=False)],
    verdict: Annotated[str, typer.Option(help="good, acceptable or bad; empty: only a note.")] = "",
    note: Annotated[str, typer.Option(help="In words.")] = "",
) -> Answer:
    """Write down what a reviewer thinks of a page."""
    whose = user_named(operator(), by)
    made = judge_page(operator(), result_id=row, url=url, verdict=verdict, note=note, by=whose.pk)
    return Answer(document={"id": str(made.pk), "verdict": made.verdict}, parts=[f"{whose.username}: {made}"])


def verdicts(row: _RESULT) -> Answer:
    """List what reviewers said about pages of a result."""
    rows = page_verdicts.of_result(operator(), results.result(operator(), row)).order_by("id")
    lines = [{"id": str(one.pk), "url": one.url, "verdict": one.verdict, "note": one.note, "by": one.by.username}
             for one in rows]  # fmt: skip
    columns = ("id", "url", "verdict", "by", "note")
    return Answer(document={"verdicts": lines}, parts=[_table(columns, lines, "No verdict yet.")])


def forget_verdict(number: _NUMBER) -> Answer:
    """Delete a verdict; it can be restored on the pages."""
    done = delete_row(operator(), kind_name="page-verdict", row_id=number)
    return Answer(document={"id": str(done.pk)}, parts=[f"{done} is deleted."])


def replay(row: _RESULT, url: Annotated[str, typer.Argument(help="URL of a page.", show_default=False)]) -> Answer:
    """Print an address that opens a page of a result in replay, while `opilio serve` runs."""
    found, known = results.result(operator(), row), settings()
    with result_pages.opened(found):
        pass  # tells why its files are not here
    place = Place.of(known.server_public_url or ports.address(known.server_host, known.server_port))
    address = replay_doors.address(operator(), found.pk, web_url(url), place)
    document = {"address": address, "seconds": replay_doors.SECONDS}
    return Answer(document=document, parts=[f"Open {address}", f"It lasts {replay_doors.SECONDS} seconds."])


def _changed(file: Path) -> datetime.datetime:
    """When a file was last changed."""
    return datetime.datetime.fromtimestamp(file.stat().st_mtime, datetime.UTC)


def _begun(made: Any) -> Answer:
    return Answer(document={"result": str(made.pk), "number": made.number}, parts=[f"An agent makes {made}."])


def _taken(taken: Taken, more: dict[str, Any] | None = None, words: str = "") -> Answer:
    faults = [{"line": one.line, "reason": one.reason} for one in taken.faults]
    document = {"added": taken.added, "known": taken.known, "faults": faults, **(more or {})}
    told = [f"Line {one.line}: {one.reason}" for one in taken.faults]
    first = f"{taken.added:,} URLs are on the list; {taken.known:,} stood there already."
    return Answer(document=document, parts=[first, *([words] if words else []), *told])


def _table(columns: Sequence[str], lines: Sequence[dict[str, Any]], empty: str) -> Rows:
    return Rows(columns=columns, rows=[tuple(one[name] for name in columns) for one in lines], empty=empty)


@contextmanager
def _opened(files: Sequence[Path]) -> Iterator[list[Upload]]:
    found: list[Upload] = []
    try:
        for path in files:
            with reading(path):
                found.append(Upload(name=path.name, size=path.stat().st_size, stream=path.open("rb")))
        yield found
    finally:
        for one in found:
            one.stream.close()
