"""What time brings: sessions end, old notifications and failures are forgotten."""

from datetime import timedelta

from opilio.people import housekeeping
from opilio.people.actions.intray import read_notifications
from opilio.people.actions.signin import open_session
from opilio.people.intray import notify
from opilio.people.models import Notification, SignInSession
from opilio.people.models.intray import Category

HOUR, WEEK = timedelta(hours=1), timedelta(weeks=1)


def _open(town, key):
    user = town.user()
    return open_session(
        town.system, user_id=user.id, session_key=key, method="password", address="", user_agent=""
    )  # fmt: skip


def test_a_session_that_nobody_uses_ends_at_its_last_request(town):
    """Its duration is counted to there, and a younger one goes on."""
    old = _open(town, "old")
    town.clock.advance(600)
    SignInSession.objects.filter(id=old.id).update(last_seen_at=town.clock.now())
    town.clock.advance(3_000)
    _open(town, "young")
    town.clock.advance(700)
    assert housekeeping.expire_sessions(town.clock.now(), idle=HOUR, longest=WEEK) == 1
    old.refresh_from_db()
    assert (old.ended, old.duration_seconds) == ("expired", 600)
    assert SignInSession.objects.get(session_key="young").ended == ""


def test_a_session_ends_after_its_longest_time_in_any_case(town):
    """However often it was used."""
    row = _open(town, "busy")
    town.clock.advance(WEEK.total_seconds() + 1)
    SignInSession.objects.filter(id=row.id).update(last_seen_at=town.clock.now())
    assert housekeeping.expire_sessions(town.clock.now(), idle=HOUR, longest=WEEK) == 1


def test_only_notifications_read_long_ago_are_forgotten(town):
    """Unread ones stay however old they are."""
    user = town.user()
    actor = town.actor(user)
    for subject in ("read", "unread"):
        notify(
            [user.id], kind="try", category=Category.GENERAL, subject=subject, message="", sender="",
            now=town.clock.now(),
        )  # fmt: skip
    read_notifications(actor, notification_ids=[Notification.objects.get(subject="read").id])
    town.clock.advance(timedelta(days=91).total_seconds())
    housekeeping.tidy(town.clock.now(), idle=HOUR, longest=WEEK)
    assert [row.subject for row in Notification.objects.all()] == ["unread"]
