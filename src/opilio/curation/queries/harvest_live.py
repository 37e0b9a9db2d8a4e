"""How harvests go at this moment, as pages, programs and commands are told: one document for each."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from opilio.curation.harvest_words import tone_of
from opilio.curation.models import Harvest, HarvestFigures, HarvestLive, HarvestState
from opilio.works import live_sheet

#: In these states a harvest may still fetch something, now or later.
_AHEAD = frozenset({
    HarvestState.SCHEDULED, HarvestState.QUEUED, HarvestState.RUNNING, HarvestState.PAUSED, HarvestState.STOPPING,
})  # fmt: skip
_FIGURES = ("urls_down", "urls_failed", "urls_waiting", "data_amount", "elapsed", "average_urls", "average_kb")
#: Parts of a sheet that are there even if none was written yet.
_EMPTY: dict[str, Any] = {
    "at": 0.0,
    "rates": {"urls": 0, "bytes": 0}, "counts": {}, "outcomes": {}, "statuses": {}, "types": {}, "etas": [],
    "hosts": [], "recent": [], "log": [], "pictures": [], "points": [],
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Live:
    """A harvest at one moment; `mark` differs whenever something else does."""

    harvest: int
    mark: str
    over: bool  # whether nothing more will come
    document: dict[str, Any]


def live(row: Harvest) -> Live:
    """How a harvest goes that the asker was let see."""
    return live_of([row.pk])[row.pk]


def live_of(ids: Iterable[int]) -> dict[int, Live]:
    """How these harvests go, by one question; those that were deleted are left out.

    Whoever asks has made sure that those who are told may see them.
    """
    rows = Harvest.objects.filter(pk__in=sorted(ids)).select_related("live", "figures")
    return {row.pk: _live(row) for row in rows}


def _live(row: Harvest) -> Live:
    sheet: HarvestLive | None = getattr(row, "live", None)
    figures: HarvestFigures | None = getattr(row, "figures", None)
    mark = f"{sheet.number if sheet else 0}.{row.version}"
    over = row.state not in _AHEAD
    document = {
        "harvest": str(row.pk), "mark": mark, "state": row.state, "state_label": HarvestState(row.state).label.lower(),
        "tone": tone_of(row.state), "since": _told(row.state_since), "reason": row.reason, "agent": row.agent_name,
        "over": over, "written": _told(sheet.at) if sheet else None,
        "figures": {name: getattr(figures, name) for name in _FIGURES} if figures else None,
        **_EMPTY, **_parts(sheet),
    }  # fmt: skip
    return Live(harvest=row.pk, mark=mark, over=over, document=document)


def _parts(sheet: HarvestLive | None) -> dict[str, Any]:
    """What the agent wrote, without what is no part of a sheet."""
    found = live_sheet.read(sheet.sheet) if sheet else {}
    return {name: found[name] for name, empty in _EMPTY.items() if isinstance(found.get(name), type(empty))}


def _told(moment: datetime.datetime) -> str:
    return moment.isoformat()
