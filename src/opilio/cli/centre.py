"""`opilio centre`: partners that deliver."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.people.errors import NotFound
from opilio.tracker.actions.centres import create_centre, update_centre
from opilio.tracker.queries import deliveries as query

app = noun_app("List, make and change centres that deliver.")
CODE = Annotated[str, typer.Argument(metavar="CODE", help="Code of the centre.", show_default=False)]


def centre_named(code: str) -> Any:
    """The centre with this code."""
    found = query.centres(operator()).filter(short_name__iexact=code).first()
    if found is None:
        raise NotFound(f"There is no centre {code[:64]!r}", where="centre", remedy="`opilio centre list` names them.")
    return found


@catalogue_command(app, "list")
def list_centres() -> Answer:
    """List the centres, with their sources and the time of their last delivery."""
    found = [_told(row) for row in query.centres(operator())]
    columns = ("code", "name", "agency", "profile", "active", "sources", "last delivery")
    rows = [tuple(one[name] for name in columns) for one in found]
    return Answer(document={"centres": found}, parts=[Rows(columns=columns, rows=rows, empty="No centre yet.")])


@catalogue_command(app, "create")
def create(
    code: CODE,
    agency: Annotated[str, typer.Option(help="Agency it belongs to.", show_default=False)],
    name: Annotated[str, typer.Option(help="Name in full.", show_default=False)],
    email: Annotated[str, typer.Option(help="Whom to write to.", show_default=False)],
    profile: Annotated[str, typer.Option(help="Profile by which it delivers.")] = "impc",
    registry: Annotated[str, typer.Option(help="Its code in the mutant registry.")] = "",
    phone: Annotated[str, typer.Option(help="Telephone number.")] = "",
    address: Annotated[str, typer.Option(help="Postal address.")] = "",
) -> Answer:
    """Make a centre."""
    made = create_centre(
        operator(), agency_id=agency_named(operator(), agency).id, short_name=code, full_name=name, email=email,
        profile=profile, imits_name=registry, phone=phone, address=address,
    )  # fmt: skip
    return _one(made.short_name)


@catalogue_command(app, "update")
def update(
    code: CODE,
    name: Annotated[str | None, typer.Option(help="Name in full.")] = None,
    email: Annotated[str | None, typer.Option(help="Whom to write to.")] = None,
    active: Annotated[bool | None, typer.Option("--active/--inactive", help="Whether it is visited.")] = None,
    profile: Annotated[str | None, typer.Option(help="Profile by which it delivers.")] = None,
    report_mail: Annotated[
        bool | None, typer.Option("--report-mail/--no-report-mail", help="Whether reports are mailed to it.")
    ] = None,
    report_back: Annotated[
        bool | None, typer.Option("--report-back/--no-report-back", help="Whether reports are put on its sources.")
    ] = None,
) -> Answer:
    """Change a centre; what is not given stays."""
    row = centre_named(code)
    given = {
        "full_name": name, "email": email, "active": active, "profile": profile, "report_mail": report_mail,
        "report_back": report_back,
    }  # fmt: skip
    fields = {key: value for key, value in given.items() if value is not None}
    update_centre(operator(), centre_id=row.pk, version=row.version, **fields)
    return _one(row.short_name)


def _one(code: str) -> Answer:
    document = _told(centre_named(code))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.pk), "code": row.short_name, "name": row.full_name, "agency": row.agency.name,
        "email": row.email, "registry": row.imits_name, "profile": row.profile, "active": row.active,
        "report mail": row.report_mail, "report back": row.report_back,
        "sources": row.source_count, "last delivery": row.last.isoformat(timespec="seconds") if row.last else "never",
        "version": row.version,
    }  # fmt: skip
