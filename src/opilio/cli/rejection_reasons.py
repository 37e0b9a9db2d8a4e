"""The commands of `opilio target` about the reasons for which targets and harvests are rejected."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import typed
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.rejection_reasons import create_reason, update_reason
from opilio.curation.queries import targets
from opilio.people.actions.rows import delete_row

_NUMBER = Annotated[int, typer.Argument(metavar="NUMBER", help="Number of the reason.", show_default=False)]
_TARGETS = Annotated[bool, typer.Option("--for-targets/--not-for-targets", help="Whether targets may be rejected.")]
_HARVESTS = Annotated[bool, typer.Option("--for-harvests/--not-for-harvests", help="Whether harvests may be.")]


def register(app: typer.Typer) -> None:
    """Give `opilio target` these commands."""
    for name, body in (
        ("reasons", reasons), ("reason-create", create), ("reason-change", change), ("reason-delete", delete),
    ):  # fmt: skip
        catalogue_command(app, name)(body)


def reasons(
    agency: Annotated[str | None, typer.Option(help="Only of this agency.", show_default=False)] = None,
) -> Answer:
    """List the reasons for rejections."""
    rows = targets.reasons(operator())
    if agency is not None:
        rows = rows.filter(agency_id=agency_named(operator(), agency).id)
    found = [_told(row) for row in rows.order_by("name", "id")]
    shown = [tuple(one.values()) for one in found]
    columns = ("id", "reason", "agency", "for targets", "for harvests", "version")
    return Answer(document={"reasons": found}, parts=[Rows(columns=columns, rows=shown, empty="No reason yet.")])


def create(
    name: Annotated[str, typer.Argument(metavar="REASON", help="The reason, in a few words.", show_default=False)],
    agency: Annotated[str, typer.Option(help="Its agency.", show_default=False)],
    for_targets: _TARGETS = True,
    for_harvests: _HARVESTS = True,
) -> Answer:
    """Make a reason."""
    home = agency_named(operator(), agency)
    made = create_reason(
        operator(), agency_id=home.id, name=name, for_targets=for_targets, for_harvests=for_harvests
    )  # fmt: skip
    return _one(made.id)


def change(
    context: typer.Context,
    number: _NUMBER,
    name: Annotated[str, typer.Option(help="Another wording.")] = "",
    for_targets: _TARGETS = True,
    for_harvests: _HARVESTS = True,
) -> Answer:
    """Change what is named of a reason, and leave the rest as it is."""
    row = targets.reason(operator(), number)
    given = {one: context.params[one] for one in typed(context) if one in ("name", "for_targets", "for_harvests")}
    update_reason(operator(), reason_id=row.id, version=row.version, **given)
    return _one(row.id)


def delete(number: _NUMBER) -> Answer:
    """Delete a reason so that it can be restored."""
    row = targets.reason(operator(), number)
    delete_row(operator(), kind_name="rejection-reason", row_id=row.id)
    return Answer(document={"deleted": str(row.id)}, parts=[f"Deleted {row.name}."])


def _one(number: int) -> Answer:
    document = _told(targets.reason(operator(), number))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.id), "name": row.name, "agency": row.agency.name, "for_targets": row.for_targets,
        "for_harvests": row.for_harvests, "version": row.version,
    }  # fmt: skip
