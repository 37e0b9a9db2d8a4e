"""Derives a result of a sealed crawl by pruning, patching and importing, and undoes the newest one again."""

from collections.abc import Sequence
from pathlib import Path

from opilio import __version__
from opilio.archive.results import deriving, undoing
from opilio.archive.results.deriving import Change, Derived, Told
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.undoing import Undone
from opilio.archive.results.view import ResultView
from opilio.crawl.plan_json import from_json
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.locks import locked
from opilio.works.added_pages import AddedPages
from opilio.works.pack_needs import require_unneeded, siblings


def _silent(step: str, done: int, total: int) -> None:
    """Nobody looks."""


def derive(
    folder: Path, change: Change, *, parent: int | None = None, number: int | None = None, clock: Clock = SYSTEM,
    told: Told = _silent,
) -> Derived:  # fmt: skip
    """Derive a result, with a wished number if one is given; `Conflict` while somebody else works in the folder."""
    results = ResultsFolder(folder)
    results.require(parent)
    with locked(results.lock, purpose="deriving a result", clock=clock):
        with ResultView(results, parent) as view:
            plan = from_json(view.plan)
        pages = AddedPages(plan, lambda done: told("reading WARC files", done, 0))
        return deriving.derive(
            results, change, pages, at=clock.now(), software=f"Opilio/{__version__}", parent=parent,
            number=number, told=told,
        )  # fmt: skip


def undo(
    folder: Path, number: int | None = None, *, why: str, by: str = "", against: Sequence[Path] | None = None,
    clock: Clock = SYSTEM,
) -> Undone:  # fmt: skip
    """Undo the newest derived result; `Conflict` when one of these crawls, or of those beside it, needs a capture."""
    results = ResultsFolder(folder)
    chosen = results.require(number)
    with locked(results.lock, purpose="undoing a result", clock=clock):
        _require_unneeded(results, chosen, siblings(folder) if against is None else against)
        return undoing.undo(results, number, why=why, by=by, at=clock.now())


def _require_unneeded(results: ResultsFolder, number: int, others: Sequence[Path]) -> None:
    """The WARC files that go with a result must not hold what another crawl needs."""
    with ResultView(results, number) as view:
        brought = view.head.copied
    if brought:
        require_unneeded(results.crawl, others, result=number, files=brought)
