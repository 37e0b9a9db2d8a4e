"""The report of a check as one page of HTML that needs nothing beside it."""

from collections.abc import Sequence
from html import escape

from opilio.deliveries.checking import Checked, Found
from opilio.deliveries.pages import page, table

_COLUMNS = ("Document", "Line", "Column", "Kind", "What", "Weight")


def check_page(checked: Sequence[Checked], profile: str) -> str:
    """Each delivery with what was found, worst first."""
    good = sum(one.good for one in checked)
    parts = [f"<p>{len(checked)} checked by the profile {escape(profile)}, {good} would be taken.</p>"]
    parts += [_section(one) for one in checked]
    return page("Check of deliveries", "".join(parts))


def _section(one: Checked) -> str:
    verdict = "It would be taken." if one.good else "It would not be taken as it is."
    head = f"<h2>{escape(one.name)}</h2><p>{verdict} Documents: {len(one.documents)}.</p>"
    if not one.found:
        return f"{head}<p>Nothing is wrong with it.</p>"
    rows = [_row(found) for found in sorted(one.found, key=lambda found: not found.fatal)]
    return head + table(_COLUMNS, rows)


def _row(found: Found) -> tuple[object, ...]:
    weight = "keeps it from being taken" if found.fatal else "to know"
    return (found.document, found.line or "", found.column or "", found.kind, found.what, weight)
