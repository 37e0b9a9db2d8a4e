"""How many nominations are taken from outside, and who hears of one."""

import datetime

from opilio.curation.models import Nomination
from opilio.kernel.errors import Conflict, Denied
from opilio.people.acting import Act
from opilio.people.intray import Category, Resource, audience, notify
from opilio.people.parameters import value
from opilio.people.privileges import Privilege

_HOUR = datetime.timedelta(hours=1)
_WORLD = 10  # times as many as one address


class NominationsClosed(Denied):
    """The installation takes no nominations from outside."""


class TooManyNominations(Conflict):
    """Too many sites were proposed in the last hour."""

    http_status = 429


def is_open() -> bool:
    """Whether the public form is there."""
    return bool(value("nominations_open"))


def check_open(where: str) -> None:
    """Go on only while the form is there."""
    if not is_open():
        raise NominationsClosed(
            "Nominations are not taken here", where=where, remedy="Write to the institution instead."
        )  # fmt: skip


def check_rate(address: str, now: datetime.datetime, where: str) -> None:
    """Go on only while neither the address nor the world proposed too much in the last hour."""
    limit = int(value("nominations_per_hour"))
    recent = Nomination.everything.filter(created__gt=now - _HOUR)
    if recent.filter(received_from=address).count() >= limit or recent.count() >= _WORLD * limit:
        raise TooManyNominations(
            "Too many sites were proposed in the last hour", where=where, remedy="Please come back in an hour."
        )  # fmt: skip


def announce(act: Act, nomination: Nomination) -> int:
    """Tell those who make targets in the agency; how many heard it."""
    hearers = [user.id for user in audience(Privilege.CREATE_TARGET, nomination.agency_id)]
    return notify(
        hearers, kind="nomination-received", category=Category.GENERAL, sender=nomination.name or "the nomination form",
        subject=f"Somebody proposes {nomination}", message=f"{nomination.url}\n\n{nomination.reason}".strip(),
        now=act.clock.now(), resource=Resource(kind="nomination", id=nomination.id),
    )  # fmt: skip
