"""ID_GENERATOR: blocks of numbers that the Web Curator Tool reserved are never handed out here either."""

from opilio.catalogue import identifiers
from opilio.catalogue.models import IdBlock
from opilio.curation.wct.errors import Refused
from opilio.curation.wct.numbers import LARGEST
from opilio.curation.wct.report import Done, Entry, What
from opilio.curation.wct.rows import RawRow
from opilio.curation.wct.taking import Taking
from opilio.curation.wct.values import NUMBER

NAME = "ID_GENERATOR"
COLUMNS = ("IG_TYPE", "IG_VALUE")


def take(taking: Taking) -> None:
    """Reserve the blocks of every row."""
    for row in taking.spool.rows(NAME):
        try:
            taking.report.count(NAME, _reserve(taking, row))
        except Refused as error:
            taking.report.count(NAME, Done.REFUSED)
            taking.report.tell(
                Entry(what=What.ROW, table=NAME, column=error.column, file=row.file, line=row.line, reason=error.what)
            )


def _reserve(taking: Taking, row: RawRow) -> Done:
    kind = " ".join((row.cells.get("IG_TYPE") or "").split())[:64]  # the seed warns of odd white space
    if not kind:
        raise Refused("it is empty", column="IG_TYPE")
    try:
        value = NUMBER.read(row.cells.get("IG_VALUE") or "", taking.zone)
    except ValueError as error:
        raise Refused(str(error), column="IG_VALUE") from error
    if not 0 <= value <= LARGEST // identifiers.BLOCK:
        raise Refused(f"{value} is no number of a block", column="IG_VALUE")
    kind = IdBlock.objects.filter(kind__iexact=kind).values_list("kind", flat=True).first() or kind
    here = IdBlock.objects.filter(kind=kind).values_list("value", flat=True).first()
    if here is not None and here >= value:
        return Done.UNCHANGED
    taking.numbers.own(kind, value - 1)
    return Done.MADE if here is None else Done.CHANGED


def written() -> list[dict[str, str]]:
    """The rows of the table as ours are."""
    return [
        {"IG_TYPE": kind, "IG_VALUE": str(value)}
        for kind, value in IdBlock.objects.order_by("kind").values_list("kind", "value")
    ]
