"""`opilio depository`: where endorsed results are handed to."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app, typed
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.depositories import create_depository, update_depository
from opilio.curation.queries import deposits as queries
from opilio.kernel.errors import InvalidInput
from opilio.kernel.files import reading
from opilio.people.actions.rows import delete_row
from opilio.people.errors import NotFound

app = noun_app("Make, change and try depositories.")
_LARGEST = 1_000_000  # bytes of a file
DEPOSITORY = Annotated[
    str, typer.Argument(metavar="DEPOSITORY", help="Name or number of the depository.", show_default=False)
]
_SECRET_FILE = Annotated[
    Path | None, typer.Option("--secret-file", help="File with the password, token or key.", show_default=False)
]
_QUESTIONS = Annotated[
    Path | None,
    typer.Option("--questions", help="JSON file with the fields of the deposit form.", show_default=False),
]
_KIND = Annotated[str, typer.Option(help="directory, s3, http or command.")]
_FORM = Annotated[str, typer.Option(help="Form of the packages: bag, wacz or ocfl.")]
_USER = Annotated[str, typer.Option("--user", help="User name there.")]
_TIMEOUT = Annotated[int, typer.Option(help="Seconds to wait for its answer.")]
_WHOLE = Annotated[
    bool, typer.Option("--self-contained/--with-references", help="Pack what it needs of other harvests too.")
]
_PREFERRED = Annotated[bool, typer.Option("--preferred/--not-preferred", help="Whether it is proposed first.")]


def depository_named(name: str) -> Any:
    """The depository with this name, or this number."""
    rows = queries.depositories(operator())
    found = rows.filter(pk=int(name)).first() if name.isdecimal() and len(name) < 19 else None
    found = found or rows.filter(name=name).first()
    if found is None:
        raise NotFound(f"There is no depository {name[:150]!r}", remedy="`opilio depository list` names them all.")
    return found


@catalogue_command(app, "list")
def list_depositories() -> Answer:
    """List the depositories."""
    found = [_told(row) for row in queries.depositories(operator()).order_by("name", "id")]
    columns = ("id", "name", "kind", "form", "active", "received", "failed", "place")
    rows = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"depositories": found}, parts=[Rows(columns=columns, rows=rows, empty="None yet.")])


@catalogue_command(app, "show")
def show(depository: DEPOSITORY) -> Answer:
    """Show a depository, without its secret."""
    return _one(depository_named(depository).pk)


@catalogue_command(app, "create")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What people call it.", show_default=False)],
    place: Annotated[str, typer.Argument(metavar="PLACE", help="Folder, s3://…, URL or command.", show_default=False)],
    kind: _KIND = "directory",
    form: _FORM = "bag",
    agency: Annotated[str, typer.Option(help="Whose harvests it takes; left out: all agencies'.")] = "",
    user: _USER = "",
    secret_file: _SECRET_FILE = None,
    questions: _QUESTIONS = None,
    timeout: _TIMEOUT = 600,
    self_contained: _WHOLE = False,
    preferred: _PREFERRED = False,
) -> Answer:
    """Make a depository."""
    home = agency_named(operator(), agency).id if agency else None
    made = create_depository(
        operator(), agency_id=home, name=name, kind=kind, place=place, form=form, username=user,
        secret=_secret(secret_file), questions=_asked(questions) or [], timeout=timeout,
        self_contained=self_contained, preferred=preferred,
    )  # fmt: skip
    return _one(made.pk)


@catalogue_command(app, "change")
def change(
    context: typer.Context,
    depository: DEPOSITORY,
    name: Annotated[str, typer.Option(help="Another name.")] = "",
    place: Annotated[str, typer.Option(help="Another place.")] = "",
    kind: _KIND = "directory",
    form: _FORM = "bag",
    user: _USER = "",
    secret_file: _SECRET_FILE = None,
    questions: _QUESTIONS = None,
    timeout: _TIMEOUT = 600,
    self_contained: _WHOLE = False,
    preferred: _PREFERRED = False,
    active: Annotated[bool, typer.Option("--on/--off", help="Whether packages may be handed to it.")] = True,
) -> Answer:
    """Change what is named of a depository, and leave the rest as it is."""
    row = depository_named(depository)
    given = {
        "name": name, "place": place, "kind": kind, "form": form, "user": user, "timeout": timeout,
        "self_contained": self_contained, "preferred": preferred, "active": active, "questions": _asked(questions),
    }  # fmt: skip
    changes = {"username" if one == "user" else one: given[one] for one in typed(context) if one in given}
    update_depository(operator(), depository_id=row.pk, version=row.version, secret=_secret(secret_file), **changes)
    return _one(row.pk)


@catalogue_command(app, "try")
def try_it(depository: DEPOSITORY) -> Answer:
    """Try whether a depository can be reached from this machine; nothing is handed over."""
    found = queries.probe(operator(), depository_named(depository).pk)
    return Answer(document={"found": found}, parts=[found])


@catalogue_command(app, "delete")
def delete(depository: DEPOSITORY) -> Answer:
    """Delete a depository; its deposits stay, and the page Deleted restores it."""
    row = depository_named(depository)
    delete_row(operator(), kind_name="depository", row_id=row.pk)
    return Answer(document={"deleted": str(row.pk)}, parts=[f"Deleted the depository {row.name}."])


def _secret(path: Path | None) -> str:
    return _text(path).strip("\r\n") if path is not None else ""


def _asked(path: Path | None) -> Any:
    if path is None:
        return None
    try:
        return json.loads(_text(path))
    except ValueError as error:
        raise InvalidInput(
            f"the file is no JSON: {error}", where=str(path), remedy="Write a list of fields."
        ) from error


def _text(path: Path) -> str:
    with reading(path):
        if path.stat().st_size > _LARGEST:
            raise InvalidInput("the file is too large", where=str(path), remedy="Give a file of at most 1 MB.")
        return path.read_text("utf-8", "replace")


def _one(identifier: int) -> Answer:
    document = _told(queries.depository(operator(), identifier))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "name": row.name, "agency": row.agency.name if row.agency else None, "kind": row.kind,
        "place": row.place, "username": row.username, "has_secret": bool(row.secret), "form": row.form,
        "self_contained": row.self_contained, "questions": row.questions, "timeout": row.timeout, "active": row.active,
        "preferred": row.preferred, "received": row.received, "failed": row.failed, "version": row.version,
    }  # fmt: skip
