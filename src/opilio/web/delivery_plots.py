"""Pictures of sessions that the server draws: when they ran and how they ended, and what one spent its time on."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opilio.curation.harvest_words import lasting
from opilio.deliveries.states import Phase
from opilio.web import zones

if TYPE_CHECKING:
    from opilio.tracker.models import DeliverySession, SessionTask

_NARROWEST = 0.6  # per cent: what was too short to be seen is drawn so wide
_ROW = 26  # pixels of a task


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A bar on the line of time."""

    left: str  # per cent
    width: str  # per cent
    tone: str
    label: str
    url: str = ""
    name: str = ""
    top: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Plot:
    """Bars from the first to the last moment."""

    spans: tuple[Span, ...]
    first: str
    last: str
    spoken: str
    height: int = 0


def outcome(row: "DeliverySession") -> tuple[str, str]:
    """How a session ended: its words and its tone."""
    if row.finish_time is None:
        return "under way", "info"
    if row.cut_off:
        return "cut off", "bad"
    return ("all went well", "good") if row.status == 0 else ("something failed", "bad")


def sessions_plot(
    rows: Sequence["DeliverySession"], now: datetime.datetime, zone: datetime.tzinfo, path: str
) -> Plot | None:
    """The sessions on one line; None when there is nothing to compare."""
    if not rows:
        return None
    found = sorted(rows, key=lambda row: row.start_time)
    begin, end = found[0].start_time, max(row.finish_time or now for row in found)
    whole = (end - begin).total_seconds() or 1.0
    spans = tuple(
        _span(row.start_time, row.finish_time or now, begin, whole, tone=outcome(row)[1],
              label=f"Session {row.pk}, {zones.shown(row.start_time, zone)}: {outcome(row)[0]}, "
                    f"{_length(row.start_time, row.finish_time or now)}",
              url=f"{path}/{row.pk}")
        for row in found
    )  # fmt: skip
    bad = sum(outcome(row)[1] == "bad" for row in found)
    spoken = (
        f"{len(found)} sessions from {zones.shown(begin, zone)} to {zones.shown(end, zone)}; {bad} did not go well."
    )
    return Plot(spans=spans, first=zones.shown(begin, zone), last=zones.shown(end, zone), spoken=spoken)


def tasks_plot(tasks: Sequence["SessionTask"], now: datetime.datetime) -> Plot | None:
    """What a session did one after the other; None when it has done nothing yet."""
    if not tasks:
        return None
    begin, end = min(one.start_time for one in tasks), max(one.finish_time or now for one in tasks)
    whole = (end - begin).total_seconds() or 1.0
    spans = []
    for number, one in enumerate(tasks):
        length = _length(one.start_time, one.finish_time or now)
        title = Phase(one.phase_id).title
        tone = "info" if one.finish_time is None else "bad" if one.status else "good"
        spans.append(
            _span(one.start_time, one.finish_time or now, begin, whole, tone=tone, label=f"{title}: {length}",
                  name=title, top=number * _ROW)
        )  # fmt: skip
    spoken = ", ".join(span.label for span in spans)
    return Plot(
        spans=tuple(spans), first="0 s", last=_length(begin, end), spoken=f"{spoken}.", height=len(spans) * _ROW
    )


def _span(
    start: datetime.datetime, end: datetime.datetime, begin: datetime.datetime, whole: float, *, tone: str, label: str,
    url: str = "", name: str = "", top: int = 0,
) -> Span:  # fmt: skip
    left = 100 * (start - begin).total_seconds() / whole
    width = max(100 * (end - start).total_seconds() / whole, _NARROWEST)
    left = min(left, 100 - width)
    return Span(left=f"{max(left, 0):.3f}", width=f"{width:.3f}", tone=tone, label=label, url=url, name=name, top=top)


def _length(start: datetime.datetime, end: datetime.datetime) -> str:
    return lasting(round((end - start).total_seconds()))
