"""What a patch is about: its wishes as the row of its result keeps them, and what stands against it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from opilio.archive.results.deriving import MAX_NOTE, Existing
from opilio.curation import frozen_rights
from opilio.curation.models import Harvest, HarvestState, Result, ResultState
from opilio.curation.result_workflow import WHOLE
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act
from opilio.people.errors import InvalidFields


class NotPatchable(Conflict):
    """Nothing can be added to this result now."""


@dataclass(frozen=True, kw_only=True)
class PatchWishes:
    """How a patch is made; kept under `patch` in the row of the new result."""

    existing: Existing = Existing.IF_FAILED
    embeds: bool = True  # whether the parts of pages come along
    stands_for: str = ""  # URL under which the one that is fetched is kept, if under another

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {"patch": {"existing": self.existing.value, "embeds": self.embeds, "stands_for": self.stands_for}}


def wishes_of(change: Mapping[str, Any]) -> PatchWishes:
    """The wishes of a row again."""
    told = change.get("patch", {})
    return PatchWishes(
        existing=Existing(told.get("existing", Existing.IF_FAILED)), embeds=bool(told.get("embeds", True)),
        stands_for=str(told.get("stands_for", "")),
    )  # fmt: skip


def existing_of(text: str, where: str) -> Existing:
    """What becomes of resources that are there, as somebody wrote it."""
    try:
        return Existing(text)
    except ValueError:
        known = ", ".join(Existing)
        raise InvalidFields({"existing": [f"{text[:40]!r} is none of {known}."]}, where=where) from None


def checked_note(text: str, where: str) -> str:
    """Why; it stays with the result for good."""
    note = text.strip()
    if not note:
        raise InvalidFields({"note": ["Say why; it stays with the result."]}, where=where)
    if len(note) > MAX_NOTE:
        raise InvalidFields({"note": [f"Shorten it to {MAX_NOTE:,} characters."]}, where=where)
    return note


def require_derivable(act: Act, parent: Result) -> None:
    """Only a harvest that waits for review can get another result, and only from one that has its files."""
    harvest = parent.harvest
    if harvest.state != HarvestState.HARVESTED:
        state = HarvestState(harvest.state).label.lower()
        remedy = "Take the endorsement back first." if harvest.state == HarvestState.ENDORSED else "Wait until it ends."
        raise NotPatchable(f"The harvest is {state}: nothing can be added to its results", where=act.name,
                           remedy=remedy)  # fmt: skip
    if parent.state not in WHOLE or parent.imported or harvest.purged:
        state = ResultState(parent.state).label.lower()
        remedy = "Choose a result that has its files."
        raise NotPatchable(f"Nothing can be derived from a result that is {state}", where=act.name, remedy=remedy)


def require_rights(act: Act, harvest: Harvest) -> None:
    """Whatever the permissions say now counts for what is fetched now."""
    problems = frozen_rights.problems_of([harvest], act.clock.now())[harvest.pk]
    if problems:
        remedy = "Renew the permission, then patch; or add files by import."
        raise NotPatchable(" ".join(problems), where=act.name, remedy=remedy)
