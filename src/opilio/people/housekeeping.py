"""What nobody asks for but time brings: sessions that are over, failures, notifications and messages that are old."""

import datetime

from django.contrib.sessions.models import Session
from django.db import transaction

from opilio.people import throttle, webhooks
from opilio.people.actions.sessions import close
from opilio.people.models import Notification, SignInSession, WebhookDelivery
from opilio.people.models.signin import Ended
from opilio.people.parameters import value

_BATCH = 500
_SILENCE = datetime.timedelta(hours=1)  # after which a due message to a webhook has lost its job


def tidy(now: datetime.datetime, *, idle: datetime.timedelta, longest: datetime.timedelta) -> None:
    """Do it all, in short transactions."""
    while expire_sessions(now, idle=idle, longest=longest) == _BATCH:
        pass
    throttle.forget_old(now)
    forget_notifications(now)
    while forget_messages(now) == _BATCH:
        pass
    webhooks.revive(now, silent_since=now - _SILENCE)
    Session.objects.filter(expire_date__lt=now).delete()


def expire_sessions(now: datetime.datetime, *, idle: datetime.timedelta, longest: datetime.timedelta) -> int:
    """Note the end of sessions that nobody uses any more; how many. Their end is their last request."""
    quiet = SignInSession.objects.filter(ended="", last_seen_at__lt=now - idle)
    old = SignInSession.objects.filter(ended="", signed_in_at__lt=now - longest)
    with transaction.atomic():
        rows = list((quiet | old).order_by("id")[:_BATCH])
        Session.objects.filter(session_key__in=[row.session_key for row in rows]).delete()
        for row in rows:
            close(row, row.last_seen_at, Ended.EXPIRED)
    return len(rows)


def forget_notifications(now: datetime.datetime) -> int:
    """Remove notifications that were read long ago."""
    kept = datetime.timedelta(days=int(value("keep_notifications_days")))
    return Notification.objects.filter(read_at__lt=now - kept).delete()[0]


def forget_messages(now: datetime.datetime) -> int:
    """Remove messages to webhooks that were sent, or given up, long ago; how many."""
    kept = datetime.timedelta(days=int(value("keep_webhook_days")))
    old = WebhookDelivery.objects.filter(ended_at__lt=now - kept).order_by("ended_at")
    found = list(old.values_list("id", flat=True)[:_BATCH])
    WebhookDelivery.objects.filter(id__in=found).delete()
    return len(found)
