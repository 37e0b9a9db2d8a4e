"""The steps of a permission on the command line: seek, ask, remind, decide, talk, move seeds, explain."""

from typing import Annotated

import typer

from opilio.cli.catalogue import catalogue_command, operator, settings
from opilio.cli.lookups import agency_named
from opilio.cli.output import Answer, Rows
from opilio.cli.permission_shown import PERMISSION, one
from opilio.cli.rights_lookups import permission_numbered, template_named
from opilio.curation.actions import permission_requests as requests
from opilio.curation.actions import permissions as actions
from opilio.curation.linking import explained_as_wct
from opilio.curation.queries import permissions as found

_RESPONSE = Annotated[str, typer.Option(help="What the authorising agent answered.")]


def add_to(app: typer.Typer) -> None:
    """Add the verbs to those of `opilio permission`."""
    for name, verb in (
        ("seek", seek),
        ("approve", approve),
        ("reject", reject),
        ("request", request),
        ("remind", remind),
        ("announce", announce),
        ("revoke-form", revoke_form),
        ("transfer", transfer),
        ("log", log),
        ("explain", explain),
    ):
        catalogue_command(app, name)(verb)


def seek(permission: PERMISSION) -> Answer:
    """Put a pending permission before those who confirm permissions."""
    row = permission_numbered(operator(), permission)
    actions.seek_permission(operator(), permission_id=row.id)
    return one(found.permission(operator(), row.id))


def approve(permission: PERMISSION, response: _RESPONSE = "") -> Answer:
    """Note that a permission was granted."""
    row = permission_numbered(operator(), permission)
    actions.approve_permission(operator(), permission_id=row.id, response=response)
    return one(found.permission(operator(), row.id))


def reject(permission: PERMISSION, response: _RESPONSE = "") -> Answer:
    """Note that a permission was refused."""
    row = permission_numbered(operator(), permission)
    actions.reject_permission(operator(), permission_id=row.id, response=response)
    return one(found.permission(operator(), row.id))


def request(
    permission: PERMISSION, template: Annotated[str, typer.Option(help="Name or identifier.", show_default=False)]
) -> Answer:
    """Ask for a permission: an e-mail is sent, a letter is printed here."""
    row = permission_numbered(operator(), permission)
    chosen = template_named(operator(), template)
    sent = requests.request_permission(
        operator(), permission_id=row.id, template_id=chosen.id, base_url=settings().server_public_url
    )
    return _letter(sent)


def remind(permission: PERMISSION) -> Answer:
    """Remind the authorising agent by e-mail."""
    row = permission_numbered(operator(), permission)
    return _letter(requests.remind_permission(operator(), permission_id=row.id, base_url=settings().server_public_url))


def announce(permission: PERMISSION) -> Answer:
    """Tell owners and those who confirm that a permission expires or is not answered."""
    row = permission_numbered(operator(), permission)
    return _count(requests.announce_permission(operator(), permission_id=row.id), "people were told")


def revoke_form(permission: PERMISSION) -> Answer:
    """Close the answer forms of a permission that are open."""
    row = permission_numbered(operator(), permission)
    return _count(requests.revoke_forms(operator(), permission_id=row.id), "forms were closed")


def transfer(
    permission: PERMISSION, into: Annotated[str, typer.Option(help="The permission that receives.", show_default=False)]
) -> Answer:
    """Move all seeds of a permission to another."""
    row, other = permission_numbered(operator(), permission), permission_numbered(operator(), into)
    return _count(actions.transfer_seeds(operator(), permission_id=row.id, into_id=other.id), "seeds were moved")


def log(
    permission: PERMISSION,
    text: Annotated[str, typer.Option(help="What was said.", show_default=False)],
    channel: Annotated[str, typer.Option(help="letter, email, phone, form, meeting or reminder.")] = "phone",
    incoming: Annotated[bool, typer.Option("--incoming", help="They told us.")] = False,
    subject: Annotated[str, typer.Option(help="Subject.")] = "",
    address: Annotated[str, typer.Option(help="With whom.")] = "",
) -> Answer:
    """Keep something that was said about a permission."""
    row = permission_numbered(operator(), permission)
    actions.log_communication(
        operator(), permission_id=row.id, channel=channel, outgoing=not incoming, subject=subject, text=text,
        address=address,
    )  # fmt: skip
    return one(found.permission(operator(), row.id))


def explain(
    url: Annotated[str, typer.Argument(metavar="URL", help="The URL asked about.", show_default=False)],
    agency: Annotated[str, typer.Option(help="Who would collect it.", show_default=False)],
    wct: Annotated[bool, typer.Option("--wct", help="As the Web Curator Tool 1.4 matched.")] = False,
) -> Answer:
    """Say why a URL may be collected or not, permission by permission."""
    actor, agency_id = operator(), agency_named(operator(), agency).id
    if wct:
        names = explained_as_wct(url, agency_id=agency_id, on=found.today_of(actor))
        return Answer(document={"url": url, "matches": names}, parts=[Rows(columns=("permission",),
                      rows=[(name,) for name in names], empty="No permission matches.")])  # fmt: skip
    explanation = found.explain(actor, url, agency_id)
    points = [
        (each.permission.name, check.ground.value, check.holds, check.sentence)
        for each in explanation.answers
        for check in each.checks
    ]
    document = {
        "url": explanation.url, "allowed": explanation.allowed, "sentence": explanation.sentence,
        "candidates": [
            {"permission": str(each.permission.id), "name": each.permission.name, "matches": each.matches,
             "allows": each.allows, "pattern": str(each.pattern) if each.pattern else None,
             "checks": [{"ground": one_.ground.value, "holds": one_.holds, "sentence": one_.sentence}
                        for one_ in each.checks]}
            for each in explanation.answers
        ],
        "left_out": explanation.left_out,
    }  # fmt: skip
    table = Rows(columns=("permission", "point", "holds", "why"), rows=points, empty="")
    return Answer(document=document, parts=[explanation.sentence, *([table] if points else [])])


def _letter(sent: requests.Sent) -> Answer:
    letter = sent.letter
    text = letter.text if letter.printed else sent.communication.text
    document = {"printed": letter.printed, "to": letter.to, "subject": letter.subject, "text": text}
    note = text if letter.printed else f"On its way to {letter.to}: {letter.subject}"
    return Answer(document=document, parts=[note])


def _count(number: int, words: str) -> Answer:
    return Answer(document={"count": number}, parts=[f"{number} {words}."])
