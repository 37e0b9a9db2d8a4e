"""`opilio archive store …`: results in the archive, on a disk or in a bucket: put, list, check, get and clean."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from opilio.archive.store.addresses import open_store
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.store.ocfl.checking import ArchiveFault, check_object, check_root
from opilio.archive.store.ocfl.cleaning import clean as clean_archive
from opilio.archive.store.ocfl.inventory import Inventory
from opilio.archive.store.ocfl.layout import object_root
from opilio.archive.store.s3_options import s3_options
from opilio.archive.store.store import Store
from opilio.cli import output
from opilio.cli.archive_options import FOLDER, RESULT, user_of_machine
from opilio.cli.bars import bars
from opilio.cli.command import command, noun_app
from opilio.cli.output import Answer, Fields, Rows
from opilio.kernel import config
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import Damaged
from opilio.works.archive_results import archive_results

_STORE = Annotated[
    str, typer.Option("--store", metavar="ADDRESS", help="A folder or s3://bucket/prefix; default: the setting store.")
]
_ID = Annotated[str, typer.Argument(metavar="ID", help="The harvest, as `list` shows it.", show_default=False)]


def add_to(app: typer.Typer) -> None:
    """Add the verbs to those of `opilio archive`."""
    store = noun_app("Archived results, on a disk or in a bucket: put, list, check, get and clean.")
    command(store, "put")(put)
    command(store, "list")(list_harvests)
    command(store, "check")(check)
    command(store, "get")(get)
    command(store, "clean")(clean)
    app.add_typer(store, name="store")


def put(
    folder: FOLDER,
    store: _STORE = "",
    identifier: Annotated[
        str, typer.Option("--id", help="Name of the harvest; default: made of the folder's name.", show_default=False)
    ] = "",
    result: RESULT = None,
    by: Annotated[str, typer.Option("--by", help="Who archives it; default: the user of this machine.")] = "",
    without_originals: Annotated[
        bool, typer.Option("--without-originals", help="Archive though its captures need crawls that are not archived.")
    ] = False,
) -> Answer:
    """Archive a result of a sealed crawl, and the results before it. What is archived already is not sent again."""
    with bars() as told:
        done = archive_results(
            folder, _opened(store), identifier=identifier, result=result, user=by or user_of_machine(),
            without_originals=without_originals, told=told,
        )  # fmt: skip
    versions = [
        {"result": each.result, "files": each.files, "written": each.written, "bytes": each.bytes,
         "already": each.already}
        for each in done.versions
    ]  # fmt: skip
    document = {"id": done.identifier, "store": done.store, "versions": versions}
    columns = ["result", "files", "new contents", "bytes", "was there"]
    pairs = [("harvest", done.identifier), ("store", done.store)]
    rows = [list(each.values()) for each in versions]
    return Answer(document=document, parts=[Fields(pairs=pairs), Rows(columns=columns, rows=rows)])


def list_harvests(store: _STORE = "") -> Answer:
    """List the harvests of the archive."""
    archive = Archive.open(_opened(store))
    found = sorted((archive.inventory(each) for each in archive.identifiers()), key=lambda each: each.id)
    rows = [[each.id, each.head.number, each.head.created, len(each.head.state), each.head.message] for each in found]
    columns = ["harvest", "results", "archived", "files", "message"]
    table = Rows(columns=columns, rows=rows, empty="The archive is empty.")
    return Answer(document={"store": archive.store.address, "harvests": list(map(_document, found))}, parts=[table])


def check(
    identifiers: Annotated[
        list[str] | None, typer.Argument(metavar="ID…", help="Harvests; default: all of them.", show_default=False)
    ] = None,
    store: _STORE = "",
    quick: Annotated[bool, typer.Option("--quick", help="Do not read the contents.")] = False,
) -> Answer:
    """Check the archive: inventories, missing and unknown files, and the digest of every content."""
    archive = Archive.open(_opened(store))
    roots = [object_root(archive.inventory(each).id) for each in identifiers] if identifiers else list(archive.roots())
    faults: list[ArchiveFault] = [] if identifiers else list(check_root(archive))
    size = 0
    with output.steps() as begin:
        advance = begin("checking harvests")

        def told(read: int) -> None:
            nonlocal size
            size += read

        for done, root in enumerate(roots):
            advance(done, len(roots))
            faults += check_object(archive, root, deep=not quick, told=told)
    document = {
        "store": archive.store.address, "harvests": len(roots), "bytes_read": size,
        "faults": [{"where": fault.where, "what": fault.what} for fault in faults],
    }  # fmt: skip
    table = Rows(columns=["where", "fault"], rows=[[fault.where, fault.what] for fault in faults], empty="No faults.")
    pairs = [("store", archive.store.address), ("harvests", len(roots)), ("bytes read", size), ("faults", len(faults))]
    return Answer(document=document, parts=[Fields(pairs=pairs), table], exit_code=Damaged.exit_code if faults else 0)


def get(
    identifier: _ID,
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="A new folder.", show_default=False)],
    store: _STORE = "",
    result: RESULT = None,
) -> Answer:
    """Take a result out of the archive: a folder like the crawl's, each file checked by its digest."""
    archive = Archive.open(_opened(store))
    with bars() as told:
        count = archive.export(identifier, into, result, told=lambda done, of: told("fetching files", done, of))
    document = {"id": identifier, "folder": str(into), "files": count}
    return Answer(document=document, parts=[f"{count} files are in {into}. Look at them with: opilio replay {into}"])


def clean(
    store: _STORE = "",
    hours: Annotated[
        float, typer.Option("--older-than", metavar="HOURS", help="Leave alone what is younger.", min=0.0)
    ] = 24.0,
) -> Answer:
    """Remove what storing left that broke off: unfinished uploads, and files that no inventory knows."""
    archive = Archive.open(_opened(store))
    removed = clean_archive(archive, SYSTEM.now() - timedelta(hours=hours))
    table = Rows(columns=["removed"], rows=[[each] for each in removed], empty="Nothing to remove.")
    return Answer(document={"store": archive.store.address, "removed": removed}, parts=[table])


def _opened(address: str) -> Store:
    settings = config.load().settings
    return open_store(address or settings.archive_store, s3_options(settings))


def _document(inventory: Inventory) -> dict[str, object]:
    versions = [
        {"number": each.number, "archived": each.created, "by": each.user, "message": each.message,
         "files": len(each.state)}
        for each in inventory.versions
    ]  # fmt: skip
    return {"id": inventory.id, "versions": versions}
