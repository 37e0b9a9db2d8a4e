"""Asks the rules in order; the last word wins."""

from collections.abc import Sequence
from datetime import date

from opilio.crawl.plan import CrawlPlan, limit
from opilio.crawl.scope import rules, traps
from opilio.crawl.scope.roots import root_of
from opilio.crawl.scope.verdict import ACCEPT, PASS, Candidate, Rule, Verdict, Word
from opilio.kernel.urls import canonical

_NOTHING = Verdict(accepted=False, rule="none", reason="no rule admits it")


class ScopeChain:
    """The rules of one plan. `widened` are further roots that redirected seeds brought (seed number → URLs)."""

    def __init__(self, plan: CrawlPlan, *, today: date, widened: Sequence[tuple[int, str]] = ()) -> None:
        self._rules: tuple[Rule, ...] = tuple(_rules(plan, today, widened))
        self._accepting = [(rule, Verdict(accepted=True, rule=rule.name)) for rule in self._rules]

    def judge(self, candidate: Candidate) -> Verdict:
        """The verdict, with the rule that had the last word."""
        verdict = _NOTHING
        for rule, plainly in self._accepting:
            said = rule.judge(candidate, verdict)
            if said is PASS:
                continue
            if said is ACCEPT:
                verdict = plainly
            elif said.word is not Word.PASS:
                accepted = said.word is Word.ACCEPT
                verdict = Verdict(accepted=accepted, rule=rule.name, reason=said.reason, outcome=said.outcome)
        return verdict

    @property
    def names(self) -> tuple[str, ...]:
        """The rules in their order."""
        return tuple(rule.name for rule in self._rules)


def _rules(plan: CrawlPlan, today: date, widened: Sequence[tuple[int, str]]) -> list[Rule]:
    scope = plan.scope
    roots = [[root_of(seed, scope)] for seed in plan.seeds]
    for number, url in widened:
        seed = plan.seeds[number]
        roots[number].append(root_of(type(seed)(url=url), scope))
    found: list[Rule] = [rules.WithinRoot(roots=roots)]
    if scope.surts:
        found.append(rules.UnderSurt(prefixes=scope.surts))
    found.append(rules.PartOfPage(most_hops=scope.max_embed_hops, offsite=scope.offsite_embeds))
    if scope.exclude:
        found.append(rules.Excluded(scope.exclude))
    if scope.excluded_urls:
        names = frozenset(canonical(url, scope.query) for url in scope.excluded_urls)
        found.append(rules.ExcludedUrl(urls=names))
    if scope.include:
        found.append(rules.TakenBack(scope.include))
    if scope.forbidden:
        found.append(rules.Forbidden(scope.forbidden))
    if any(seed.credential for seed in plan.seeds):
        logouts = [(seed.logout or rules.SIGN_OUT) if seed.credential else "" for seed in plan.seeds]
        found.append(rules.SignsOut(logouts))
    found.append(rules.WithinDepth(depths=[seed.depth for seed in plan.seeds]))
    most = limit(scope.max_path_depth)
    if most is not None:
        found.append(rules.WithinPathDepth(most=most))
    return [
        *found,
        traps.Shape(traps=scope.traps),
        traps.Calendar(traps=scope.traps, today=today),
    ]
