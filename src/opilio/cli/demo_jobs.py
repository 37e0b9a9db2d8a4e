"""Does the demo's background work in this process, job by job, as an agent does."""

import datetime

from opilio.agents.context import RunContext
from opilio.agents.runners import RUNNERS, kinds_of, run
from opilio.curation.harvest_jobs import RUN_KIND
from opilio.jobs import claims
from opilio.jobs.claims import Claimed
from opilio.people.actor import Actor
from opilio.server.errors import DemoFailed

_LEASE = datetime.timedelta(minutes=10)
_OWNER = "demo"
_MOST = 100  # jobs in a row; each may bring others


def harvest(me: Actor, harvest_id: int) -> None:
    """Run one harvest that waits; others stay for the agent that comes later."""
    found = claims.claim(owner=_OWNER, limit=_MOST, now=me.clock.now(), lease=_LEASE, kinds={RUN_KIND})
    ours = [job for job in found if job.document["harvest"] == harvest_id]
    for job in found:
        if job not in ours:
            claims.release(job, now=me.clock.now())
    if not ours:
        raise DemoFailed(f"Harvest {harvest_id} waits for nobody", where="demo", remedy="Use a new --home.")
    _done(me, ours[0])


def rest(me: Actor) -> None:
    """Everything else that waits: indexing, assessing, packing, publishing, delivery sessions, letters."""
    kinds = kinds_of(RUNNERS) - {RUN_KIND}
    for _ in range(_MOST):
        found = claims.claim(owner=_OWNER, limit=1, now=me.clock.now(), lease=_LEASE, kinds=kinds)
        if not found:
            return
        _done(me, found[0])


def _done(me: Actor, job: Claimed) -> None:
    context = RunContext(job, clock=me.clock, lease=_LEASE)
    run(RUNNERS, context)
    if not context.finished:
        claims.complete(job, now=me.clock.now())
