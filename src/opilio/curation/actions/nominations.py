"""Take sites that somebody proposes from outside, and decide on them; deleting one is `row.delete`."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from opilio.curation import nominating, profiling, seeding
from opilio.curation.kinds import NOMINATION
from opilio.curation.models import Nomination, NominationState, ObjectType, State, Target
from opilio.curation.seed_urls import page_url
from opilio.curation.workflow import NOMINATIONS
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.homes import agency_names


@action("nomination.receive", "Propose a site for collection; open to everybody while the form is open.")
def receive_nomination(
    act: Act, /, *, agency_id: int, url: str, title: str = "", reason: str = "", name: str = "", email: str = ""
) -> Nomination:
    """So many in an hour from one address; those who make targets in the agency are told."""
    act.require_that(True, "propose a site", "")
    nominating.check_open(act.name)
    nominating.check_rate(act.actor.address, act.clock.now(), act.name)
    if agency_id not in dict(agency_names()):
        raise InvalidFields({"agency": ["Choose one of the list."]}, where=act.name)
    row = Nomination(
        agency_id=agency_id, url=page_url(url), title=title.strip(), reason=reason.strip(), name=name.strip(),
        email=_email(email), received_from=act.actor.address[:64],
    )  # fmt: skip
    act.insert(row)
    nominating.announce(act, row)
    return row


@action("nomination.accept", "Make a target of a nomination.", privilege=Privilege.CREATE_TARGET)
def accept_nomination(
    act: Act, /, *, nomination_id: int, name: str = "", note: str = "", owner_id: int | None = None
) -> Target:
    """The target is pending, belongs to whoever accepts, and has the proposed URL as its seed."""
    row, owner = _waiting(act, nomination_id, "accept", owner_id)
    if owner is None:
        raise InvalidFields({"owner": ["Say who owns the target."]}, where=act.name)
    now = act.clock.now()
    target = act.insert(
        Target(
            object_type=ObjectType.TARGET, name=(name.strip() or row.title or row.url)[:255], agency_id=row.agency_id,
            owner_id=owner, state=State.PENDING, state_since=now, selection_note=row.reason,
            profile=profiling.default_profile(row.agency_id),
        ),
        message=f"Accepted the nomination of {row.url}.",
    )  # fmt: skip
    seeding.plant(act, target, row.url)
    changes = {"state": NominationState.ACCEPTED, "decided_at": now, "note": note.strip(), "target": target}
    act.update(row, changes, message=f"Accepted as the target {target.name}.")
    return target


@action("nomination.decline", "Decline a nomination.", privilege=Privilege.CREATE_TARGET)
def decline_nomination(act: Act, /, *, nomination_id: int, note: str = "") -> Nomination:
    """It stays in the list, with who declined it and why."""
    row, _ = _waiting(act, nomination_id, "decline", None)
    changes = {"state": NominationState.DECLINED, "decided_at": act.clock.now(), "note": note.strip()}
    act.update(row, changes, message="Declined.")
    return row


def _waiting(act: Act, nomination_id: int, verb: str, owner_id: int | None) -> tuple[Nomination, int | None]:
    row: Nomination = act.fetch(NOMINATION, nomination_id)
    owner = act.actor.user if act.actor.user is not None else owner_id
    subject = Subject(agency=row.agency_id, owner=owner)
    act.require(Privilege.CREATE_TARGET, subject, f"{verb} nominations of this agency")
    NOMINATIONS.move(verb, NominationState(row.state))
    return row, owner


def _email(text: str) -> str:
    if text.strip():
        try:
            validate_email(text.strip())
        except ValidationError as error:
            raise InvalidFields({"email": ["This is no e-mail address; leave it empty or correct it."]}) from error
    return text.strip()
