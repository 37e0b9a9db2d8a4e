"""Logs and reports of the harvest of a result, and the way to one of its URLs; from the folder on this machine."""

from collections.abc import Iterator
from pathlib import Path

from opilio.archive.results.view import ResultView
from opilio.crawl.plan_json import from_json
from opilio.curation.harvest_folders import folder_of
from opilio.curation.models import Result
from opilio.curation.queries.result_tree import folder_here
from opilio.kernel.errors import InvalidInput
from opilio.kernel.urls import canonical
from opilio.works import log_reading
from opilio.works.harvest_records import NothingHere
from opilio.works.log_reading import LogFile, LogPart, Question

_LONGEST = 8_000  # characters of a URL


def files(row: Result) -> list[LogFile]:
    """Which there are."""
    return log_reading.log_files(_folder(row))


def read(row: Result, name: str, question: Question) -> LogPart:
    """Lines of one."""
    return log_reading.read_log(log_reading.log_path(_folder(row), name), question)


def whole(row: Result, name: str) -> tuple[str, Iterator[bytes]]:
    """All of one, with a name to keep it under."""
    path = log_reading.log_path(_folder(row), name)
    return f"harvest-{row.harvest_id}-{path.name}", log_reading.pieces(path)


def hops(row: Result, url: str) -> list[str]:
    """The URLs from the seed to one, that one last."""
    if not url.strip() or len(url) > _LONGEST:
        remedy = f"Give a URL in full, of at most {_LONGEST:,} characters."
        raise InvalidInput("there is no URL to find the way to", where="url", remedy=remedy)
    with ResultView(folder_here(row), row.number) as view:
        key = canonical(url.strip(), from_json(view.plan).scope.query)
        found = view.resource(key)
        if found is None:
            remedy = "Look for it in the tree of the result."
            raise InvalidInput("The result does not have this URL", where=key[:400], remedy=remedy)
        return [*view.parents(found), found.url]


def _folder(row: Result) -> Path:
    found = folder_of(row.harvest_id, captures=False).path
    if not found.is_dir():
        remedy = "Look where its agent runs, or let both use the same home folder."
        raise NothingHere("The logs of this harvest are not on this machine", where=str(found), remedy=remedy)
    return found
