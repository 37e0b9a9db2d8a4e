"""The report of a centre and the issues since a time, as one asker may read them."""

from dataclasses import replace
from datetime import datetime

from opilio.people.actor import Actor
from opilio.tracker.queries import issues as found
from opilio.tracker.queries.centre_report import CentreReport
from opilio.tracker.queries.centre_report import made as made_for
from opilio.tracker.queries.curtain import Curtain
from opilio.tracker.queries.deliveries import centre
from opilio.tracker.queries.issues import MOST, Issue

FORMS = {"csv": "text/csv", "json": "application/json", "text": "text/plain", "html": "text/html"}


def report(actor: Actor, centre_id: int, *, since: datetime | None = None) -> CentreReport:
    """Where the deliveries of a centre stand and what is wrong with them; `NotFound` for centres of others."""
    return veiled(made_for(centre(actor, centre_id), actor.clock.now(), since=since), Curtain.of(actor))


def veiled(made: CentreReport, curtain: Curtain) -> CentreReport:
    """A report without what it tells of other centres' sources."""
    return replace(
        made, deliveries=[{**one, "why": curtain.over(one["why"])} for one in made.deliveries],
        issues=[_read(one, curtain) for one in made.issues],
    )  # fmt: skip


def issues(
    actor: Actor, *, centre_code: str = "", since: datetime | None = None, active: bool | None = None,
    limit: int = MOST,
) -> list[Issue]:  # fmt: skip
    """What changed about faults, oldest change first; ask again from the last one's time for what follows."""
    curtain = Curtain.of(actor)
    rows = found.issues(actor, centre=centre_code, since=since, active=active, limit=limit)
    return [_read(one, curtain) for one in rows]


def _read(one: Issue, curtain: Curtain) -> Issue:
    return replace(one, message=curtain.over(one.message))
