"""Harvests and what belongs to them, as commands answer."""

from typing import Any

from opilio.curation.queries import harvests as query
from opilio.people.actor import Actor


def told(row: Any) -> dict[str, Any]:
    """A harvest in a list."""
    figures = query.figures(row)
    return {
        "id": str(row.pk), "target": row.abstract_target.name, "state": row.state, "since": row.state_since,
        "reason": row.reason, "scheduled_at": row.scheduled_at, "started_at": row.started_at,
        "ended_at": row.ended_at, "owner": row.owner.username, "agency": row.agency.name, "agent": row.agent_name,
        "urls": figures.urls_down if figures else None, "failed": figures.urls_failed if figures else None,
        "bytes": figures.data_amount if figures else None, "seconds": figures.elapsed if figures else None,
        "flagged": row.flagged, "held": row.held,
    }  # fmt: skip


def detailed(actor: Actor, row: Any) -> dict[str, Any]:
    """One harvest, with what comes next and what is still to be carried out."""
    standing = query.standing(actor, row)
    waiting = [one.what for one in query.orders(row).filter(done_at=None).order_by("id")]
    return {
        **told(row), "next_step": standing.next_step, "late": standing.late,
        "moves": [offer.move.name for offer in standing.offers if offer.allowed], "orders_waiting": waiting,
        "deferrals": row.deferrals, "wanted_agent": row.wanted_agent, "bandwidth_percent": row.bandwidth_percent,
        "version": row.version,
    }  # fmt: skip


def event(one: Any) -> dict[str, Any]:
    """Something that happened."""
    return {
        "number": one.number, "at": one.at, "name": one.name, "source": one.source, "state": one.target,
        "reason": one.reason, "by": one.by, "agent": one.agent, "details": one.details,
    }  # fmt: skip


def file(one: Any) -> dict[str, Any]:
    """A file."""
    return {
        "name": one.name, "result": one.result, "size": one.size, "compressed": one.compressed, "digest": one.digest,
    }  # fmt: skip


def order(one: Any) -> dict[str, Any]:
    """What somebody told a harvest."""
    return {
        "id": str(one.pk), "what": one.what, "arguments": one.arguments, "by": one.by, "at": one.at,
        "done_at": one.done_at, "refused": one.refused,
    }  # fmt: skip
