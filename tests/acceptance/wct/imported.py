"""What an import said, and the rows of the dump it is about."""

from tests import wct_dump


def told(report, what=None, table=None):
    """Column and reason of the entries about a table."""
    return [
        (entry.column, entry.reason) for entry in report.entries
        if (what is None or entry.what is what) and (table is None or entry.table == table)
    ]  # fmt: skip


def totals(report):
    return report.as_json()["totals"]


def taken(report):
    """Rows that were made, or changed: counters of identifiers that were there before are."""
    return totals(report)["made"] + totals(report)["changed"]


def row_of(found, table, index):
    return next(row for row in found[table] if wct_dump.number(table, index) in row.values())
