"""What the installation's settings ask of passwords and tokens, as the actions want to be told."""

import datetime

from django.conf import settings

from opilio.people.passwords import Policy


def passwords() -> Policy:
    """The policy for passwords."""
    return Policy(min_length=settings.OPILIO.password_min_length, history=settings.OPILIO.password_history)


def longest_token() -> datetime.timedelta:
    """How long an API token may live."""
    return datetime.timedelta(days=settings.OPILIO.token_max_days)
