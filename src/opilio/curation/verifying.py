"""Asks the originator of a site to verify its description: an invitation that opens a form once."""

import secrets
from datetime import datetime, timedelta

from opilio.curation.invitations import digest
from opilio.curation.models import Invitation, Purpose, Target
from opilio.people.acting import Act
from opilio.people.intray import Category, Resource, notify
from opilio.people.parameters import value

PATH = "/verify/"
#: Elements of the description that an originator may correct.
ELEMENTS = ("title", "creator", "publisher", "description", "subject", "language", "rights")
_TOKEN_BYTES = 32
_LONGEST_TOKEN = 200  # characters


def invite(act: Act, target: Target, email: str) -> tuple[Invitation, str]:
    """Open the form once for somebody, and close what was open before; the token is known now and never again."""
    now, token = act.clock.now(), secrets.token_urlsafe(_TOKEN_BYTES)
    close_open(target, now)
    row = Invitation(
        purpose=Purpose.VERIFY, target=target, digest=digest(token), email=email, made_at=now,
        made_by_id=act.actor.user, expires_at=now + timedelta(days=int(value("verify_form_days"))),
    )  # fmt: skip
    row.save()
    return row, token


def opened(token: str, now: datetime, *, lock: bool = False) -> Invitation | None:
    """The invitation of a token while it can be used; None for whatever reason it cannot."""
    if not token or len(token) > _LONGEST_TOKEN:
        return None
    rows = Invitation.objects.select_for_update(of=("self",)) if lock else Invitation.objects.all()
    found = rows.filter(
        purpose=Purpose.VERIFY, digest=digest(token), used_at=None, revoked_at=None, expires_at__gt=now,
        target__deleted=False,
    )  # fmt: skip
    return found.select_related("target__agency", "target__dublin_core").first()


def close_open(target: Target, now: datetime) -> int:
    """Close the forms that are still open for a target."""
    return Invitation.objects.filter(target=target, used_at=None, revoked_at=None).update(revoked_at=now)


def tell_owner(act: Act, invitation: Invitation, *, right: bool) -> None:
    """The owner of the target, and whoever asked, hear of the answer."""
    target = invitation.target
    if target is None:  # the table forbids it
        return
    word = "confirmed" if right else "corrected"
    notify(
        {target.owner_id, *([invitation.made_by_id] if invitation.made_by_id else [])}, kind="target-verified",
        category=Category.GENERAL, sender=invitation.email or "the originator", now=act.clock.now(),
        subject=f"The description of {target.name} was {word}", resource=Resource(kind="target", id=target.pk),
        message=str(invitation.answer.get("comment", "")),
    )  # fmt: skip
