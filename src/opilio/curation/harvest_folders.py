"""Where the data of a harvest lies on this machine, brought here from the work store if there is one.

A job that touched harvests sends what it changed of them before its effects are written down (`Touched`), so that
whoever reads of the effects finds the files.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from django.conf import settings

from opilio.curation.models import Harvest
from opilio.works.crawl_folder import StoreAddress
from opilio.works.run_harvest import HarvestFolder
from opilio.works.sharing.turns import InUse
from opilio.works.sharing.work_store import WorkStore, work_store

_TOUCHED: ContextVar["Touched | None"] = ContextVar("touched", default=None)


def folder_of(harvest: int, *, captures: bool = True) -> HarvestFolder:
    """The folder of a harvest, as it is now; whether anything is in it is another question.

    Who reads no captures says so, and does not wait until they are fetched.
    """
    shared = shared_store()
    if shared is not None:
        touched = _TOUCHED.get()
        if touched is not None:
            touched.add(harvest)
        shared.bring(harvest, captures=captures)
        for earlier in _went_by(harvest) if captures else ():
            shared.bring(earlier, captures=True)
    return place_of(harvest)


def place_of(harvest: int) -> HarvestFolder:
    """The same as it lies here, whatever others did meanwhile."""
    home: Path = settings.OPILIO.home
    return HarvestFolder(path=home / "harvests" / str(harvest), address=address_of(harvest))


def address_of(harvest: int) -> StoreAddress:
    """Where the crawl store of a harvest lies."""
    url: str = settings.OPILIO.crawl_database_url
    return StoreAddress(url=url, name=f"harvest-{harvest}") if url else StoreAddress()


def shared_store() -> WorkStore | None:
    """The work store; None where all share the home folder."""
    return work_store(settings.OPILIO)


def send(harvest: int) -> None:
    """Let others have what was written into the folder of a harvest."""
    shared = shared_store()
    if shared is not None:
        shared.send(harvest)


def _went_by(harvest: int) -> Iterator[int]:
    """The earlier harvests that have bodies which this one only refers to."""
    known = {harvest}
    while True:
        found = Harvest.everything.filter(pk=harvest).values_list("since_id", flat=True).first()
        if found is None or found in known:
            return
        known.add(harvest := found)
        yield found


class Touched:
    """The harvests that a job looked into; their copies stay here until it ends."""

    def __init__(self, store: WorkStore, allowed: Callable[[], None]) -> None:
        self._store = store
        self._allowed = allowed
        self._held: dict[int, InUse] = {}

    def add(self, harvest: int) -> None:
        """Keep it here."""
        if harvest not in self._held:
            self._held[harvest] = self._store.use(harvest)

    def send(self) -> None:
        """Send what changed."""
        for harvest in self._held:
            self._store.send(harvest, self._allowed)

    def end(self) -> None:
        """Let go of all."""
        for held in self._held.values():
            held.end()


@contextmanager
def touching(allowed: Callable[[], None]) -> Iterator[Touched | None]:
    """Note, for the block, which harvests are looked into; None where there is nothing to send."""
    shared = shared_store()
    if shared is None:
        yield None
        return
    touched = Touched(shared, allowed)
    token = _TOUCHED.set(touched)
    try:
        yield touched
    finally:
        _TOUCHED.reset(token)
        touched.end()
