"""`opilio access`: the compiled rules by which readers see captures, and why one is seen or not."""

from typing import Annotated

import typer

from opilio.cli.catalogue import catalogue_command, operator, settings
from opilio.cli.command import noun_app
from opilio.cli.moments import moment
from opilio.cli.output import Answer, Fields
from opilio.curation.access_writing import write_access_file
from opilio.curation.queries import access as query
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import Missing

app = noun_app("Look at the rules of access; compile them; explain who sees a capture.")


@catalogue_command(app, "rules")
def rules() -> Answer:
    """Show the file of rules that search, replay and nodes keep to."""
    found = query.rule_file()
    if found is None:
        remedy = "Endorse a harvest and run an agent, or compile them now: opilio access compile."
        raise Missing("there are no rules of access yet", where="access", remedy=remedy)
    document = {
        "file": str(found.path), "sequence": found.held.sequence, "made": found.held.made,
        "rules": found.held.rules.count, "digest": found.held.digest, "rooms": sorted(found.held.rules.rooms),
        "public_key": found.public_key,
    }  # fmt: skip
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


@catalogue_command(app, "compile")
def compile_rules() -> Answer:
    """Compile the rules now, and sign them; agents do it by themselves."""
    made = write_access_file(settings(), SYSTEM.now())
    document = {"sequence": made.sequence, "made": made.made, "rules": made.rules}
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])


@catalogue_command(app, "explain")
def explain(
    harvest: Annotated[int, typer.Argument(metavar="HARVEST", help="Number of the harvest.", show_default=False)],
    url: Annotated[str, typer.Argument(metavar="URL", help="URL of the capture.", show_default=False)],
    captured: Annotated[str, typer.Option(help="When, as 2026-01-31T12:00:00Z; empty: when the harvest began.")] = "",
    address: Annotated[str, typer.Option(help="IP address of the reader; empty: anywhere.")] = "",
) -> Answer:
    """Say whether a reader may see a capture, and which rule decides."""
    found = query.explained(operator(), harvest, url, moment(captured, "--captured"), address)
    document = {
        "allowed": found.allowed, "reason": found.reason, "rule": found.rule, "told": found.told, "until": found.until,
    }  # fmt: skip
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])
