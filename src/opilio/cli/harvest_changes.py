"""`opilio harvest | target | group changes`: what changed, how often, and how often to harvest therefore."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator
from opilio.cli.collected import collected_named, group_named, target_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation import change_words as words
from opilio.curation.change_rebuild import rebuild
from opilio.curation.queries import harvest_changes as query
from opilio.curation.queries.harvests import harvest as seen
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.people.errors import NotFound

_COLUMNS = ("harvest", "began", "days", "checked", "changed", "share", "new", "gone")


def register(app: typer.Typer) -> None:
    """Add the verb to those of `opilio harvest`."""
    catalogue_command(app, "changes")(of_harvest)


def register_target(app: typer.Typer) -> None:
    """Add the verb to those of `opilio target`."""
    catalogue_command(app, "changes")(of_target)


def register_group(app: typer.Typer) -> None:
    """Add the verb to those of `opilio group`."""
    catalogue_command(app, "changes")(of_group)


def of_harvest(
    harvest: Annotated[
        int | None, typer.Argument(metavar="[HARVEST]", help="Number of the harvest.", show_default=False)
    ] = None,
    anew: Annotated[
        bool, typer.Option("--rebuild", help="Count all changes anew, from the results that are on this machine.")
    ] = False,
    target: Annotated[
        str | None, typer.Option(help="With --rebuild: only of this target or group.", show_default=False)
    ] = None,
) -> Answer:
    """Show what a harvest found changed since the one before, or count all changes anew."""
    if anew == (harvest is not None):
        raise InvalidInput("it is not clear what to do", where="harvest changes", remedy="Give HARVEST or --rebuild.")
    if harvest is None:
        return _rebuilt(target)
    found = query.found_by(seen(operator(), harvest))
    if found is None:
        remedy = "It is counted when the harvest ends; count anew: opilio harvest changes --rebuild."
        raise NotFound(f"What harvest {harvest} found changed is not counted", remedy=remedy)
    document = words.found_told(found)
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


def of_target(
    target: Annotated[str, typer.Argument(metavar="TARGET", help="Name or number of the target.", show_default=False)],
    text: Annotated[str, typer.Option("--url", help="Only pages whose URL contains this.")] = "",
    limit: Annotated[int, typer.Option(help="How many pages at most.", min=1, max=1_000_000)] = 20,
) -> Answer:
    """Show how often the pages of a target change, and how often to harvest it therefore."""
    return _changes(target_named(operator(), target), text, limit)


def of_group(
    group: Annotated[str, typer.Argument(metavar="GROUP", help="Name or number of the group.", show_default=False)],
    text: Annotated[str, typer.Option("--url", help="Only pages whose URL contains this.")] = "",
    limit: Annotated[int, typer.Option(help="How many pages at most.", min=1, max=1_000_000)] = 20,
) -> Answer:
    """Show how often the pages of a group change, and how often to harvest it therefore."""
    return _changes(group_named(operator(), group), text, limit)


def _changes(row: Any, text: str, limit: int) -> Answer:
    evidence = query.evidence(operator(), row)
    pages, missing = _pages(row, text, limit)
    document = {**words.evidence_told(evidence), "pages": pages, "pages_missing": missing}
    found = [words.found_told(one) for one in evidence.found]
    parts: list[Fields | Rows | str] = [
        Fields(
            pairs=[
                ("verdict", evidence.verdict), ("rate", words.rate_words(evidence.rate) if evidence.rate else None),
                ("suggested", words.suggestion_words(evidence.suggestion) if evidence.suggestion else None),
                ("scheduled every", words.lasting(evidence.scheduled) if evidence.scheduled is not None else None),
            ]
        ),
        Rows(columns=_COLUMNS, rows=[tuple(one[name] for name in _COLUMNS) for one in found], empty="No harvest yet."),
        missing or _table(pages),
    ]  # fmt: skip
    return Answer(document=document, parts=parts)


def _pages(row: Any, text: str, limit: int) -> tuple[list[dict[str, object]], str]:
    """Pages, and why there are none."""
    try:
        return [words.page_told(one) for one in query.pages(row, text=text, limit=limit)], ""
    except OpilioError as error:
        return [], str(error)


def _table(pages: list[dict[str, object]]) -> Rows:
    columns = ("url", "checks", "changes", "changed")
    return Rows(columns=columns, rows=[tuple(one[name] for name in columns) for one in pages], empty="No page.")


def _rebuilt(target: str | None) -> Answer:
    chosen = [collected_named(operator(), target).pk] if target is not None else None
    done = rebuild(chosen)
    missing = [str(number) for number in done.missing]
    told = f"{done.harvests:,} harvests of {done.targets:,} targets and groups were counted."
    parts = [told, f"Not here, and left out: {', '.join(missing)}."] if missing else [told]
    return Answer(
        document={"targets": done.targets, "harvests": done.harvests, "missing": missing}, parts=parts
    )  # fmt: skip
