"""End sign-in sessions."""

import datetime

from django.contrib.sessions.models import Session

from opilio.people.acting import Act, action
from opilio.people.errors import NotFound
from opilio.people.models import SignInSession
from opilio.people.models.signin import Ended
from opilio.people.privileges import Privilege, Subject


@action(
    "session.revoke", "End a sign-in session of oneself or of a user one manages.", privilege=Privilege.MANAGE_USERS
)
def revoke_session(act: Act, /, *, sign_in_id: int) -> None:
    """The next request of that browser is asked to sign in."""
    row = SignInSession.objects.select_for_update(of=("self",)).select_related("user").filter(id=sign_in_id).first()
    if row is None:
        raise NotFound(f"There is no sign-in session {sign_in_id}", where=act.name, remedy="It may be long over.")
    if row.user_id is not None and row.user_id == act.actor.user:
        act.require_that(True, "end their own session", "")
    else:
        subject = Subject(agency=row.user.agency_id) if row.user else Subject(agency=-1)
        act.require(Privilege.MANAGE_USERS, subject, f"end a session of {row.username}")
    if not row.ended:
        _end(row, act.clock.now(), Ended.REVOKED)
        act.record(row, message=f"Ended a session of {row.username}.")


def end_sessions(user_id: int, now: datetime.datetime, how: Ended, *, but: str = "") -> int:
    """End all sessions of a user except the one with the key `but`; within an action."""
    rows = list(SignInSession.objects.filter(user_id=user_id, ended="").exclude(session_key=but))
    for row in rows:
        _end(row, now, how)
    return len(rows)


def _end(row: SignInSession, now: datetime.datetime, how: Ended) -> None:
    Session.objects.filter(session_key=row.session_key).delete()
    close(row, now, how)


def close(row: SignInSession, at: datetime.datetime, how: Ended) -> None:
    """Note the end and duration of a session."""
    row.ended, row.signed_out_at = how, max(at, row.signed_in_at)
    row.duration_seconds = int((row.signed_out_at - row.signed_in_at).total_seconds())
    row.save(update_fields=["ended", "signed_out_at", "duration_seconds"])
