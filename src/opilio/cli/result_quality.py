"""The commands of `opilio result` about quality: measure again, show what was measured, take what lacks."""

from typing import Annotated

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions.assessments import assess_again
from opilio.curation.patch_proposals import take_proposals
from opilio.curation.queries import assessments, results

_NUMBER = Annotated[int, typer.Argument(metavar="NUMBER", help="Number of the result.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Give `opilio result` these commands."""
    for name, body in (("assess", assess), ("assessment", assessment), ("take-missing", take_missing)):
        catalogue_command(app, name)(body)


def assess(number: _NUMBER) -> Answer:
    """Have a result measured again by an agent."""
    row = assess_again(operator(), result_id=results.result(operator(), number).pk)
    return Answer(document={"result": str(row.pk)}, parts=[f"An agent measures {row}."])


def assessment(number: _NUMBER) -> Answer:
    """Show what was measured of a result, and what is recommended."""
    row = results.result(operator(), number)
    document = assessments.document(row)
    found = assessments.assessment(row)
    seen = document["coverage"]
    pairs = [
        ("advice", document["advice"]), ("headline", document.get("headline", "")),
        ("pages", document.get("pages", 0)), ("pages looked at", seen["pages_seen"]),
        ("clusters looked into", f"{seen['clusters_seen']} of {seen['clusters']}"),
    ]  # fmt: skip
    values = [(one.label, one.value, one.reference, one.limits, one.advice) for one in found.values] if found else []
    columns = ("indicator", "measured", "reference", "limits", "advice")
    return Answer(
        document=document, parts=[Fields(pairs=pairs), Rows(columns=columns, rows=values, empty="Not measured yet.")]
    )


def take_missing(number: _NUMBER) -> Answer:
    """Take the URLs that the assessment found missing into the list for a patch."""
    taken = take_proposals(operator(), results.result(operator(), number))
    return Answer(
        document={"added": taken.added, "known": taken.known},
        parts=[f"{taken.added:,} URLs are on the list; {taken.known:,} stood there already."],
    )
