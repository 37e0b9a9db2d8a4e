"""Reads kept files again: the job, and the hourly chore that gives every harvest its turn."""

from collections.abc import Callable
from datetime import datetime

from opilio.agents.context import RunContext
from opilio.agents.periodic import Periodic, Turn
from opilio.curation.actions.fixity import fail_check, record_check
from opilio.curation.fixity import ARCHIVE, HOME, CheckFixity, check_soon, due
from opilio.curation.queries.fixity import copies_to_read
from opilio.kernel.errors import Missing, OpilioError
from opilio.kernel.logs import logger
from opilio.people.actor import Actor, system
from opilio.people.parameters import value
from opilio.works.fixity import Copies, Reading, read_archive, read_home

_HOUR = 3_600.0  # seconds

_log = logger(__name__)


def check_fixity(payload: CheckFixity, context: RunContext) -> None:
    """Read each copy of a harvest; the other one mends what is damaged."""
    copies = copies_to_read(payload.harvest)
    if copies is None:
        return
    one = _One(payload.harvest, copies, context)
    here = copies.folder.is_dir()
    if here:
        one.read(HOME, read_home)
    found = one.read(ARCHIVE, read_archive)
    if not here and not found:
        remedy = "Run an agent where the data of the harvest lies, or share the home folder."
        raise Missing("no copy of the harvest is here", where=str(copies.folder), remedy=remedy)


class _One:
    """The reading of one harvest."""

    def __init__(self, harvest: int, copies: Copies, context: RunContext) -> None:
        self._harvest = harvest
        self._copies = copies
        self._context = context
        self._actor: Actor = system(name="fixity", clock=context.clock)
        self._bytes = 0

    def read(self, place: str, reading: Callable[..., Reading | None]) -> bool:
        """Read a copy and write down what came of it; whether there was one."""
        begun = self._context.clock.now()
        try:
            found = reading(self._copies, repair=bool(value("fixity_repair")), told=self._told)
        except OpilioError as error:
            self._failed(place, begun, error)
            raise
        if found is None:
            return False
        record_check(self._actor, harvest_id=self._harvest, place=place, begun_at=begun, reading=found)
        if found.damages:
            _log.error("fixity_damage", harvest=self._harvest, place=place, damaged=len(found.damages),
                       repaired=found.repaired)  # fmt: skip
        return True

    def _failed(self, place: str, begun: datetime, error: OpilioError) -> None:
        self._context.check()  # an agent that ends is no failure
        fail_check(self._actor, harvest_id=self._harvest, place=place, begun_at=begun, failure=str(error))

    def _told(self, size: int) -> None:
        self._bytes += size
        self._context.check()
        self._context.progress(None, f"{self._bytes:,} bytes read")


def check_what_is_due(turn: Turn) -> None:
    """Order the readings of this hour."""
    for harvest in due(turn.clock.now()):
        if turn.should_stop():
            return
        check_soon(harvest, turn.clock.now())


FIXITY_CHORES = (Periodic(name="check_fixity", every=lambda _: _HOUR, work=check_what_is_due),)
