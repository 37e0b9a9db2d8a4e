"""Whether the files of a result are on this machine."""

from opilio.curation.harvest_folders import folder_of
from opilio.curation.models import Result
from opilio.works.harvest_records import NothingHere

_ELSEWHERE = "Look where its agent runs, or let both use the same home folder."


def require_here(row: Result) -> None:
    """Go on only if they are."""
    if not folder_of(row.harvest_id, captures=False).sealed():
        raise NothingHere(
            "What this harvest collected is not on this machine", where=f"harvest {row.harvest_id}", remedy=_ELSEWHERE
        )
