"""`opilio takedown`: hide, block or destroy captures, by somebody's authority, with proof."""

import datetime
from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.command import noun_app
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions import takedowns as actions
from opilio.curation.queries import takedowns as queries
from opilio.curation.takedown_checks import made
from opilio.kernel.errors import InvalidInput

app = noun_app("Hide, block or destroy captures, by somebody's authority, with proof.")
_ID = Annotated[int, typer.Argument(metavar="ID", help="Identifier of the takedown.", show_default=False)]
_COLUMNS = ("id", "level", "state", "reach", "value", "in force since", "look again on")
_AGENCY = Annotated[str, typer.Option(help="Name of the agency.", show_default=False)]
_LEVEL = Annotated[str, typer.Option(help="hide, block or destroy.")]
_REACH = Annotated[str, typer.Option(help="url, prefix, host, domain, pattern or all.")]
_AUTHORITY = Annotated[str, typer.Option(help="Who may demand it, and on which ground.", show_default=False)]
_REASON = Annotated[str, typer.Option(help="Why.", show_default=False)]
_VALUE = Annotated[str, typer.Argument(metavar="VALUE", help="The URL, host, domain, beginning or pattern.")]
_TARGET = Annotated[int | None, typer.Option(help="Only of this target or group.", show_default=False)]
_HARVEST = Annotated[int | None, typer.Option(help="Only of this harvest.", show_default=False)]
_FROM = Annotated[str, typer.Option("--from", help="Captures from this time on, as 2026-01-31T00:00:00+00:00.")]
_UNTIL = Annotated[str, typer.Option("--until", help="Captures before this time.")]
_DAY = Annotated[str, typer.Option("--review-on", help="Day to look at it again, as 2026-12-31.")]


@catalogue_command(app, "list")
def list_takedowns() -> Answer:
    """List all takedowns, the newest first."""
    found = [queries.document(row) for row in queries.takedowns(operator()).order_by("-id")]
    rows = [
        (one["takedown"], one["level"], one["state"], one["reach"], one["value"], one["ordered_at"],
         one["review_on"] or "–")
        for one in found
    ]  # fmt: skip
    table = Rows(columns=_COLUMNS, rows=rows, empty="Nothing is taken down.")
    return Answer(document={"takedowns": found}, parts=[table])


@catalogue_command(app, "show")
def show(takedown: _ID) -> Answer:
    """Show a takedown with all its proofs."""
    return _one(takedown)


@catalogue_command(app, "order")
def order(
    value: _VALUE = "", *, agency: _AGENCY, authority: _AUTHORITY, reason: _REASON, level: _LEVEL = "block",
    reach: _REACH = "url", target: _TARGET = None, harvest: _HARVEST = None, since: _FROM = "", until: _UNTIL = "",
    reference: Annotated[str, typer.Option(help="Number of the letter, order or case.")] = "", review_on: _DAY = "",
    preview: Annotated[bool, typer.Option("--preview", help="Only show what it would reach.")] = False,
) -> Answer:  # fmt: skip
    """Order a takedown; a destruction may wait for a second person, and blocks meanwhile."""
    given: dict[str, Any] = {
        "agency_id": agency_named(operator(), agency).pk, "level": level, "reach": reach, "value": value,
        "authority": authority, "reason": reason, "reference": reference, "target_id": target, "harvest_id": harvest,
        "captured_from": _time(since), "captured_to": _time(until),
    }  # fmt: skip
    if preview:
        return _reached(queries.preview_for(operator(), made(**given)))
    row = actions.order_takedown(operator(), **given, review_on=_day(review_on))
    return _one(row.pk)


@catalogue_command(app, "reach")
def reach(takedown: _ID) -> Answer:
    """Show what a takedown reaches now."""
    return _reached(queries.preview(queries.takedown(operator(), takedown)))


@catalogue_command(app, "confirm")
def confirm(takedown: _ID) -> Answer:
    """Confirm a destruction that a person proposed."""
    actions.confirm_takedown(operator(), takedown_id=takedown)
    return _one(takedown)


@catalogue_command(app, "lift")
def lift(takedown: _ID, why: Annotated[str, typer.Argument(metavar="WHY", help="Why.", show_default=False)]) -> Answer:
    """Lift a takedown; what was destroyed stays so."""
    actions.lift_takedown(operator(), takedown_id=takedown, why=why)
    return _one(takedown)


@catalogue_command(app, "review")
def review(
    takedown: _ID, note: Annotated[str, typer.Option(help="What came of it.")] = "", review_on: _DAY = ""
) -> Answer:
    """Say that a takedown was looked at again, and when to do so next."""
    actions.review_takedown(operator(), takedown_id=takedown, note=note, review_on=_day(review_on))
    return _one(takedown)


@catalogue_command(app, "prove")
def prove(
    takedown: _ID,
    place: Annotated[str, typer.Argument(metavar="PLACE", help="Where, as `show` names it.", show_default=False)],
    what: Annotated[str, typer.Argument(metavar="WHAT", help="What was done.", show_default=False)],
    still_open: Annotated[bool, typer.Option("--open", help="Something is left there.")] = False,
) -> Answer:
    """Write down what was done for a takedown elsewhere."""
    actions.prove_takedown(operator(), takedown_id=takedown, place=place, what=what, done=not still_open)
    return _one(takedown)


def _one(takedown: int) -> Answer:
    document = queries.document(queries.takedown(operator(), takedown))
    pairs = [(name, value) for name, value in document.items() if name != "proofs"]
    rows = [(one["at"], one["place"], one["done"], one["what"]) for one in document["proofs"]]
    table = Rows(columns=("at", "place", "nothing left", "what"), rows=rows, empty="No proof yet.")
    return Answer(document=document, parts=[Fields(pairs=pairs), table])


def _reached(found: queries.Preview) -> Answer:
    harvests = [
        {"harvest": str(each.harvest), "name": each.name, "captures": each.found.captures if each.found else None}
        for each in found.harvests
    ]
    rows = [tuple(one.values()) for one in harvests]
    document = {"captures": found.captures, "more": found.more, "harvests": harvests}
    return Answer(document=document, parts=[Rows(columns=("harvest", "of", "captures"), rows=rows, empty="Nothing.")])


def _time(text: str) -> datetime.datetime | None:
    if not text:
        return None
    try:
        found = datetime.datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise InvalidInput(f"{text[:40]!r} is no time with a zone", remedy="Write it as 2026-01-31T00:00:00+00:00.")
    return found


def _day(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text) if text else None
    except ValueError:
        raise InvalidInput(f"{text[:40]!r} is no day", remedy="Write it as 2026-12-31.") from None
