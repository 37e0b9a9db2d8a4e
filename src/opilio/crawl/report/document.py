"""Puts the report together; docs/reference/report.md says what each field means."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from opilio.crawl.engine.ending import Ended
from opilio.crawl.frontier.rows import Counts
from opilio.crawl.malformed import MALFORMED
from opilio.crawl.plan import Limits
from opilio.crawl.report import coverage, questions, url_forms
from opilio.crawl.report.limits import limits_of
from opilio.crawl.report.link_graph import LinkGraph, failed_seeds, link_graph
from opilio.crawl.report.source import ReportSource, Section, listed
from opilio.crawl.report.wording import fit

REPORT_VERSION = 3
_MOST_SEEDS = 1_000
_TRAP = "trap "  # how the rules of traps begin


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What the parts of a report are made from; what several need is made once."""

    source: ReportSource
    now: float
    ended: Ended | None = None
    limits: Limits | None = None

    @cached_property
    def counts(self) -> Counts:
        return self.source.counts(self.now)

    @cached_property
    def in_force(self) -> list[Section]:
        return limits_of(self.source, self.limits or self.source.plan.limits, self.counts)

    @cached_property
    def graph(self) -> LinkGraph:
        return link_graph(self.source)

    @cached_property
    def denials(self) -> list[Section]:
        return _denials(self.source, self.counts)


def report_of(source: ReportSource, *, now: float, ended: Ended | None = None, limits: Limits | None = None) -> Section:
    """The report, made from committed rows; `limits` are those in force, if orders changed the plan's."""
    asked = _Asked(source=source, now=now, ended=ended, limits=limits)
    return {**_numbers(source, asked.counts, now), **{name: make(asked) for name, make in _PARTS.items()}}


def parts_of(source: ReportSource, names: Collection[str], *, now: float, limits: Limits | None = None) -> Section:
    """The numbers of a report and some of its parts, for those who need no more: a walk through all links costs."""
    asked = _Asked(source=source, now=now, limits=limits)
    made = {name: make(asked) for name, make in _PARTS.items() if name in names}
    return {**_numbers(source, asked.counts, now), **made}


#: What each field of a report is made by, in the order of the document.
_PARTS: dict[str, Callable[[_Asked], Any]] = {
    "state": lambda asked: _state(asked.counts, asked.in_force, asked.ended),
    "ended": lambda asked: asked.ended.ending.value if asked.ended else None,
    "limit": lambda asked: asked.ended.limit if asked.ended else "",
    "outcomes": lambda asked: dict(asked.counts.outcomes),
    "reasons": lambda asked: questions.reasons(asked.source),
    "statuses": lambda asked: {str(status): number for status, number in sorted(asked.counts.statuses.items())},
    "types": lambda asked: dict(asked.counts.types),
    "by_type": lambda asked: questions.by_type(asked.source),
    "by_mime": lambda asked: questions.by_mime(asked.source),
    "sizes": lambda asked: questions.sizes(asked.source),
    "depths": lambda asked: questions.depths(asked.source),
    "languages": lambda asked: questions.languages(asked.source),
    "over_time": lambda asked: questions.over_time(asked.source),
    "response_times": lambda asked: questions.response_times(asked.source),
    "seeds": lambda asked: _seeds(asked.source, asked.counts),
    "by_host": lambda asked: questions.hosts(asked.source),
    "slow_hosts": lambda asked: questions.slow_hosts(asked.source),
    "limits": lambda asked: asked.in_force,
    "over_limit": lambda asked: questions.over_limit(asked.source),
    "cut_off": lambda asked: questions.cut_off(asked.source),
    "failed_seeds": lambda asked: failed_seeds(asked.source),
    "broken_links": lambda asked: asked.graph.broken,
    "redirects": lambda asked: questions.redirects(asked.source),
    "robots_denied": lambda asked: questions.robots_denied(asked.source),
    "denials": lambda asked: [each for each in asked.denials if not each["rule"].startswith(_TRAP)],
    "off_scope": lambda asked: _off_scope(asked),
    "traps": lambda asked: {
        "rules": [each for each in asked.denials if each["rule"].startswith(_TRAP)],
        "pages": questions.traps(asked.source),
    },
    "long_urls": lambda asked: url_forms.long_urls(asked.source),
    "repeating_patterns": lambda asked: url_forms.repeating_patterns(asked.source),
    "unknown_types": lambda asked: url_forms.unknown_types(asked.source),
    "coverage": lambda asked: {
        "sitemaps": coverage.of_sitemaps(asked.source),
        "links": coverage.of_links(asked.source, asked.counts, asked.graph.orphans),
    },
    "largest": lambda asked: questions.largest(asked.source),
    "troubles": lambda asked: questions.troubles(asked.source),
    "counters": lambda asked: dict(asked.counts.others),
}


def _off_scope(asked: _Asked) -> Section:
    """Links that a rule of the scope denied, and the hosts that they may lead to."""
    rules = [rule for rule in asked.counts.denials if not rule.startswith(_TRAP) and rule != MALFORMED]
    return {"links": sum(asked.counts.denials[rule] for rule in rules), "hosts": asked.graph.outside}


def _numbers(source: ReportSource, counts: Counts, now: float) -> Section:
    seconds = counts.seconds
    return {
        "version": REPORT_VERSION,
        "made": datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds"),
        "scope": source.plan.scope.kind.value,
        "seconds": round(seconds, 3),
        "pages": counts.pages,
        "counted": counts.counted,
        "bytes": counts.bytes,
        "waiting": counts.waiting,
        "hosts": counts.hosts,
        "pages_per_second": round(counts.pages / seconds, 2) if seconds else None,
        "bytes_per_second": round(counts.bytes / seconds) if seconds else None,
    }


def _state(counts: Counts, limits: list[Section], ended: Ended | None) -> str:
    """In one word, how far the crawl is."""
    if ended is not None:
        return ended.ending.value
    if counts.workers:
        return "running"
    if not counts.waiting:
        return "finished"
    return "limit" if any(each["hit"] for each in limits) else "stopped"


def _seeds(source: ReportSource, counts: Counts) -> Section:
    seeds = source.plan.seeds
    shown = [
        {"url": fit(seed.url), "active": seed.active, "pages": counts.seeds.get(number, 0)}
        for number, seed in enumerate(seeds[:_MOST_SEEDS])
    ]
    return listed(len(seeds), shown)


def _denials(source: ReportSource, counts: Counts) -> list[Section]:
    """How often each rule denied a link, with examples; the most frequent first."""
    examples: dict[str, list[dict[str, str]]] = {}
    for denial in source.denials():
        examples.setdefault(denial.rule, []).append({"url": fit(denial.url), "parent": fit(denial.parent)})
    rules = sorted({*counts.denials, *examples}, key=lambda rule: (-counts.denials.get(rule, 0), rule))
    return [
        {"rule": fit(rule), "count": counts.denials.get(rule, 0), "examples": examples.get(rule, [])}
        for rule in rules[: questions.MOST_LISTED]
    ]
