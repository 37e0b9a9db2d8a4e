"""Carries out orders to a crawl that need its store: an exclusion purges the queue, a priority sorts it.

The purge is not what keeps excluded URLs from being asked for (every worker sees to that, right before a request): it
lets the report say at once what became of them.
"""

from opilio.crawl.engine.exclusions import exclusions_of
from opilio.crawl.engine.precedence import priorities_of
from opilio.crawl.frontier.store import CrawlStore
from opilio.crawl.outcomes import Outcome
from opilio.kernel.clock import Clock


def carry_out(store: CrawlStore, clock: Clock, after: int = 0) -> int:
    """Carry out what was ordered since; the number of the last order."""
    for command in store.commands(after):
        after = command.id
        if command.done is None:
            if command.what == "exclude":
                _purge(store)
            elif command.what == "priority":
                _sort(store)
            store.done(command.id, clock.now().timestamp())
    return after


def _purge(store: CrawlStore) -> None:
    exclusions = exclusions_of(store.plan, store.control())
    store.purge(lambda entry: exclusions.reason(entry.url), Outcome.EXCLUDED)


def _sort(store: CrawlStore) -> None:
    priorities = priorities_of(store.plan, store.control())
    store.prioritise(lambda entry: priorities.of(entry.url, entry.name))
