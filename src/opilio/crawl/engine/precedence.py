"""Which pages come first: those that people moved ahead or back while the crawl ran, whether they wait or are found
later. What was said last about a page counts.
"""

from collections.abc import Sequence

import re2

from opilio.crawl import expressions
from opilio.crawl.frontier.control import Control, Precedence
from opilio.crawl.plan import CrawlPlan
from opilio.kernel.urls import canonical


class _Rule:
    """What one order names."""

    def __init__(self, order: Precedence, urls: frozenset[str]) -> None:
        self.priority = order.priority
        self._urls = urls
        self._hosts = frozenset(host.lower() for host in order.hosts)
        self._patterns = [re2.compile(pattern, expressions.quiet()) for pattern in order.patterns]

    def names(self, url: str, host: str) -> bool:
        return url in self._urls or host in self._hosts or any(pattern.search(url) for pattern in self._patterns)


class Priorities:
    """The priorities of one moment."""

    def __init__(self, rules: Sequence[_Rule] = ()) -> None:
        self._rules = tuple(reversed(rules))

    def __bool__(self) -> bool:
        return bool(self._rules)

    def of(self, url: str, host: str) -> int | None:
        """The priority of a page by its canonical URL and its host; None: nobody said anything about it."""
        return next((rule.priority for rule in self._rules if rule.names(url, host)), None)


NO_PRIORITIES = Priorities()


def priorities_of(plan: CrawlPlan, control: Control) -> Priorities:
    """What the orders to a crawl move ahead or back."""
    rules = [
        _Rule(order, frozenset(canonical(url, plan.scope.query) for url in order.urls)) for order in control.precedence
    ]
    return Priorities(rules) if rules else NO_PRIORITIES
