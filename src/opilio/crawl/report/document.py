"""Puts the report together; docs/reference/report.md says what each field means."""

from datetime import UTC, datetime

from opilio.crawl.engine.ending import Ended
from opilio.crawl.frontier.rows import Counts
from opilio.crawl.plan import Limits
from opilio.crawl.report import coverage, questions
from opilio.crawl.report.limits import limits_of
from opilio.crawl.report.link_graph import failed_seeds, link_graph
from opilio.crawl.report.source import ReportSource, Section, listed
from opilio.crawl.report.wording import fit

REPORT_VERSION = 2
_MOST_SEEDS = 1_000
_TRAP = "trap "  # how the rules of traps begin


def report_of(source: ReportSource, *, now: float, ended: Ended | None = None, limits: Limits | None = None) -> Section:
    """The report, made from committed rows; `limits` are those in force, if orders changed the plan's."""
    counts = source.counts(now)
    in_force = limits_of(source, limits or source.plan.limits, counts)
    broken, orphans = link_graph(source)
    denials = _denials(source, counts)
    return {
        **_numbers(source, counts, now),
        "state": _state(counts, in_force, ended),
        "ended": ended.ending.value if ended else None,
        "limit": ended.limit if ended else "",
        "outcomes": dict(counts.outcomes),
        "reasons": questions.reasons(source),
        "statuses": {str(status): number for status, number in sorted(counts.statuses.items())},
        "types": dict(counts.types),
        "by_type": questions.by_type(source),
        "sizes": questions.sizes(source),
        "depths": questions.depths(source),
        "languages": questions.languages(source),
        "over_time": questions.over_time(source),
        "response_times": questions.response_times(source),
        "seeds": _seeds(source, counts),
        "by_host": questions.hosts(source),
        "slow_hosts": questions.slow_hosts(source),
        "limits": in_force,
        "over_limit": questions.over_limit(source),
        "cut_off": questions.cut_off(source),
        "failed_seeds": failed_seeds(source),
        "broken_links": broken,
        "redirects": questions.redirects(source),
        "robots_denied": questions.robots_denied(source),
        "denials": [each for each in denials if not each["rule"].startswith(_TRAP)],
        "traps": {
            "rules": [each for each in denials if each["rule"].startswith(_TRAP)], "pages": questions.traps(source),
        },
        "coverage": {
            "sitemaps": coverage.of_sitemaps(source), "links": coverage.of_links(source, counts, orphans),
        },
        "largest": questions.largest(source),
        "troubles": questions.troubles(source),
        "counters": dict(counts.others),
    }  # fmt: skip


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
