"""The reports on one harvest: from its crawl store while it runs, from its sealed result after."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from opilio.curation.harvest_folders import folder_of
from opilio.curation.models import Harvest
from opilio.works.harvest_records import NothingHere
from opilio.works.harvest_reports.all_reports import REPORTS, chosen, named
from opilio.works.harvest_reports.declared import Cells, HarvestReport, Part, lacking
from opilio.works.harvest_reports.reading import Read, read
from opilio.works.markup import Markup

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Offered:
    """A report that can be made; `total` is None where it would have to be counted first."""

    report: HarvestReport
    total: int | None

    @property
    def counted(self) -> str:
        """What the total is of."""
        return self.report.counted(self.total or 0)


@dataclass(frozen=True, kw_only=True)
class Offer:
    """The reports on a harvest; `nothing` says why there are none, and what to do."""

    reports: tuple[Offered, ...]
    sealed: bool = False
    nothing: str = ""


@dataclass(frozen=True, kw_only=True)
class Made:
    """A report on a harvest."""

    report: HarvestReport
    parts: Part
    choice: int  # the number that was chosen; 0: there is none
    sealed: bool
    older: bool  # the result was sealed by a version that did not count this

    @functools.cached_property
    def rows(self) -> list[Cells]:
        """What is listed."""
        return self._made(lambda: list(self.report.rows(self.parts, self.choice)), [])

    @functools.cached_property
    def total(self) -> int:
        """How many there are, listed or not."""
        return self._made(lambda: self.report.total(self.parts, self.choice), 0)

    @property
    def counted(self) -> str:
        """What the total is of."""
        return self.report.counted(self.total)

    def plots(self) -> list[Markup]:
        """The pictures."""
        return self._made(lambda: self.report.plots(self.parts, self.choice), [])

    def _made(self, make: Callable[[], T], otherwise: T) -> T:
        return otherwise if self.older else make()


def offered(row: Harvest) -> Offer:
    """All reports on a harvest that the asker may see, with what they count once it is sealed."""
    try:
        found = _read(row, ())
    except NothingHere as error:
        return Offer(reports=(), nothing=told(error))
    return Offer(reports=tuple(Offered(report=one, total=_total(one, found)) for one in REPORTS), sealed=found.sealed)


def told(error: NothingHere) -> str:
    """Why there is nothing and what to do, without the places of this machine."""
    return f"{error.what}. {error.remedy}"


def made(row: Harvest, name: str, choice: str | None = None) -> Made:
    """One report; `NothingHere` says why there is none."""
    report = named(name)
    number = chosen(report, choice)
    found = _read(row, report.parts)
    older = found.sealed and bool(lacking(report, found.parts))
    return Made(report=report, parts=found.parts, choice=number, sealed=found.sealed, older=older)


def _total(report: HarvestReport, found: Read) -> int | None:
    if not found.sealed or lacking(report, found.parts):
        return None
    return report.total(found.parts, chosen(report, None))


def _read(row: Harvest, parts: tuple[str, ...]) -> Read:
    where = f"harvest {row.pk}"
    if row.started_at is None:
        remedy = "There are reports from its first page on."
        raise NothingHere("This harvest has not begun", where=where, remedy=remedy)
    if row.purged:
        raise NothingHere(
            "What this harvest collected was removed", where=where, remedy="Its log and files are listed."
        )
    return read(folder_of(row.pk, captures=False), parts)
