"""Tells people that an attempt to run a harvest failed: its owner, and those who look after agents; not every time."""

from datetime import timedelta
from functools import partial

from opilio.curation.models import Harvest
from opilio.people.acting import Act
from opilio.people.intray import Category, Resource, holders, notify, told_lately
from opilio.people.privileges import Privilege

QUIET = timedelta(hours=6)  # in which the same is not told again
_NEXT = "It is tried again; its page tells how it goes."


def tell(act: Act, harvest: Harvest, reason: str) -> None:
    """The owner hears it as news of a harvest, those who look after agents as a warning."""
    now, subject = act.clock.now(), f"The harvest of {harvest.abstract_target} has trouble"
    if told_lately(kind="harvest-trouble", subject=subject, since=now - QUIET):
        return
    tell_them = partial(
        notify, kind="harvest-trouble", subject=subject, message=f"{reason[:2_000]} {_NEXT}",
        sender=act.actor.username, now=now, resource=Resource(kind="harvest", id=harvest.pk),
    )  # fmt: skip
    tell_them([harvest.owner_id], category=Category.GENERAL)
    tell_them(set(holders(Privilege.MANAGE_WEB_HARVESTER)) - {harvest.owner_id}, category=Category.WARNING)
