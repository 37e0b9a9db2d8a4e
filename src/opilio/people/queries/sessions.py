"""Whether a sign-in session is in use, asked by every page without writing anything."""

import datetime

from opilio.people.models import SignInSession, User

_LATELY = datetime.timedelta(minutes=1)  # as often as the action signin.see writes


def seen_lately(
    session_key: str, now: datetime.datetime, *, idle: datetime.timedelta, longest: datetime.timedelta
) -> User | None:
    """Whose session it is, if it holds and was noted within the last minute, so that there is nothing to write."""
    row = SignInSession.objects.select_related("user__agency").filter(
        session_key=session_key, ended="", last_seen_at__gt=now - min(idle, _LATELY), signed_in_at__gt=now - longest
    ).order_by().first()  # fmt: skip
    return row.user if row else None
