"""The job that does bulk work, and who acts in it."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from opilio.curation.bulk import performing
from opilio.curation.bulk.registry import noun_named
from opilio.curation.models import BulkRun, BulkState, Outcome
from opilio.jobs.payload import job
from opilio.kernel.clock import Clock
from opilio.kernel.errors import OpilioError
from opilio.people.actor import Actor, Via, system
from opilio.people.privileges import Privilege
from opilio.people.queries.account import actor_for

_GONE = "Whoever asked for it may not sign in any more."


@job(kind="curation.run_bulk", max_attempts=10)
@dataclass(frozen=True, kw_only=True)
class RunBulk:
    """Do one piece of bulk work."""

    run: int  # identifier


class StoppedByUser(OpilioError):
    """Somebody stopped bulk work; what waits stays as it is."""


def work(run_id: int, *, clock: Clock, report: performing.Report, check: Callable[[], None]) -> bool:
    """Settle the rows of bulk work that was started; False when there is nothing to do, or it was stopped."""
    run = BulkRun.objects.filter(id=run_id, state__in=(BulkState.WAITING, BulkState.RUNNING)).first()
    if run is None:
        return False
    BulkRun.objects.filter(id=run_id, state=BulkState.WAITING).update(state=BulkState.RUNNING)
    actor = _actor(run, clock)
    if actor is None:
        run.items.filter(outcome=Outcome.WAITING).update(outcome=Outcome.REFUSED, told=_GONE)
        return True
    performing.perform(run, noun_named(run.noun).verb(run.verb), actor, report=report, check=check)
    return True


def finish(run_id: int, clock: Clock) -> None:
    """All rows are settled: people are told of what was changed, by whoever ends it."""
    going = BulkRun.objects.filter(id=run_id, state__in=(BulkState.WAITING, BulkState.RUNNING))
    with transaction.atomic():
        if going.update(state=BulkState.DONE, finished_at=clock.now()):
            tell(run_id, clock)


def tell(run_id: int, clock: Clock) -> None:
    """Tell people of what was changed; once, by whoever settled the last row before the end or a stop."""
    run = BulkRun.objects.get(id=run_id)
    verb = noun_named(run.noun).verb(run.verb)
    performing.afterwards(run, verb, _actor(run, clock) or system(clock=clock), clock.now())


def is_stopped(run_id: int) -> bool:
    """Whether somebody stopped it."""
    return BulkRun.objects.filter(id=run_id, state=BulkState.STOPPED).exists()


def _actor(run: BulkRun, clock: Clock) -> Actor | None:
    """Whoever asked, with what they held then and still hold; never the installation itself."""
    found = actor_for(run.user_id, via=Via(run.via), correlation=f"bulk-{run.pk}", clock=clock) if run.user_id else None
    if found is None:
        return None
    held = frozenset(Privilege(code) for code in run.privileges if code in Privilege.__members__)
    return dataclasses.replace(found, grants=found.grants.only(held))
