"""Undoes a derived result: its files go, a record of it stays. Nothing that others stand on can be undone."""

from dataclasses import asdict, dataclass
from datetime import datetime

from opilio.archive.results.errors import NoResult, ProtectedResult
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.reader import ResultReader
from opilio.archive.results.view import ResultView
from opilio.kernel.errors import InvalidInput


@dataclass(frozen=True, kw_only=True, slots=True)
class Undone:
    """A result that is no more."""

    number: int
    parent: int
    warcs: tuple[str, ...]  # files that were removed with it


def undo(results: ResultsFolder, number: int | None = None, *, why: str, by: str, at: datetime) -> Undone:
    """Remove the newest derived result. The caller holds the lock of the folder."""
    if not why.strip():
        raise InvalidInput("an undoing needs a reason", remedy="Give it with --note.")
    results.tidy()
    chosen = results.require(number)
    _require_undoable(results, chosen)
    with ResultView(results, chosen) as view:
        derivation, head = view.lineage()[-1], view.head
    parent = head.parent or 0
    record = {**asdict(derivation), "sha256": results.digest(chosen), "warcs": list(head.copied)}
    results.record_undone({**record, "undone": at.isoformat(timespec="seconds"), "undone_by": by, "why": why})
    results.begin(chosen, head.copied)
    results.discard(chosen, head.copied)
    results.end(chosen)
    return Undone(number=chosen, parent=parent, warcs=head.copied)


def _require_undoable(results: ResultsFolder, number: int) -> None:
    where = str(results.file(number))
    if number == 1:
        remedy = "Reject the harvest instead; only derived results can be undone."
        raise ProtectedResult("result 1 is what the crawl captured", where=where, remedy=remedy)
    protection = results.protection(number)
    if protection is not None:
        remedy = "Derive a further result instead, or take the endorsement back first."
        raise ProtectedResult(f"the result is {protection}", where=where, remedy=remedy)
    newest = results.newest()
    children = [each for each in results.numbers() if each > number and _parent(results, each) == number]
    if children:
        remedy = f"Undo result {children[-1]} first."
        raise ProtectedResult(f"result {children[0]} is derived from it", where=where, remedy=remedy)
    if number != newest:
        raise ProtectedResult("it is not the newest result", where=where, remedy=f"Undo result {newest} first.")


def _parent(results: ResultsFolder, number: int) -> int | None:
    try:
        with ResultReader(results.file(number)) as reader:
            return reader.head.parent
    except NoResult:
        return None
