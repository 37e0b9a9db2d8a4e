"""Which harvests an agent takes: what the rule of its name says, and nothing while its machine is unwell."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from opilio.agents.health import Health, Thresholds, measured, unwell
from opilio.curation.queries.agents import rule_of
from opilio.jobs.roster import Registered
from opilio.kernel.logs import logger

_log = logger(__name__)


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What an agent takes."""

    tags: frozenset[str] | None  # None: whatever there is


def take_everything(me: Registered) -> Offer | None:
    """No rule, no doubt."""
    return Offer(tags=None)


@dataclass(kw_only=True)
class Offers:
    """Asks the rules and the machine each time."""

    name: str
    home: Path
    thresholds: Thresholds
    look: Callable[[Path], Health] = measured
    _unwell: bool = False

    def __call__(self, me: Registered) -> Offer | None:
        """What may be taken now; None: nothing."""
        reason = unwell(self.look(self.home), self.thresholds)
        if reason and not self._unwell:  # told once, though the figures in it change at every look
            _log.warning("agent_unwell", agent=me.owner, reason=reason)
        self._unwell = bool(reason)
        rule = rule_of(self.name)
        if reason or not rule.accepting:
            return None
        return Offer(tags=rule.tags)
