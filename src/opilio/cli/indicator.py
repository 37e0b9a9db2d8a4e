"""`opilio indicator`: limits of agencies for what is measured of results."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app, typed
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.indicators import create_indicator, update_indicator
from opilio.curation.indicators import shown
from opilio.curation.queries import assessments
from opilio.people.actions.rows import delete_row

app = noun_app("Set and look at the limits that judge results.")
_NUMBER = Annotated[int, typer.Argument(metavar="NUMBER", help="Number of the limits.", show_default=False)]
_TOLERANCE = Annotated[float | None, typer.Option(help="Percent by which it may differ from the reference harvest.")]
_LOWER = Annotated[float | None, typer.Option(help="Less than this: reject, or what the indicator advises.")]
_UPPER = Annotated[float | None, typer.Option(help="More than this: look, or what the indicator advises.")]
_ACTIVE = Annotated[bool, typer.Option("--counts/--does-not-count", help="Whether it counts.")]


@catalogue_command(app, "list")
def list_limits(
    agency: Annotated[str | None, typer.Option(help="All limits in force of this agency.", show_default=False)] = None,
) -> Answer:
    """List the limits that agencies set themselves, or all that hold for one agency."""
    if agency is not None:
        return _in_force(agency_named(operator(), agency).id)
    found = [_told(row) for row in assessments.indicators(operator()).order_by("agency__name", "code")]
    columns = ("id", "agency", "indicator", "tolerance", "lower", "upper", "counts", "version")
    shown_rows = [tuple(one.values()) for one in found]
    parts = [Rows(columns=columns, rows=shown_rows, empty="No agency has own limits; the usual ones hold.")]
    return Answer(document={"indicators": found}, parts=parts)


@catalogue_command(app, "set")
def set_limits(
    code: Annotated[str, typer.Argument(metavar="CODE", help="What is measured, such as errors.", show_default=False)],
    agency: Annotated[str, typer.Option(help="Whose limits.", show_default=False)],
    tolerance: _TOLERANCE = None,
    lower: _LOWER = None,
    upper: _UPPER = None,
    active: _ACTIVE = True,
) -> Answer:
    """Set an agency's limits; they replace the usual ones as a whole."""
    home = agency_named(operator(), agency)
    made = create_indicator(
        operator(), agency_id=home.id, code=code, tolerance=tolerance, lower=lower, upper=upper, active=active
    )  # fmt: skip
    return _one(made.id)


@catalogue_command(app, "change")
def change(
    context: typer.Context,
    number: _NUMBER,
    tolerance: _TOLERANCE = None,
    lower: _LOWER = None,
    upper: _UPPER = None,
    active: _ACTIVE = True,
    without: Annotated[list[str], typer.Option(help="A limit to take away: tolerance, lower or upper.")] = [],  # noqa: B006 - typer's
) -> Answer:
    """Change what is named, and leave the rest as it is."""
    row = assessments.indicator(operator(), number)
    names = ("tolerance", "lower", "upper", "active")
    given: dict[str, Any] = {one: context.params[one] for one in typed(context) if one in names}
    given |= dict.fromkeys((one for one in without if one in names[:3]), None)
    update_indicator(operator(), indicator_id=row.id, version=row.version, changes=given)
    return _one(row.id)


@catalogue_command(app, "delete")
def delete(number: _NUMBER) -> Answer:
    """Delete an agency's limits so that they can be restored; the usual ones hold again."""
    row = assessments.indicator(operator(), number)
    delete_row(operator(), kind_name="indicator", row_id=row.id)
    return Answer(document={"deleted": str(row.id)}, parts=[f"Deleted the limits for {row.code}."])


def _in_force(agency_id: int) -> Answer:
    rows = assessments.in_force(agency_id)
    found = [
        {"code": one.declared.code, "label": one.declared.label, "tolerance": one.limit.tolerance,
         "lower": one.limit.lower, "upper": one.limit.upper, "counts": one.limit.active,
         "own": str(one.own) if one.own else None}
        for one in rows
    ]  # fmt: skip
    shown_rows = [
        (one.declared.code, one.declared.label, "" if one.limit.tolerance is None else f"{one.limit.tolerance:g} %",
         shown(one.limit.lower, one.declared.unit), shown(one.limit.upper, one.declared.unit),
         "yes" if one.limit.active else "no", "own" if one.own else "usual")
        for one in rows
    ]  # fmt: skip
    columns = ("indicator", "what", "tolerance", "lower", "upper", "counts", "whose")
    return Answer(document={"limits": found}, parts=[Rows(columns=columns, rows=shown_rows, empty="None.")])


def _one(number: int) -> Answer:
    document = _told(assessments.indicator(operator(), number))
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def _told(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.id), "agency": row.agency.name, "code": row.code, "tolerance": row.tolerance,
        "lower": row.lower, "upper": row.upper, "counts": row.active, "version": row.version,
    }  # fmt: skip
