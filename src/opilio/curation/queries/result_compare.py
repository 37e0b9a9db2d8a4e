"""What a result can be compared with, and how it differs; from the files on this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from opilio.archive.compare.text_diff import TextDiff, Unit
from opilio.archive.screenshots.pictures import PictureKind
from opilio.archive.screenshots.shelf import PictureShelf
from opilio.curation.harvest_folders import folder_of
from opilio.curation.models import Result, ResultState
from opilio.curation.queries.result_tree import AT_ONCE, BeingPrepared, folder_here
from opilio.curation.queries.results import result, results
from opilio.curation.result_jobs import compare_soon
from opilio.curation.result_workflow import WHOLE
from opilio.kernel.errors import Conflict, OpilioError
from opilio.people.actor import Actor
from opilio.works.compare_results import Named, compare_text
from opilio.works.harvest_records import NothingHere
from opilio.works.result_comparison import Asked, Comparison, Pair, Side, is_compared, make_comparison

_MOST = 200  # results that are offered


@dataclass(frozen=True, kw_only=True)
class Offered:
    """Another result to compare with."""

    id: int
    label: str


def others(actor: Actor, row: Result) -> list[Offered]:
    """The results of the same target or group that the asker may see, newest harvests first."""
    found = (
        results(actor)
        .filter(harvest__abstract_target_id=row.harvest.abstract_target_id, state__in=WHOLE, imported=False)
        .filter(harvest__purged=False).exclude(pk=row.pk)
        .order_by("-harvest__started_at", "-harvest_id", "-number")[:_MOST]
    )  # fmt: skip
    return [Offered(id=one.pk, label=_label(one, row)) for one in found]


def usual(actor: Actor, row: Result) -> int | None:
    """What a result is compared with unless somebody chose: its parent, the reference harvest, the harvest before."""
    rows = results(actor).filter(state__in=WHOLE, imported=False, harvest__purged=False).exclude(pk=row.pk)
    if row.derived_from is not None:
        rows = rows.filter(harvest_id=row.harvest_id, number=row.derived_from)
    else:
        reference = row.harvest.abstract_target.reference_harvest_id
        same = rows.filter(harvest__abstract_target_id=row.harvest.abstract_target_id)
        chosen = same.filter(harvest_id=reference) if reference and reference != row.harvest_id else None
        rows = chosen if chosen is not None and chosen.exists() else same.filter(harvest_id__lt=row.harvest_id)
    endorsed = rows.filter(state=ResultState.ENDORSED).order_by("-harvest_id").first()
    found = endorsed or rows.order_by("-harvest_id", "-number").first()
    return found.pk if found else None


def other(actor: Actor, result_id: int) -> Result:
    """The result that somebody chose to compare with."""
    return result(actor, result_id)


@contextmanager
def compared(before: Result, after: Result, now: datetime) -> Iterator[Comparison]:
    """Two results compared, for the length of a block; `BeingPrepared` while large ones are."""
    pair = Pair(before=_side(before), after=_side(after))
    if not is_compared(pair):
        _compare(pair, before, after, now)
    with Comparison(pair.path) as found:
        yield found


def every(before: Result, after: Result, asked: Asked, now: datetime) -> Iterator[dict[str, Any]]:
    """All differences that are asked for, for exports; what is wrong is said before the first."""
    with compared(before, after, now):
        pass
    return _exported(Pair(before=_side(before), after=_side(after)), asked)


def _exported(pair: Pair, asked: Asked) -> Iterator[dict[str, Any]]:
    with Comparison(pair.path) as found:
        yield from (one.document() for one in found.every(asked))


def pictures(before: Result, after: Result, url: str) -> list[Result]:
    """Those of the two of which there is a screenshot of a page, if both have one."""
    return [before, after] if _pictured(before, url) and _pictured(after, url) else []


def _pictured(row: Result, url: str) -> bool:
    try:
        PictureShelf(folder_of(row.harvest_id, captures=False).path).newest(url, PictureKind.THUMBNAIL)
    except OpilioError:
        return False
    return True


def text_of(before: Result, after: Result, url: str, unit: Unit = Unit.LINES) -> TextDiff:
    """How the text of a page changed."""
    return compare_text(_named(before), _named(after), url, unit)


def _compare(pair: Pair, before: Result, after: Result, now: datetime) -> None:
    if before.resources + after.resources > AT_ONCE:
        compare_soon(before.pk, after.pk, now)
        raise _not_ready(after)
    try:
        make_comparison(pair)
    except Conflict:
        raise _not_ready(after) from None


def _not_ready(row: Result) -> BeingPrepared:
    remedy = "Look again in a moment; an agent where the files lie does it."
    return BeingPrepared("The results are being compared", where=str(row), remedy=remedy)


def _side(row: Result) -> Side:
    return Side(harvest=row.harvest_id, folder=folder_here(row).crawl, number=row.number)


def _named(row: Result) -> Named:
    if row.number not in folder_here(row).numbers():
        raise NothingHere("The files of this result are not on this machine", where=str(row), remedy="Look elsewhere.")
    return Named(folder=folder_of(row.harvest_id).path, number=row.number)


def _label(one: Result, row: Result) -> str:
    at = one.harvest.started_at or one.harvest.scheduled_at
    same = " (this harvest)" if one.harvest_id == row.harvest_id else ""
    return f"Result {one.number} of the harvest of {at:%Y-%m-%d %H:%M}{same}, {ResultState(one.state).label.lower()}"
