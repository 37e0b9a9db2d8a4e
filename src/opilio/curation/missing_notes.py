"""The patch list of a result in the catalogue, as replay uses it: what was missed is noted, bounded, and once."""

import threading

from opilio.archive.replay.holdings import Wish
from opilio.curation import replay_people
from opilio.curation.actions.missing_urls import add_missing, note_missing
from opilio.curation.missing_urls import key_of, readable
from opilio.curation.models import MissingUrl, Result
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.kernel.logs import logger
from opilio.people.actor import system

_MOST = 1_000  # URLs that one process notes by itself for a result

log = logger(__name__)


class CatalogueList:
    """A PatchList whose wishes are rows."""

    def __init__(self, result: int) -> None:
        self._result = result
        self._told: set[str] = set()
        self._lock = threading.Lock()

    def add(self, wish: Wish) -> bool:
        """Put it there as whoever pressed the button; refused like on the pages to whom that is not allowed."""
        actor = replay_people.actor_named(wish.by)
        if actor is None:
            raise InvalidInput("nobody knows who wishes it", where="replay", remedy="Open the result anew.")
        return add_missing(actor, result_id=self._result, text=wish.url).added > 0

    def wishes(self) -> list[Wish]:
        """All of them, oldest first."""
        row = Result.objects.filter(pk=self._result).first()
        if row is None:
            return []
        rows = MissingUrl.objects.filter(harvest=row.harvest_id, result=row.number).order_by("id")
        found = rows.values_list("url", "created")
        return [Wish(url=url, at=at.isoformat(), result=self._result) for url, at in found]

    def has(self, url: str) -> bool:
        """Whether a URL is on the list."""
        row = Result.objects.filter(pk=self._result).values_list("harvest_id", "number").first()
        if row is None:
            return False
        return MissingUrl.objects.filter(harvest=row[0], result=row[1], key=key_of(url)).exists()

    def missed(self, url: str, page: str) -> None:
        """Note that a page asked for something that is not there; a list that cannot be written hides no page."""
        with self._lock:
            if url in self._told or len(self._told) >= _MOST:
                return
            self._told.add(url)
        found = tuple(readable([(url, page)]))
        try:
            note_missing(system(name="replay"), result_id=self._result, urls=found)
        except OpilioError as error:
            log.warning("missing_not_noted", result=self._result, error=error.what)
