"""Ask the originator of a site to verify its description by a form that opens once, and take what was answered."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from opilio.curation import targeting, verifying
from opilio.curation.kinds import TARGET
from opilio.curation.models import DublinCore, Invitation, Purpose, Target
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields, NotFound
from opilio.people.mail import Envelope, post
from opilio.people.privileges import Privilege

_LONGEST = 4_000  # characters of one answer
_TOLD = ("name", "role", "comment")  # what else the originator may write


@dataclass(frozen=True, kw_only=True)
class Asked:
    """An invitation that was sent; its path is known now and never again."""

    invitation: Invitation
    path: str


@action("verification.ask", "Ask the originator to verify a target.", privilege=Privilege.MODIFY_TARGET)
def ask_verification(act: Act, /, *, target_id: int, email: str, message: str = "", site: str = "") -> Asked:
    """An e-mail with a link that can be used once; `site` is where people reach the pages."""
    target: Target = act.fetch(TARGET, target_id)
    act.require(Privilege.MODIFY_TARGET, TARGET.subject(target), f"ask about the target {target.name}")
    try:
        validate_email(email.strip())
    except ValidationError as error:
        raise InvalidFields({"email": ["This is no e-mail address."]}, where=act.name) from error
    row, token = verifying.invite(act, target, email.strip())
    path = f"{verifying.PATH}{token}"
    link = f"{site.rstrip('/')}{path}"
    post(
        to=row.email, subject=f"Please verify: {target.name}", body=_letter(target, message.strip(), link),
        now=act.clock.now(), envelope=Envelope(secret=token, reply_to=target.agency.email),
    )  # fmt: skip
    act.record(target, message=f"Asked {row.email} to verify the description.")
    return Asked(invitation=row, path=path)


@action("verification.answer", "Verify the description of a target; open to whoever holds an unused invitation.")
def answer_verification(
    act: Act, /, *, token: str, right: bool, corrections: Mapping[str, str], **told: str
) -> Invitation:
    """Kept beside the target; nothing of it changes before a curator takes the corrections over."""
    row = verifying.opened(token, act.clock.now(), lock=True)
    act.require_that(row is not None, "use this link", "It was used, withdrawn or has expired; ask for another.")
    if row is None or row.target is None:
        raise AssertionError("a missing invitation was just refused")
    row.answer = {
        "right": right,
        "corrections": {name: _text(corrections[name]) for name in verifying.ELEMENTS if corrections.get(name)},
        **{name: _text(told[name]) for name in _TOLD if told.get(name)},
    }
    row.used_at, row.used_from = act.clock.now(), act.actor.address[:64]
    row.save(update_fields=["answer", "used_at", "used_from"])
    act.record(row.target, message=f"{row.email} verified the description.", after=row.answer)
    verifying.tell_owner(act, row, right=right)
    return row


@action("verification.revoke", "Withdraw an invitation to verify a target.", privilege=Privilege.MODIFY_TARGET)
def revoke_verification(act: Act, /, *, target_id: int, invitation_id: int) -> Invitation:
    """The link opens nothing any more."""
    target, row = _invitation(act, target_id, invitation_id)
    if row.used_at is None and row.revoked_at is None:
        row.revoked_at = act.clock.now()
        row.save(update_fields=["revoked_at"])
        act.record(target, message=f"Withdrew the invitation of {row.email}.")
    return row


@action("verification.take", "Take an originator's corrections over.", privilege=Privilege.MODIFY_TARGET)
def take_verification(act: Act, /, *, target_id: int, invitation_id: int) -> Target:
    """They go into the description; the answer itself stays as it was given."""
    target, row = _invitation(act, target_id, invitation_id)
    values = {name: text for name, text in row.answer.get("corrections", {}).items() if name in verifying.ELEMENTS}
    if target.dublin_core is None:
        act.update(target, {"dublin_core": act.insert(DublinCore(**values))})
    else:
        act.update(target.dublin_core, values, message=f"Corrections by {row.email}.")
    targeting.touched(act, target)
    return target


def _invitation(act: Act, target_id: int, invitation_id: int) -> tuple[Target, Invitation]:
    target: Target = act.fetch(TARGET, target_id)
    act.require(Privilege.MODIFY_TARGET, TARGET.subject(target), f"change the target {target.name}")
    row = Invitation.objects.filter(id=invitation_id, purpose=Purpose.VERIFY, target=target).first()
    if row is None:
        remedy = "The page of its description lists the invitations."
        raise NotFound(f"There is no invitation {invitation_id} for {target.name}", where=act.name, remedy=remedy)
    return target, row


def _text(text: str) -> str:
    if len(text.strip()) > _LONGEST:
        raise InvalidFields({"comment": [f"Write at most {_LONGEST:,} characters in each field."]})
    return text.strip()


def _letter(target: Target, message: str, link: str) -> str:
    opening = f"{message}\n\n" if message else ""
    return (
        f"{opening}{target.agency.name} collects the site “{target.name}”. Please look at our description of it and"
        f" tell us what is right and what is not. This link opens the form once:\n\n{link}\n"
    )
