"""The commands of `opilio target` about excluded URLs, the description, and its verification."""

from typing import Annotated, Any

import typer

from opilio.cli.catalogue import catalogue_command, operator, settings
from opilio.cli.collected import target_named
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.actions import excluded_urls
from opilio.curation.actions import target_verification as verification
from opilio.curation.actions.dublin_core import save_dublin_core
from opilio.curation.queries import targets
from opilio.curation.queries.nominations import verifications as asked_about
from opilio.curation.words import ELEMENTS
from opilio.kernel.errors import InvalidInput
from opilio.people.actions.rows import delete_row
from opilio.people.queries.visible import one

_TARGET = Annotated[str, typer.Argument(metavar="TARGET", help="Name or number of the target.", show_default=False)]
_EXCLUDED = Annotated[int, typer.Argument(metavar="NUMBER", help="Number of the excluded URL.", show_default=False)]
_INVITATION = Annotated[int, typer.Argument(metavar="NUMBER", help="Number of the invitation.", show_default=False)]
_REASON = Annotated[str, typer.Option(help="Why it is left out.")]
_URL = Annotated[str, typer.Argument(metavar="URL", help="The page; it matches exactly.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Give `opilio target` these commands."""
    for name, body in (
        ("excluded", excluded), ("exclude", exclude), ("exclude-change", exclude_change),
        ("exclude-delete", exclude_delete), ("describe", describe), ("verifications", verifications), ("ask", ask),
        ("ask-revoke", ask_revoke), ("ask-take", ask_take),
    ):  # fmt: skip
        catalogue_command(app, name)(body)


def excluded(target: _TARGET) -> Answer:
    """List the pages that are left out when the target is harvested."""
    rows = targets.excluded_urls(operator()).filter(target=target_named(operator(), target)).order_by("url", "id")
    found = [_left_out(row) for row in rows]
    shown = [(one["id"], one["url"], one["reason"]) for one in found]
    part = Rows(columns=("id", "url", "reason"), rows=shown, empty="Nothing is left out.")
    return Answer(document={"excluded": found}, parts=[part])


def exclude(target: _TARGET, url: _URL, reason: _REASON = "") -> Answer:
    """Leave a page out of the target's harvests."""
    row = target_named(operator(), target)
    made = excluded_urls.add_excluded_url(operator(), target_id=row.pk, url=url, reason=reason)
    return _fields(_left_out(made))


def exclude_change(number: _EXCLUDED, url: _URL, reason: _REASON = "") -> Answer:
    """Change a page that is left out."""
    row = one(targets.excluded_urls(operator()), "excluded URL", number)
    made = excluded_urls.update_excluded_url(
        operator(), excluded_id=row.id, version=row.version, url=url, reason=reason
    )  # fmt: skip
    return _fields(_left_out(made))


def exclude_delete(number: _EXCLUDED) -> Answer:
    """Leave a page out no longer."""
    row = one(targets.excluded_urls(operator()), "excluded URL", number)
    delete_row(operator(), kind_name="excluded-url", row_id=row.id)
    return Answer(document={"deleted": str(row.id)}, parts=[f"Deleted {row.url}."])


def describe(
    target: _TARGET,
    element: Annotated[
        list[str] | None, typer.Option(help="NAME=TEXT, as title=Harbour; repeatable.", show_default=False)
    ] = None,
) -> Answer:
    """Show the description of a target in Dublin Core, or change elements of it."""
    row = targets.target(operator(), target_named(operator(), target).pk)
    core: Any = row.dublin_core
    if element:
        core = save_dublin_core(operator(), row_id=row.pk, version=None, **dict(_pair(text) for text in element))
    return _fields({name: getattr(core, name) if core else "" for name in ELEMENTS})


def verifications(target: _TARGET) -> Answer:
    """List who was asked to verify a target, and what they answered."""
    found = [_asked(row) for row in asked_about(target_named(operator(), target))]
    shown = [(one["id"], one["email"], one["asked"], one["answered"], one["right"]) for one in found]
    part = Rows(columns=("id", "e-mail", "asked", "answered", "right"), rows=shown, empty="Nobody was asked yet.")
    return Answer(document={"verifications": found}, parts=[part])


def ask(
    target: _TARGET,
    email: Annotated[str, typer.Option(help="Who receives the link.", show_default=False)],
    message: Annotated[str, typer.Option(help="Words before the link.")] = "",
) -> Answer:
    """Ask the originator to verify a target, by an e-mail with a link that opens once."""
    row, site = target_named(operator(), target), settings().server_public_url
    asked = verification.ask_verification(operator(), target_id=row.pk, email=email, message=message, site=site)
    return _fields({"id": str(asked.invitation.id), "path": asked.path})


def ask_revoke(target: _TARGET, number: _INVITATION) -> Answer:
    """Withdraw an invitation to verify a target."""
    row = target_named(operator(), target)
    done = verification.revoke_verification(operator(), target_id=row.pk, invitation_id=number)
    return _fields(_asked(done))


def ask_take(target: _TARGET, number: _INVITATION) -> Answer:
    """Take the corrections of an originator over into the description."""
    row = target_named(operator(), target)
    done = verification.take_verification(operator(), target_id=row.pk, invitation_id=number)
    core: Any = done.dublin_core
    return _fields({name: getattr(core, name) if core else "" for name in ELEMENTS})


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or name not in ELEMENTS:
        known = ", ".join(ELEMENTS)
        raise InvalidInput(
            f"{text[:64]!r} names no element", where="--element", remedy=f"Write NAME=TEXT; known: {known}."
        )  # fmt: skip
    return name, value


def _left_out(row: Any) -> dict[str, Any]:
    return {"id": str(row.id), "url": row.url, "reason": row.reason, "version": row.version}


def _asked(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.id), "email": row.email, "asked": row.made_at.isoformat(),
        "answered": row.used_at.isoformat() if row.used_at else "", "right": row.answer.get("right"),
        "revoked": row.revoked_at.isoformat() if row.revoked_at else "", "answer": row.answer,
    }  # fmt: skip


def _fields(document: dict[str, Any]) -> Answer:
    return Answer(document=document, parts=[Fields(pairs=list(document.items()))])
