"""The story of a delivery as its page tells it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from opilio.curation.harvest_words import lasting
from opilio.deliveries.states import Phase, Status
from opilio.people.actor import Actor
from opilio.tracker.queries import sessions, story
from opilio.tracker.queries.curtain import Curtain
from opilio.web.delivery_words import PATH, TONES, standing, status_word, tone
from opilio.web.find_words import size

if TYPE_CHECKING:
    from opilio.tracker.models import Attempt, Delivery, Offering, StandingChange
    from opilio.web.views.deliveries import Move

_SHOWN = 200  # rows of one table
ELSEWHERE = "a source of another centre"


def told(actor: Actor, row: "Delivery", moves: "Sequence[Move]") -> dict[str, Any]:
    """The context of the page."""
    curtain = Curtain.of(actor)
    attempts = list(story.attempts(row)[:_SHOWN])
    documents = list(story.documents(row)[: _SHOWN + 1])
    changes = list(story.changes(row)[:_SHOWN])
    offered = story.offers(row)
    may = story.may_manage(actor, row)
    latest = attempts[0].pk if attempts else None
    return {
        "title": row.zip.file_name, "row": row, "base": f"{PATH}/{row.pk}", "tone": tone(row),
        "standing": standing(row), "why": curtain.over(row.why), "may_manage": may,
        "moves": [move for move in moves if move.name in offered] if may else [],
        "size": size(row.zip.size_bytes) if row.zip.size_bytes is not None else "",
        "offerings": [_offering(one, curtain) for one in story.offerings(row)[:_SHOWN]],
        "attempts": [_attempt(one, curtain) for one in attempts],
        "documents": [
            (one, standing(one), tone(one), size(one.size_bytes)) for one in documents if one.attempt_id == latest
        ],
        "earlier": sum(one.attempt_id != latest for one in documents),
        "findings": [(one, curtain.over(one.message)) for one in story.file_findings(row)[:_SHOWN]],
        "records": [(kind, number, current) for kind, (number, current) in story.records_of(row).items()],
        "changes": [_change(one, curtain) for one in changes],
        "more_changes": story.changes(row).count() - len(changes) if len(changes) == _SHOWN else 0,
        "sees_sessions": sessions.may_see(actor),
    }  # fmt: skip


def _offering(one: "Offering", curtain: Curtain) -> dict[str, Any]:
    hidden = curtain.hides(one.source)
    return {
        "name": ELSEWHERE if hidden else str(one.source), "path": "" if hidden else one.path,
        "url": "" if hidden else f"{PATH}/sources/{one.source_id}", "retries": one.num_retries, "gone": one.gone,
        "looked_at": one.looked_at, "looks": one.looks,
    }  # fmt: skip


def _attempt(one: "Attempt", curtain: Curtain) -> dict[str, Any]:
    hidden = curtain.hides(one.offering.source)
    return {
        "row": one, "source": ELSEWHERE if hidden else str(one.offering.source), "standing": standing(one),
        "tone": tone(one), "size": size(one.downloaded_size_bytes),
        "length": lasting(round(one.seconds)) if one.seconds else "", "documents": getattr(one, "document_count", 0),
    }  # fmt: skip


def _change(one: "StandingChange", curtain: Curtain) -> dict[str, Any]:
    status = Status(one.to_status)
    return {
        "at": one.at, "by": one.by, "why": curtain.over(one.why), "what": one.what, "row": one.row,
        "to": f"{Phase(one.to_phase).title}: {status_word(status)}", "tone": TONES[status],
    }  # fmt: skip
