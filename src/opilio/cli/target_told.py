"""Targets and seeds as commands tell them."""

from typing import Any

from opilio.cli.catalogue import operator
from opilio.cli.output import Answer, Fields, Rows
from opilio.curation.queries import targets
from opilio.curation.rights_of import approval_problems
from opilio.curation.words import AccessZone, State
from opilio.kernel.errors import InvalidInput

STATES: dict[str, State] = {state.label.lower(): state for state in list(State)[:7]}
ZONES: dict[str, AccessZone] = {
    "public": AccessZone.PUBLIC, "on-site": AccessZone.ON_SITE, "restricted": AccessZone.RESTRICTED,
}  # fmt: skip
_OPEN = (State.PENDING, State.REINSTATED, State.NOMINATED)
_TEXTS = ("reference", "description", "profile_note", "display_note", "display_change_reason", "evaluation_note",
          "selection_note", "selection_type", "harvest_type", "request_to_archivists", "rejection_note")  # fmt: skip


def one_target(identifier: int) -> Answer:
    """A target, what can happen next, and what is missing."""
    row = targets.target(operator(), identifier)
    moves = [
        (one.move.name, one.move.target.label.lower(), one.move.sentence) for one in targets.offers(operator(), row)
    ]
    problems = list(approval_problems(row.pk)) if row.state in _OPEN else []
    document = {**told(row), "moves": [verb for verb, _, _ in moves], "problems": problems}
    parts: list[Any] = [Fields(pairs=[pair for pair in document.items() if pair[0] not in ("moves", "problems")])]
    parts.append(Rows(columns=("can be moved by", "to", "what follows"), rows=moves))
    parts.extend(problems)
    return Answer(document=document, parts=parts)


def told(row: Any) -> dict[str, Any]:
    """A target as a document."""
    return {
        "id": str(row.pk), "name": row.name, "state": State(row.state).label.lower(), "agency": row.agency.name,
        "owner": row.owner.username, "seeds": row.seeds.filter(deleted=False).count(),
        "profile": row.profile.name if row.profile else "", "access": zone_word(row.access_zone),
        "display": row.display, "run_on_approval": row.run_on_approval, "early_start": row.allow_early_start,
        "embargo_days": row.embargo_days or 0, "follow_reference": row.follow_reference, "prune_again": row.prune_again,
        "selected": row.selection_date.isoformat() if row.selection_date else "",
        "rejected_for": row.rejection_reason.name if row.rejection_reason else "",
        "assigned_to": row.assigned_to.username if row.assigned_to else "",
        **{name: getattr(row, name) for name in _TEXTS}, "version": row.version,
    }  # fmt: skip


def zone_word(number: int) -> str:
    """The word for an access zone."""
    return next(word for word, zone in ZONES.items() if zone == number)


def chosen(option: str, words: dict[str, Any], word: str) -> Any:
    """What a word stands for, or an error that names the words."""
    if word not in words:
        raise InvalidInput(f"{word[:64]!r} is not known", where=option, remedy=f"Write {' or '.join(words)}.")
    return words[word]
