"""Single-use ways to answer for people without an account: the token travels, only its digest stays here."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from opilio.curation.models import Invitation, Permission, Purpose
from opilio.people.acting import Act
from opilio.people.parameters import value

_TOKEN_BYTES = 32
_LONGEST = 200  # characters of a token from outside
ANSWER_PATH = "/answer/"


@dataclass(frozen=True, kw_only=True)
class Invited:
    """A fresh invitation; the token is known now and never again."""

    row: Invitation
    token: str

    @property
    def path(self) -> str:
        """Where the form is."""
        return f"{ANSWER_PATH}{self.token}"


def invite(act: Act, permission: Permission, *, email: str) -> Invited:
    """Open the answer form for one answer; those given out earlier close."""
    now = act.clock.now()
    revoke_open(permission, now)
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    row = Invitation(
        purpose=Purpose.ANSWER, permission=permission, digest=digest(token), email=email, made_at=now,
        made_by_id=act.actor.user, expires_at=now + timedelta(days=int(value("answer_form_days"))),
    )  # fmt: skip
    row.save()
    return Invited(row=row, token=token)


def digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def open_invitation(token: str, now: datetime, *, lock: bool = False) -> Invitation | None:
    """The invitation of a token while it can be used; None for whatever reason it cannot."""
    if not token or len(token) > _LONGEST:
        return None
    rows = Invitation.objects.select_for_update(of=("self",)) if lock else Invitation.objects.all()
    found = rows.filter(
        purpose=Purpose.ANSWER, digest=digest(token), used_at=None, revoked_at=None, expires_at__gt=now,
        permission__deleted=False, permission__authorisation__deleted=False,
    )  # fmt: skip
    return found.select_related("permission__authorisation", "permission__agency", "permission__agent").first()


def revoke_open(permission: Permission, now: datetime) -> int:
    """Close the forms that are still open for a permission."""
    rows = Invitation.objects.filter(permission=permission, used_at=None, revoked_at=None)
    return rows.update(revoked_at=now)
