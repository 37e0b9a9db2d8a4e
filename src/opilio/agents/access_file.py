"""The chore that keeps the compiled rules of access fresh: a change in the catalogue reaches readers within seconds."""

from datetime import datetime, timedelta

from opilio.agents.periodic import Periodic, Turn
from opilio.curation.access_writing import SIGN_AGAIN_AFTER, Written, needed, write_access_file
from opilio.kernel.logs import logger
from opilio.people.seals import head_number
from opilio.works.access_home import access_place
from opilio.works.search_setup import shared_rules

EVERY = 2.0  # seconds
_REST = 4  # times as long as compiling took, before it is done again

_log = logger(__name__)


class AccessKeeping:
    """Compiles anew when the audit log has grown, and signs again before the file is old. One for each process."""

    def __init__(self) -> None:
        self._last: Written | None = None
        self._seen = -1  # entries of the audit log at the last look
        self._not_before: datetime | None = None

    def __call__(self, turn: Turn) -> None:
        """One look; what costs long is done less often."""
        now, grown = turn.clock.now(), head_number()
        if not self._due(now, grown) or not needed(access_place(turn.settings)):
            return
        begun, shared = turn.clock.monotonic(), shared_rules(turn.settings)
        before = self._last
        if before is None and shared is not None:
            shared.bring()  # so that the next file has the next number
        written = write_access_file(turn.settings, now, before)
        if shared is not None and written is not before:
            shared.send()
        self._last = written
        self._seen = grown
        self._not_before = now + timedelta(seconds=_REST * (turn.clock.monotonic() - begun))
        if before is None or before.digest != self._last.digest:
            _log.info("access_rules_written", sequence=self._last.sequence, rules=self._last.rules)

    def _due(self, now: datetime, grown: int) -> bool:
        if self._last is None or now - self._last.made >= SIGN_AGAIN_AFTER:
            return True
        return grown != self._seen and (self._not_before is None or now >= self._not_before)


ACCESS_CHORES: tuple[Periodic, ...] = (Periodic(name="keep_access_rules", every=lambda _: EVERY, work=AccessKeeping()),)
