"""What replay asks the catalogue: which folder a result lies in, and what was taken down."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeVar

from opilio.curation.harvest_folders import folder_of
from opilio.curation.missing_notes import CatalogueList
from opilio.curation.models import Result
from opilio.curation.result_places import require_here
from opilio.curation.result_workflow import WHOLE
from opilio.curation.takedown_rules import takedown_rules
from opilio.kernel.access import Decision, Reader, Rules, decide
from opilio.kernel.clock import SYSTEM, Clock
from opilio.works.held_results import HeldResult

_REMEMBERED = 5.0  # seconds in which an answer of the catalogue is not asked for again
_MOST = 10_000  # answers

K = TypeVar("K")
V = TypeVar("V")


@dataclass(kw_only=True)
class Remembered(Generic[K, V]):
    """Answers that hold for some seconds; for several threads."""

    ask: Callable[[K], V]
    clock: Clock = SYSTEM
    seconds: float = _REMEMBERED
    _known: dict[K, tuple[float, V]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, question: K) -> V:
        now = self.clock.monotonic()
        with self._lock:
            known = self._known.get(question)
        if known is not None and now - known[0] < self.seconds:
            return known[1]
        answer = self.ask(question)
        with self._lock:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[question] = (now, answer)
        return answer


@dataclass(frozen=True, kw_only=True)
class StaffAccess:
    """Decides for those who review: everything but what was blocked or destroyed."""

    agency: str
    target: str
    harvest: str
    rules: Callable[[], Rules]
    clock: Clock = SYSTEM

    def __call__(self, url: str, captured: datetime) -> Decision:
        return decide(
            self.rules(), url=url, captured=captured, agency=self.agency, target=self.target, harvest=self.harvest,
            reader=Reader(staff_of=frozenset({self.agency})), now=self.clock.now(),
        )  # fmt: skip


def taken_down() -> Rules:
    """The takedowns as they stand now."""
    return Rules(takedown_rules())


def held(result_id: int, rules: Callable[[], Rules], *, clock: Clock = SYSTEM) -> HeldResult | None:
    """A result as replay shows it; None when there is none, `NothingHere` when its files are not on this machine."""
    row = Result.objects.select_related("harvest__abstract_target").filter(pk=result_id, state__in=WHOLE).first()
    if row is None:
        return None
    require_here(row)
    harvest, patches = row.harvest, CatalogueList(result_id)
    return HeldResult(
        folder=folder_of(harvest.pk).path, result=row.number,
        title=f"Result {row.number} of the harvest of {harvest.abstract_target}",
        access=StaffAccess(
            agency=str(harvest.agency_id), target=str(harvest.abstract_target_id), harvest=str(harvest.pk),
            rules=rules, clock=clock,
        ),
        patches=patches, missed=patches.missed,
    )  # fmt: skip
