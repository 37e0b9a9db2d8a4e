"""`opilio review-policy`: what agencies leave to rules when results are reviewed."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app, typed
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.review_policies import NUMBERS, SWITCHES, set_policy
from opilio.curation.queries import assessments

app = noun_app("Say what an agency leaves to rules when results are reviewed.")
_AGENCY = Annotated[str, typer.Argument(metavar="AGENCY", help="Whose rules.", show_default=False)]


@catalogue_command(app, "list")
def list_policies() -> Answer:
    """List the rules of all agencies."""
    found = [_told(assessments.policy(agency)) for agency in assessments.agencies(operator())]
    columns = ("agency", *SWITCHES, *NUMBERS, "version")
    rows = [tuple(one[name] for name in columns) for one in found]
    shown = tuple(name.replace("_", " ") for name in columns)
    return Answer(document={"policies": found}, parts=[Rows(columns=shown, rows=rows, empty="There is no agency.")])


@catalogue_command(app, "show")
def show(agency: _AGENCY) -> Answer:
    """Show the rules of an agency."""
    return _one(agency)


@catalogue_command(app, "set")
def set_rules(
    context: typer.Context,
    agency: _AGENCY,
    four_eyes: Annotated[bool, typer.Option("--four-eyes/--one-is-enough", help="Two people must agree.")] = False,
    auto_endorse: Annotated[bool, typer.Option("--auto-endorse/--no-auto-endorse", help="Endorse by rule.")] = False,
    auto_endorse_after: Annotated[int, typer.Option(help="After so many endorsements by people.")] = 3,
    auto_prune: Annotated[bool, typer.Option("--auto-prune/--no-auto-prune", help="Prune again.")] = False,
    check_pages: Annotated[int, typer.Option(help="Pages replayed in a browser.")] = 5,
    sample_percent: Annotated[int, typer.Option(help="Pages proposed for review, in percent.")] = 5,
    reference_required: Annotated[
        bool, typer.Option("--reference-required/--reference-optional", help="Archive only with a reference number.")
    ] = False,
    delist_after: Annotated[int, typer.Option(help="Harvests without a change; 0: never delist.")] = 2,
) -> Answer:
    """Change what is named, and leave the rest as it is."""
    home = assessments.agency(operator(), agency_named(operator(), agency).id)
    given = {one: context.params[one] for one in typed(context) if one in (*NUMBERS, *SWITCHES)}
    set_policy(operator(), agency_id=home.pk, version=assessments.policy(home).version, changes=given)
    return _one(agency)


def _one(agency: str) -> Answer:
    home = assessments.agency(operator(), agency_named(operator(), agency).id)
    document = _told(assessments.policy(home))
    pairs = [(name.replace("_", " "), value) for name, value in document.items()]
    return Answer(document=document, parts=[Fields(pairs=pairs)])


def _told(row: Any) -> dict[str, Any]:
    return {
        "agency": row.agency.name, **{name: getattr(row, name) for name in (*SWITCHES, *NUMBERS)},
        "version": row.version,
    }  # fmt: skip
