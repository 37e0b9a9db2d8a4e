"""What agents do every so often so that the indexes follow what people decide."""

import re

from opilio.agents.periodic import Periodic, Turn
from opilio.curation.actions.publications import start_publication
from opilio.curation.publish_timing import due
from opilio.curation.queries import indexing
from opilio.kernel.errors import Conflict
from opilio.kernel.logs import logger
from opilio.people.actor import system
from opilio.works.build_index import working_index
from opilio.works.search_setup import search_home

_MINUTE = 60.0  # seconds
_NAME = re.compile(r"harvest-(\d+)")

_log = logger(__name__)


def publish_when_due(turn: Turn) -> None:
    """Publish what is endorsed, once something changed and the last publication is long enough ago."""
    if due(turn.clock.now()):
        start_publication(system(name="publisher", clock=turn.clock))


def leave_working_index(turn: Turn) -> None:
    """Take harvests out of the working index that nobody reviews any more: rejected, archived or purged ones."""
    home = search_home(turn.settings)
    named = {each.name: int(match[1]) for each in home.followed.all() if (match := _NAME.fullmatch(each.name))}
    gone = indexing.over(named.values()) if named else set()
    if not gone:
        return
    try:
        with working_index(home) as index:
            for name, number in named.items():
                if number in gone:
                    index.forget(name)
    except Conflict as busy:
        _log.info("working_index_busy", harvest=min(gone), reason=busy.what)


PUBLISH_CHORES: tuple[Periodic, ...] = (
    Periodic(name="publish_when_due", every=lambda _: _MINUTE, work=publish_when_due),
    Periodic(name="leave_working_index", every=lambda _: _MINUTE, work=leave_working_index),
)
