"""`opilio delivery check`, `pull`, `profiles`, `host-key`: what needs no catalogue."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from opilio.cli.bars import bars
from opilio.cli.command import command
from opilio.cli.output import Answer, Fields, Rows
from opilio.deliveries.check_page import check_page
from opilio.deliveries.checking import Checked, check
from opilio.deliveries.errors import SourceAway
from opilio.deliveries.journal import FileJournal
from opilio.deliveries.profile import order_of, profile, shipped
from opilio.deliveries.pulling import Account, Puller
from opilio.deliveries.source_file import sources_from
from opilio.deliveries.sources.opened import opened
from opilio.deliveries.sources.sftp import host_keys
from opilio.kernel.errors import Damaged, Missing
from opilio.kernel.files import ensure_folder, write_atomically
from opilio.kernel.locks import locked

PROFILE = Annotated[str, typer.Option("--profile", help="A profile of Opilio, or the path of a TOML file.")]
_COLUMNS = ("delivery", "document", "line", "column", "kind", "what")
_NO_KEY = "Look whether host and port are right and the server is up; it must speak SSH."


def add_to(app: typer.Typer) -> None:
    """Put the commands under `opilio delivery`."""
    command(app, "check")(check_files)
    command(app, "pull")(pull)
    command(app, "profiles")(profiles)
    command(app, "host-key")(host_key)


def check_files(
    files: Annotated[list[Path], typer.Argument(help="Deliveries on this machine.")],
    using: PROFILE = "impc",
    centre: Annotated[
        list[str] | None, typer.Option("--centre", help="A centre that may deliver; else those of the profile.")
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write the report as a page to this file.")] = None,
) -> Answer:
    """Check deliveries by the rules they will meet: names, archive, schemas, records. Nothing is sent or kept."""
    rules = profile(using)
    centres = frozenset(centre) if centre else None
    for path in files:
        if not path.is_file():
            raise Missing("There is no such file", where=str(path), remedy="Give the path of a zip file of a delivery.")
    checked = [check(path, rules, centres) for path in files]
    if html is not None:
        write_atomically(html, check_page(checked, rules.name).encode())
    return _told(checked)


def pull(
    sources: Annotated[Path, typer.Argument(help="A TOML file that describes the sources.")],
    into: Annotated[Path, typer.Option("--into", help="Folder for deliveries; it remembers what came.")],
    using: PROFILE = "impc",
    downloaders: Annotated[int, typer.Option(min=1, max=64, help="Deliveries fetched at once.")] = 2,
    limit: Annotated[float, typer.Option(min=1, max=86_400, help="Seconds that listing a source may take.")] = 600.0,
) -> Answer:
    """Fetch what partners offer: list every source, then fetch what is settled, each from the best source."""
    rules, known = profile(using), sources_from(sources)
    centres = frozenset(rules.centres) | {one.centre for one in known if one.centre}
    ensure_folder(into)
    with locked(into / "lock", purpose="pulling deliveries"), bars() as told:
        puller = Puller(
            rules, known, FileJournal(into / "journal"), into / "deliveries", centres=centres, opener=opened, told=told
        )
        return _accounted(puller.pull(downloaders=downloaders, limit=limit))


def profiles() -> Answer:
    """List the profiles that come with Opilio."""
    found = [profile(name) for name in shipped()]
    rows = [(one.name, one.title, one.deliveries.form, ", ".join(order_of(one))) for one in found]
    document = {
        "profiles": [{"name": a, "title": b, "deliveries": c, "documents": order_of(one)}
                     for one, (a, b, c, _) in zip(found, rows, strict=True)]
    }  # fmt: skip
    return Answer(document=document, parts=[Rows(columns=("name", "title", "deliveries", "documents"), rows=rows)])


def host_key(
    host: Annotated[str, typer.Argument(help="Name or address of an SFTP server.")],
    port: Annotated[int, typer.Option(min=1, max=65_535, help="Where it listens.")] = 22,
    timeout: Annotated[float, typer.Option(min=0.1, max=600, help="Seconds to wait.")] = 30.0,
) -> Answer:
    """Show the fingerprint of a server's host key, to be compared with the partner's before it is enrolled."""
    try:
        keys = asyncio.run(host_keys(host, port, within=timeout))
    except (OSError, TimeoutError) as error:
        raise SourceAway(
            f"The server did not show a key: {str(error) or 'no answer'}", where=f"{host}:{port}", remedy=_NO_KEY
        ) from error
    if not keys:
        raise SourceAway("The server did not show a key", where=f"{host}:{port}", remedy=_NO_KEY)
    return Answer(document={"host": host, "port": port, "keys": keys}, parts=[Fields(pairs=[("host key", keys[0])])])


def _accounted(account: Account) -> Answer:
    lines = [
        {"action": one.action, "name": one.name, "became": one.became.value, "source": one.source, "why": one.why,
         "size": one.size, "documents": one.documents}
        for one in account.lines
    ]  # fmt: skip
    document = {"deliveries": lines, "away": dict(account.away), "disagree": list(account.disagree)}
    parts: list[Fields | Rows | str] = [Fields(pairs=[("deliveries", len(lines)), ("sources away", len(account.away))])]
    if lines:
        parts.append(Rows(columns=tuple(lines[0]), rows=[tuple(one.values()) for one in lines]))
    parts += [f"{name}: {why}" for name, why in account.away.items()]
    parts += [f"{name}: sources have different versions of it." for name in account.disagree]
    return Answer(document=document, parts=parts, exit_code=0 if account.good else 1)


def _told(checked: list[Checked]) -> Answer:
    document = {
        "deliveries": [
            {
                "name": one.name, "good": one.good, "documents": list(one.documents),
                "found": [
                    {"kind": each.kind, "what": each.what, "document": each.document, "line": each.line,
                     "column": each.column, "fatal": each.fatal}
                    for each in one.found
                ],
            }
            for one in checked
        ]
    }  # fmt: skip
    rows = [
        (one.name, each.document, each.line or "", each.column or "", each.kind, each.what)
        for one in checked
        for each in one.found
    ]
    good = sum(one.good for one in checked)
    parts: list[Fields | Rows | str] = [Fields(pairs=[("deliveries", len(checked)), ("would be taken", good)])]
    if rows:
        parts.append(Rows(columns=_COLUMNS, rows=rows))
    return Answer(document=document, parts=parts, exit_code=0 if good == len(checked) else Damaged.exit_code)
