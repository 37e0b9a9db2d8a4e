"""All reports on a harvest, in the order in which they are offered."""

from opilio.kernel.errors import InvalidInput, Missing
from opilio.works.harvest_reports import content, domains, forms, links, pace
from opilio.works.harvest_reports.declared import HarvestReport

REPORTS: tuple[HarvestReport, ...] = (*links.REPORTS, *content.REPORTS, *pace.REPORTS, *domains.REPORTS, *forms.REPORTS)
BY_NAME = {report.name: report for report in REPORTS}


class NoSuchHarvestReport(Missing):
    """There is no report on harvests of this name."""


class BadChoice(InvalidInput):
    """A number for a report that it cannot be made with."""


def named(name: str) -> HarvestReport:
    """The report of this name."""
    found = BY_NAME.get(name)
    if found is None:
        remedy = f"There are {', '.join(BY_NAME)}."
        raise NoSuchHarvestReport(f"there is no report {name[:64]!r}", where="reports of a harvest", remedy=remedy)
    return found


def chosen(report: HarvestReport, text: str | None) -> int:
    """The number that a reader chose, or the usual one; 0 where there is nothing to choose."""
    choice = report.choice
    if choice is None:
        return 0
    if not text:
        return choice.default
    digits = text.strip()
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else -1
    if not choice.least <= number <= choice.most:
        remedy = f"Write a whole number from {choice.least:,} to {choice.most:,}."
        raise BadChoice(f"{text[:40]!r} cannot be chosen", where=choice.name, remedy=remedy)
    return number
