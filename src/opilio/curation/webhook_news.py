"""What programs outside hear, by webhooks, of harvests, targets and permissions; in the transaction of the change.

Which events there are stands in people/webhook_events.py; here, which move or happening makes which.
"""

from datetime import date, datetime

from opilio.curation.models import Harvest, Permission, Result, State, Target
from opilio.people.acting import Act
from opilio.people.webhooks import News, announce

#: Moves of a harvest, and what is heard of them.
HARVEST_MOVES = {
    "queue": "harvest.queued", "launch": "harvest.queued", "begin": "harvest.started", "pause": "harvest.paused",
    "resume": "harvest.resumed", "keep": "harvest.harvested", "abort": "harvest.aborted", "fail": "harvest.aborted",
    "skip": "harvest.aborted", "endorse": "harvest.endorsed", "reject": "harvest.rejected",
    "archived": "harvest.archived",
}  # fmt: skip
#: Moves of which nothing is heard, and why.
SILENT_MOVES = {
    "stop": "harvested or aborted follows at once",
    "finish": "harvested or aborted follows at once",
    "return": "the scheduler decides again: queued, deferred or held follows",
    "patch": "reviewers fetch what is missing",
    "patched": "reviewers fetched what was missing",
    "end-patch": "reviewers gave up fetching what is missing",
    "unendorse": "reviewers decide again; endorsed or rejected follows",
    "archive": "archived follows, or the endorsement stays",
    "refused": "the deposit failed; those who archive are told, and try again",
}
#: What happens to a harvest that stays in its state.
HARVEST_HAPPENINGS = {
    "deferred": "harvest.deferred", "held": "harvest.held", "rights-lost": "harvest.held", "late": "harvest.late",
}  # fmt: skip
TARGET_MOVES = {
    "nominate": "target.nominated", "approve": "target.approved", "reject": "target.rejected",
    "cancel": "target.cancelled", "complete": "target.completed", "reinstate": "target.reinstated",
    "return": "target.nominated", "resume": "target.approved",
}  # fmt: skip
_DECIDED = {True: "permission.approved", False: "permission.denied"}


def harvest_happened(act: Act, harvest: Harvest, event: str | None, *, reason: str) -> None:
    """Tell of a harvest, as it is after the change; nothing for what makes no event."""
    if event is not None:
        now, by = act.clock.now(), act.actor.username
        announce(event, agency=harvest.agency_id, now=now, news=lambda: _of_harvest(harvest, by, reason))


def result_endorsed(act: Act, result: Result, note: str) -> None:
    """Tell which result a harvest is endorsed with."""
    now, by = act.clock.now(), act.actor.username
    news = lambda: _of_result(result, by, note)  # noqa: E731 - made only if somebody listens
    announce("result.endorsed", agency=result.harvest.agency_id, now=now, news=news)


def target_moved(act: Act, target: Target, move: str) -> None:
    """Tell of a target, after it moved."""
    now, by = act.clock.now(), act.actor.username
    announce(TARGET_MOVES[move], agency=target.agency_id, now=now, news=lambda: _of_target(target, by))


def permission_decided(act: Act, permission: Permission, *, granted: bool) -> None:
    """Tell that a permission was granted or refused."""
    event, now, by = _DECIDED[granted], act.clock.now(), act.actor.username
    announce(event, agency=permission.agency_id, now=now, news=lambda: _of_permission(permission, by))


def _of_harvest(harvest: Harvest, by: str, reason: str) -> News:
    holder = harvest.abstract_target
    data = {
        "state": harvest.state, "reason": reason[:1_000], "by": by, "agent": harvest.agent_name,
        "target": {"id": str(holder.pk), "name": holder.name},
        "scheduled_at": _told(harvest.scheduled_at), "started_at": _told(harvest.started_at),
        "ended_at": _told(harvest.ended_at),
    }  # fmt: skip
    return News(kind="harvest", id=harvest.pk, name=holder.name, data=data)


def _of_result(result: Result, by: str, note: str) -> News:
    holder = result.harvest.abstract_target
    data = {
        "harvest": str(result.harvest_id), "number": result.number, "reason": note[:1_000], "by": by,
        "digest": result.digest, "target": {"id": str(holder.pk), "name": holder.name},
    }  # fmt: skip
    return News(kind="result", id=result.pk, name=holder.name, data=data)


def _of_target(target: Target, by: str) -> News:
    data = {"state": State(target.state).label.lower(), "owner": target.owner.username, "by": by}
    return News(kind="target", id=target.pk, name=target.name, data=data)


def _of_permission(permission: Permission, by: str) -> News:
    site = permission.authorisation
    data = {
        "by": by, "authorisation": {"id": str(site.pk), "name": site.title},
        "start_date": _told(permission.start_date), "end_date": _told(permission.end_date),
    }  # fmt: skip
    return News(kind="permission", id=permission.pk, name=str(permission), data=data)


def _told(moment: date | None) -> str | None:
    if isinstance(moment, datetime):
        return moment.isoformat(timespec="seconds")
    return moment.isoformat() if moment is not None else None
