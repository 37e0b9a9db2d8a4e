"""Reports on links: broken ones, redirects, what lies outside the scope, what robots.txt forbids."""

from collections.abc import Iterator
from typing import Any

from opilio.crawl.outcomes import Outcome
from opilio.works.harvest_reports.declared import Cells, Column, Form, HarvestReport, Part
from opilio.works.markup import Markup
from opilio.works.plots import Bar, bar_chart

MOST_BARS = 15
_EXAMPLES = 3  # of a rule that are shown


def bars(caption: str, pairs: list[tuple[str, float]]) -> list[Markup]:
    """A chart of the largest, or none where there is nothing to compare."""
    return [bar_chart(caption, [Bar(label=label, value=value) for label, value in pairs[:MOST_BARS]])] if pairs else []


def _broken(part: Part, _: int) -> Iterator[Cells]:
    for each in part["broken_links"]["listed"]:
        came = each["reason"] or each["outcome"]
        yield each["url"], each["status"], came, each["pages"], tuple(each["linked_from"])


def _broken_plots(part: Part, _: int) -> list[Markup]:
    listed = part["broken_links"]["listed"]
    counts: dict[str, int] = {}
    for each in listed:
        label = _came(each)
        counts[label] = counts.get(label, 0) + 1
    pairs: list[tuple[str, float]] = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return bars("Broken URLs by what came", pairs)


def _came(each: Any) -> str:
    """What came in place of a page; a status that claims success is not told of one that says it does not exist."""
    if each["outcome"] == Outcome.SOFT_404:
        return "says that it does not exist"
    return f"status {each['status']}" if each["status"] else str(each["reason"] or each["outcome"])


def _redirects(part: Part, _: int) -> Iterator[Cells]:
    return ((each["url"], each["status"], each["to"]) for each in part["redirects"]["listed"])


def _off_scope(part: Part, _: int) -> Iterator[Cells]:
    for each in part["denials"]:
        yield each["rule"], each["count"], _urls(each, "url"), _urls(each, "parent")


def _outside(part: Part, _: int) -> Iterator[Cells]:
    for each in part["off_scope"]["hosts"]["listed"]:
        yield each["host"], each["links"], each["pages"], _urls(each, "url"), _urls(each, "parent")


def _robots(part: Part, _: int) -> Iterator[Cells]:
    for each in part["robots_denied"]["lines"]:
        yield each["host"], each["line"] or each["reason"], each["count"], each["example"]


def _urls(each: Any, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one[name] for one in each["examples"][:_EXAMPLES]))


REPORTS = (
    HarvestReport(
        name="broken-links", label="Broken links", counts=("broken URL", "broken URLs"),
        sentence="URLs that led nowhere, each with pages that link to it.", nothing="No broken link was found.",
        parts=("broken_links",), rows=_broken, plots=_broken_plots,
        total=lambda part, _: int(part["broken_links"]["total"]),
        columns=(
            Column(name="url", label="URL", form=Form.URL), Column(name="status", label="Status", form=Form.NUMBER),
            Column(name="came", label="What came"), Column(name="pages", label="Pages", form=Form.NUMBER),
            Column(name="linked_from", label="Linked from", form=Form.URLS),
        ),
    ),
    HarvestReport(
        name="redirects", label="Redirects", counts=("redirected URL", "redirected URLs"),
        sentence="URLs for which the server named another.", nothing="No URL was redirected.",
        parts=("redirects",), rows=_redirects, plots=lambda part, _: [],
        total=lambda part, _: int(part["redirects"]["total"]),
        columns=(
            Column(name="url", label="URL", form=Form.URL), Column(name="status", label="Status", form=Form.NUMBER),
            Column(name="to", label="To", form=Form.URL),
        ),
    ),
    HarvestReport(
        name="off-scope", label="Off scope", counts=("rule that rejected links", "rules that rejected links"),
        sentence="Links that the rules of the scope rejected, with examples and where they stand.",
        nothing="The scope rejected no link.", parts=("denials",), rows=_off_scope,
        total=lambda part, _: len(part["denials"]),
        plots=lambda part, _: bars("Rejected links by rule", [(one["rule"], one["count"]) for one in part["denials"]]),
        columns=(
            Column(name="rule", label="Rule"), Column(name="links", label="Links", form=Form.NUMBER),
            Column(name="examples", label="Examples", form=Form.URLS),
            Column(name="linked_from", label="Linked from", form=Form.URLS),
        ),
    ),
    HarvestReport(
        name="outside", label="Hosts outside", counts=("host", "hosts"),
        sentence="Hosts that pages link to, and of which nothing was asked for.",
        nothing="No page links to a host outside.", parts=("off_scope",), rows=_outside,
        total=lambda part, _: int(part["off_scope"]["hosts"]["total"]),
        plots=lambda part, _: bars(
            "Links by host outside", [(one["host"], one["links"]) for one in part["off_scope"]["hosts"]["listed"]]),
        columns=(
            Column(name="host", label="Host"), Column(name="links", label="Links", form=Form.NUMBER),
            Column(name="pages", label="Pages", form=Form.NUMBER),
            Column(name="examples", label="Examples", form=Form.URLS),
            Column(name="linked_from", label="Linked from", form=Form.URLS),
        ),
    ),
    HarvestReport(
        name="robots", label="Denied by robots.txt",
        counts=("URL that was not asked for", "URLs that were not asked for"),
        sentence="What robots.txt forbade, by the lines that decided.",
        nothing="robots.txt forbade nothing that was to be asked for.", parts=("robots_denied",), rows=_robots,
        total=lambda part, _: int(part["robots_denied"]["total"]),
        plots=lambda part, _: bars(
            "URLs by line of robots.txt",
            [(one["line"] or one["reason"], one["count"]) for one in part["robots_denied"]["lines"]]),
        columns=(
            Column(name="host", label="Host"), Column(name="line", label="Line"),
            Column(name="urls", label="URLs", form=Form.NUMBER),
            Column(name="example", label="Example", form=Form.URL),
        ),
    ),
)  # fmt: skip
