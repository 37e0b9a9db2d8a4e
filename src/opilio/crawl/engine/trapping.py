"""Traps that are recognised by what was asked of a host: judged where the host is owned, just before the request."""

from collections.abc import Iterable

from opilio.crawl.engine.host_state import HostState
from opilio.crawl.frontier.batch import Denial
from opilio.crawl.frontier.values import Entry, Found
from opilio.crawl.judging import Judgement
from opilio.crawl.outcomes import Outcome
from opilio.crawl.scope.growing import RULE


def trap(entry: Entry, state: HostState) -> Judgement | None:
    """What becomes of an entry that is a trap; any other counts as asked for."""
    reason = state.growing.admit(entry.url) if state.growing is not None else ""
    return Judgement(outcome=Outcome.TRAP, reason=reason) if reason else None


def denial(entry: Entry) -> Denial:
    """An entry that was a trap, for the counts by rule."""
    return Denial(rule=RULE, url=entry.url, parent=entry.parent or "")


def sifted(finds: Iterable[Found], state: HostState, parent: str) -> tuple[tuple[Found, ...], list[Denial]]:
    """The links of a page without those to its own host that would be traps when their turn comes.

    They need no place in the queue: a path that is full stays full. What other hosts link to is judged in its turn.
    """
    if state.growing is None:
        return tuple(finds), []
    kept, denied = [], []
    for found in finds:
        if found.host == state.key and state.growing.refusal(found.url):
            denied.append(Denial(rule=RULE, url=found.url, parent=parent))
        else:
            kept.append(found)
    return tuple(kept), denied
