"""What the end of a harvest tells beyond its files: what changed, and how its site is; then reviewers may search it.

It is read from the sealed result before the harvest is done, and written down together with that. Trouble in it is
told in the log and never keeps a harvest from its end: everything here can be made anew later.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.conf import settings

from opilio.curation.actions import harvest_revisits
from opilio.curation.harvest_findings import keep_changes, looked_at
from opilio.curation.harvest_jobs import index_soon
from opilio.curation.site_health import Finding, examined
from opilio.kernel.errors import OpilioError
from opilio.kernel.logs import logger
from opilio.people.actor import Actor
from opilio.works.change_history import Tally
from opilio.works.harvest_changes import history_file, tallied
from opilio.works.run_harvest import HarvestFolder
from opilio.works.seed_facts import seed_facts

_Read = TypeVar("_Read")
_log = logger(__name__)


@dataclass(frozen=True, kw_only=True)
class Aftermath:
    """What was read; None: it could not be."""

    harvest: int
    tally: Tally | None
    findings: Sequence[Finding] | None

    def write(self, actor: Actor, now: datetime) -> None:
        """Write it down, in the transaction in which the harvest is done."""
        if self.tally is not None:
            keep_changes(self.harvest, self.tally)
        if self.findings is not None:
            harvest_revisits.examine(actor, harvest_id=self.harvest, findings=self.findings)
        index_soon(self.harvest, now)


def look_back(harvest: int, folder: HarvestFolder) -> Aftermath:
    """Read the sealed result of a harvest."""
    looked = looked_at(harvest)
    file = history_file(settings.OPILIO.home, looked.target)
    return Aftermath(
        harvest=harvest,
        tally=_read(harvest, "changes", lambda: tallied(file, folder, harvest=harvest, at=looked.at.timestamp())),
        findings=_read(harvest, "health", lambda: examined(seed_facts(folder))),
    )


def _read(harvest: int, what: str, read: Callable[[], _Read]) -> _Read | None:
    try:
        return read()
    except OpilioError as error:
        _log.warning("harvest_aftermath_failed", harvest=harvest, what=what, error=str(error))
        return None
