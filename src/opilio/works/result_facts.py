"""What the catalogue says about a result: how many resources, how many bytes, which file. Read from its folder."""

from dataclasses import dataclass
from pathlib import Path

from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.view import ResultView


@dataclass(frozen=True, kw_only=True)
class ResultFacts:
    """The facts of one result."""

    resources: int
    bytes: int  # of their captures
    digest: str  # of its file
    notes: tuple[str, ...]  # what was changed to make it, in order


def facts_of(folder: Path, number: int) -> ResultFacts:
    """Read them; `NoResult` when the result is not there."""
    results = ResultsFolder(folder)
    with ResultView(results, number) as view:
        changes = view.lineage()[-1].changes
        resources, size = sum(view.outcomes().values()), view.captured_bytes()
    return ResultFacts(resources=resources, bytes=size, digest=results.digest(number), notes=changes)
