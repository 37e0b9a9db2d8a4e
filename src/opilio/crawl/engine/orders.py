"""Carries out orders to a crawl that need its store: an exclusion purges the queue."""

from collections.abc import Mapping

from opilio.crawl.frontier.rows import Command
from opilio.crawl.frontier.store import Steering
from opilio.crawl.frontier.values import Entry
from opilio.crawl.outcomes import Outcome
from opilio.crawl.scope.rules import Excluded
from opilio.crawl.scope.verdict import Candidate, Verdict, Word
from opilio.kernel.clock import Clock
from opilio.kernel.urls import canonical, parse

_NOBODY = Verdict(accepted=True, rule="none")


def carry_out(store: Steering, clock: Clock, after: int = 0) -> int:
    """Carry out what was ordered since; the number of the last order."""
    for command in store.commands(after):
        after = command.id
        if command.done is None:
            if command.what == "exclude":
                _purge(store, command)
            store.done(command.id, clock.now().timestamp())
    return after


def _purge(store: Steering, command: Command) -> None:
    patterns, urls = (
        _texts(command.arguments, "patterns"),
        {canonical(url) for url in _texts(command.arguments, "urls")},
    )
    rule = Excluded(patterns)

    def matches(entry: Entry) -> bool:
        if entry.url in urls:
            return True
        label = entry.label
        candidate = Candidate(url=entry.url, parts=parse(entry.url), seed=label.seed, depth=label.depth)
        return rule.judge(candidate, _NOBODY).word is Word.REJECT

    store.purge(matches, Outcome.EXCLUDED, "an exclusion that was added while the crawl ran")


def _texts(arguments: Mapping[str, object], name: str) -> list[str]:
    given = arguments.get(name, ())
    return [str(text) for text in given] if isinstance(given, list | tuple) else []
