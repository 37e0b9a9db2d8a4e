"""`opilio template`: the texts by which permissions are asked for."""

from pathlib import Path
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.cli.rights_lookups import template_named
from opilio.curation.actions import permission_templates as actions
from opilio.curation.queries import rights
from opilio.kernel.errors import InvalidInput

app = noun_app("List, make and change texts of permission requests.")
_ONE = Annotated[str, typer.Argument(metavar="TEMPLATE", help="Name or identifier.", show_default=False)]
_FILE = Annotated[Path | None, typer.Option("--file", help="Where the text is.", show_default=False)]
_PRINT = Annotated[bool | None, typer.Option("--print/--email", help="Whether it is printed or sent.")]


@catalogue_command(app, "list")
def list_templates(agency: Annotated[str, typer.Option(help="Only of this agency.")] = "") -> Answer:
    """List the texts of permission requests."""
    rows = rights.templates(operator()).order_by("name", "id")
    if agency:
        rows = rows.filter(agency_id=agency_named(operator(), agency).id)
    told = [_told(row) for row in rows]
    columns = ("id", "name", "kind", "agency", "subject")
    table = Rows(columns=columns, rows=[[one[name] for name in columns] for one in told], empty="No template yet.")
    return Answer(document={"templates": told}, parts=[table])


@catalogue_command(app, "show")
def show(template: _ONE) -> Answer:
    """Show one text."""
    return _one(template_named(operator(), template))


@catalogue_command(app, "placeholders")
def placeholders() -> Answer:
    """List the placeholders that texts can hold."""
    return Answer(document=dict(rights.PLACEHOLDERS), parts=[Fields(pairs=list(rights.PLACEHOLDERS.items()))])


@catalogue_command(app, "create")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name.", show_default=False)],
    agency: Annotated[str, typer.Option(help="In whose name it speaks.", show_default=False)],
    file: _FILE = None,
    text: Annotated[str, typer.Option(help="The text itself, instead of a file.")] = "",
    printed: _PRINT = None,
    subject: Annotated[str, typer.Option(help="Subject of the e-mail.")] = "",
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
    cc: Annotated[str, typer.Option(help="Who receives a copy.")] = "",
    bcc: Annotated[str, typer.Option(help="Who receives a hidden copy.")] = "",
    reply_to: Annotated[str, typer.Option(help="Where answers go.")] = "",
    sender: Annotated[str, typer.Option(help="In whose name it is sent, if not the installation's.")] = "",
) -> Answer:
    """Make a text; a placeholder that is not known is refused."""
    row = actions.create_template(
        operator(), agency_id=agency_named(operator(), agency).id, name=name, text=_text(file, text) or "",
        kind=_kind(printed) or _kind(False), subject=subject, description=description, cc=cc, bcc=bcc,
        reply_to=reply_to, sender=sender, override_from=bool(sender),
    )  # fmt: skip
    return _one(rights.template(operator(), row.id))


@catalogue_command(app, "update")
def update(
    template: _ONE,
    name: Annotated[str | None, typer.Option(help="Its name.", show_default=False)] = None,
    file: _FILE = None,
    text: Annotated[str | None, typer.Option(help="The text itself, instead of a file.", show_default=False)] = None,
    printed: _PRINT = None,
    subject: Annotated[str | None, typer.Option(help="Subject of the e-mail.", show_default=False)] = None,
    description: Annotated[str | None, typer.Option(help="What it is about.", show_default=False)] = None,
    cc: Annotated[str | None, typer.Option(help="Who receives a copy.", show_default=False)] = None,
    bcc: Annotated[str | None, typer.Option(help="Who receives a hidden copy.", show_default=False)] = None,
    reply_to: Annotated[str | None, typer.Option(help="Where answers go.", show_default=False)] = None,
    sender: Annotated[str | None, typer.Option(help="Address in whose name it is sent.", show_default=False)] = None,
) -> Answer:
    """Change a text; what is not given stays."""
    row = template_named(operator(), template)
    given = {
        "name": name, "text": _text(file, text), "kind": _kind(printed), "subject": subject,
        "description": description, "cc": cc, "bcc": bcc, "reply_to": reply_to, "sender": sender,
        "override_from": None if sender is None else bool(sender),
    }  # fmt: skip
    changes: dict[str, Any] = {field: value for field, value in given.items() if value is not None}
    actions.update_template(operator(), template_id=row.id, version=row.version, **changes)
    return _one(rights.template(operator(), row.id))


def _kind(printed: bool | None) -> str | None:
    return None if printed is None else "Print Template" if printed else "Email Template"


def _text(file: Path | None, text: str | None) -> str | None:
    if file is None:
        return text
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"The text cannot be read: {error}", where=str(file), remedy="Give a UTF-8 file.") from error


def _one(row: Any) -> Answer:
    document = _told(row)
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    details = {name: getattr(row, name) for name in actions.FIELDS}
    return {"id": str(row.id), **details, "agency": row.agency.name, "version": row.version}
