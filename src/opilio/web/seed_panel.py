"""What the panel of a target's seeds shows: a page of them with their rights, and permissions to choose from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opilio.curation.days import day_in
from opilio.curation.queries import targets
from opilio.curation.queries.seed_rights import (
    Candidate,
    SeedRights,
    permissions_like,
    quick_picks,
    rights_of_seeds,
)
from opilio.web.requests import PageRequest

if TYPE_CHECKING:
    from opilio.curation.models import Seed, Target

_SIZE = 50  # seeds on a page
_LONGEST = 200  # characters of what is looked for


@dataclass(frozen=True, kw_only=True)
class Line:
    """A seed as the panel draws it."""

    seed: "Seed"
    rights: SeedRights
    edited: bool


def panel(request: PageRequest, target: "Target", *, edited: "Seed | None" = None) -> dict[str, Any]:
    """The context of the panel; the seed that is edited stands first where it is not on the page shown."""
    number = _page(request)
    start = (number - 1) * _SIZE
    found = targets.seeds_of(target)[start : start + _SIZE + 1]
    shown, more = list(found)[:_SIZE], len(found) > _SIZE
    if edited is not None and edited.id not in {seed.id for seed in shown}:
        shown.insert(0, edited)
    rights = rights_of_seeds(shown, day_in(request.actor.clock.now(), target.agency.time_zone))
    return {
        "lines": [
            Line(seed=seed, rights=rights[seed.id], edited=edited is not None and seed.id == edited.id)
            for seed in shown
        ],
        "number": number, "edited": edited, "older": number + 1 if more else 0, "newer": number - 1,
        "looked_for": _looked_for(request), "picks": offered(request, target),
    }  # fmt: skip


def choices(found: list[Candidate]) -> list[tuple[int, str]]:
    """Permissions as a form offers them."""
    return [(one.id, one.label) for one in found]


def offered(request: PageRequest, target: "Target") -> list[Candidate]:
    """The permissions to choose from: quick picks, and those that were looked for."""
    known = {one.id: one for one in quick_picks(target.agency_id)}
    known |= {one.id: one for one in permissions_like(target.agency_id, _looked_for(request))}
    return list(known.values())


def _looked_for(request: PageRequest) -> str:
    """The text by which permissions were looked for; a form carries it along."""
    return (request.POST.get("find") or request.GET.get("find") or "")[:_LONGEST]


def _page(request: PageRequest) -> int:
    text = request.GET.get("page", "1")
    return max(1, int(text)) if text.isascii() and text.isdecimal() and len(text) < 7 else 1
