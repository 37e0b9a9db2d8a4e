"""What was excluded while the crawl ran: asked for the whole queue once, and for every entry right before its request.

The plan's include expressions take URLs back, as they do in its scope; its own exclusions are judged there, when a
link is found.
"""

from collections.abc import Sequence

from opilio.crawl.frontier.control import Control
from opilio.crawl.plan import CrawlPlan
from opilio.crawl.scope.rules import Excluded, ExcludedUrl, TakenBack
from opilio.crawl.scope.verdict import Candidate, Rule, Verdict, Word
from opilio.kernel.urls import canonical

_WANTED = Verdict(accepted=True, rule="none")


class Exclusions:
    """The exclusions of one moment: expressions, canonical URLs, and expressions that take back."""

    def __init__(
        self, *, patterns: Sequence[str] = (), urls: frozenset[str] = frozenset(), include: Sequence[str] = ()
    ) -> None:
        self._rules: tuple[Rule, ...] = ()
        if patterns or urls:
            self._rules = (Excluded(patterns), ExcludedUrl(urls=urls), TakenBack(include))

    def reason(self, url: str) -> str:
        """Why a canonical URL is excluded; empty if it is not."""
        if not self._rules:
            return ""
        candidate, verdict = Candidate(url=url, seed=0, depth=0), _WANTED
        for rule in self._rules:
            said = rule.judge(candidate, verdict)
            if said.word is not Word.PASS:
                verdict = Verdict(accepted=said.word is Word.ACCEPT, rule=rule.name, reason=said.reason)
        return "" if verdict.accepted else f"{verdict.reason}; excluded while the crawl ran"


NOTHING_EXCLUDED = Exclusions()


def exclusions_of(plan: CrawlPlan, control: Control) -> Exclusions:
    """What the orders to a crawl exclude."""
    urls = frozenset(canonical(url, plan.scope.query) for url in control.excluded_urls)
    return Exclusions(patterns=control.exclude, urls=urls, include=plan.scope.include)
