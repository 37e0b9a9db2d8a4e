"""The sections of a report page, each drawn from its part of the report document."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from opilio.crawl.outcomes import Outcome
from opilio.works.crawl_report_tables import (
    count,
    folded,
    milliseconds,
    nothing,
    shown_of,
    size,
    span,
    table,
    url,
    word,
)
from opilio.works.markup import Markup, joined, tag
from opilio.works.plots import Bar, bar_chart, histogram, stacked_bar, time_line

Report = Mapping[str, Any]
_MOST_BARS = 15
_STATES = {
    "finished": "It is finished: nothing more is to be fetched.",
    "limit": "It reached a limit.",
    "stopped": "It was stopped, and can be resumed.",
    "aborted": "It was stopped at once, and can be resumed.",
    "running": "It is running; the numbers are those of its last commit.",
}


def subject(report: Report) -> str:
    """What was crawled, in a few words."""
    seeds = report["seeds"]
    first = seeds["listed"][0]["url"] if seeds["listed"] else "nothing"
    return first if seeds["total"] <= 1 else f"{first} and {count(seeds['total'] - 1)} more"


def summary(report: Report) -> Markup:
    """How far the crawl is, in a sentence."""
    state = _STATES.get(report["state"], report["state"])
    if report["limit"]:
        state = f"It reached its limit of {report['limit']}."
    return tag("p", tag("span", report["state"], class_=f"state {report['state']}"), f" {state}")


def figures(report: Report) -> Markup:
    """The numbers that matter most."""
    rate = report["pages_per_second"]
    pairs = [
        ("URLs recorded", count(report["pages"])),
        ("pages", count(report["counted"])),
        ("received", size(report["bytes"])),
        ("waiting", count(report["waiting"])),
        ("hosts", count(report["by_host"]["total"])),
        ("broken URLs", count(report["broken_links"]["total"])),
        ("time at work", span(report["seconds"])),
        ("URLs per second", f"{rate:,.1f}" if rate is not None else "–"),
    ]
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs), class_="figures")


def outcomes(report: Report) -> Markup:
    """What became of the URLs, and why."""
    parts = sorted(report["outcomes"].items(), key=lambda each: -each[1])
    if not parts:
        return nothing("No URL has an outcome yet.")
    plot = stacked_bar("URLs by outcome", [Bar(label=name, value=number) for name, number in parts if number > 0])
    statuses = [Bar(label=status, value=number) for status, number in report["statuses"].items()]
    rows = [
        (each["outcome"], _sentence(each["outcome"]), word(each["reason"]), count(each["count"]), url(each["example"]))
        for each in report["reasons"]
    ]
    columns = ("outcome", "meaning", "reason", "URLs", "example")
    return joined(
        plot,
        bar_chart("Answers by status", statuses[:_MOST_BARS]) if statuses else None,
        table("Outcomes with their reasons", columns, rows, numeric=(3,)),
    )


def over_time(report: Report) -> Markup:
    """Pace from the first answer to the last."""
    found = report["over_time"]
    if found is None:
        return nothing("Nothing was fetched yet.")
    ends = (_moment(found["begin"]), _moment(found["end"]))
    width = found["width"]
    return joined(
        time_line("URLs per second", [each / width for each in found["pages"]], ends, lambda value: f"{value:,.1f}/s"),
        time_line(
            "Bytes per second", [each / width for each in found["bytes"]], ends, lambda value: f"{size(value)}/s"
        ),
    )


def coverage(report: Report) -> Markup:
    """How much of what is known was fetched."""
    links, maps = report["coverage"]["links"], report["coverage"]["sitemaps"]
    known = [
        Bar(label="have an outcome", value=links["recorded"]),
        Bar(label="wait", value=max(links["known"] - links["recorded"], 0)),
    ]
    made = [
        tag("h3", "Against the links"),
        stacked_bar("Known URLs", known),
        shown_of(links["orphans"], "Orphans, pages that a sitemap leads to and no page links to"),
        _urls("Orphan pages", links["orphans"]["listed"]),
        tag("h3", "Against the sitemaps"),
    ]
    if maps is None:
        return joined(*made, nothing("No sitemap was read."))
    others = [Bar(label=name, value=number) for name, number in maps["outcomes"].items() if name not in _KEPT]
    parts = [
        Bar(label="fetched", value=maps["fetched"]),
        *others,
        Bar(label="waiting", value=maps["waiting"]),
        Bar(label="out of scope", value=maps["out_of_scope"]),
    ]
    missing = [(url(each["url"]), each["why"]) for each in maps["not_fetched"]["listed"]]
    return joined(
        *made,
        tag("p", "URLs in ", tag("b", count(maps["files"])), " sitemap files: ", tag("b", count(maps["urls"])), "."),
        stacked_bar("URLs in sitemaps", [part for part in parts if part.value]),
        shown_of(maps["not_fetched"], "Listed and not fetched"),
        folded("Listed and not fetched", table("Listed and not fetched", ("URL", "why"), missing)) if missing else None,
        shown_of(maps["in_no_sitemap"], "Fetched pages that no sitemap lists"),
        _urls("Pages in no sitemap", maps["in_no_sitemap"]["listed"]),
    )


def broken(report: Report) -> Markup:
    """Seeds that failed, and links that lead nowhere with the pages to mend."""
    found, seeds = report["broken_links"], report["failed_seeds"]
    failed = [(url(each["url"]), word(each["reason"] or each["outcome"])) for each in seeds["listed"]]
    first = (
        joined(shown_of(seeds, "Failed seeds"), table("Failed seeds", ("URL", "what came"), failed)) if failed else None
    )
    if not found["total"]:
        return joined(first, nothing("No broken link was found."))
    rows = [
        (url(each["url"]), word(each["reason"] or each["outcome"]), count(each["pages"]), _parents(each))
        for each in found["listed"]
    ]
    return joined(
        first,
        shown_of(found, f"Broken URLs, to which {count(found['links'])} links lead"),
        table("Broken links", ("URL", "what came", "pages", "linked from"), rows, numeric=(2,)),
    )


def redirects(report: Report) -> Markup:
    """URLs for which another was named."""
    found = report["redirects"]
    rows = [(url(each["url"]), each["status"], url(each["to"])) for each in found["listed"]]
    if not rows:
        return nothing("No URL was redirected.")
    return joined(shown_of(found, "Redirected URLs"), table("Redirects", ("URL", "status", "to"), rows))


def robots(report: Report) -> Markup:
    """What robots.txt forbade, by its lines."""
    found = report["robots_denied"]
    rows = [
        (word(each["host"]), tag("code", each["line"] or each["reason"]), count(each["count"]), url(each["example"]))
        for each in found["lines"]
    ]
    if not rows:
        return nothing("robots.txt forbade nothing that was asked for.")
    return joined(
        tag("p", "URLs that were not asked for: ", tag("b", count(found["total"])), "."),
        table("Lines of robots.txt that decided", ("host", "line", "URLs", "example"), rows, numeric=(2,)),
    )


def denials(report: Report) -> Markup:
    """Links that the scope's rules rejected."""
    return _rules("Rules that rejected links", report["denials"]) or nothing("The scope rejected no link.")


def traps(report: Report) -> Markup:
    """What looked like pages without end."""
    rules, pages = report["traps"]["rules"], report["traps"]["pages"]
    if not rules and not pages["total"]:
        return nothing("Nothing looked like a trap.")
    return joined(_rules("Rules that recognised a trap", rules), _outcome_rows("URLs recorded as traps", pages))


def limits(report: Report) -> Markup:
    """Limits with what counts under them, and what they cost."""
    rows = [
        (word(each["limit"]), count(each["most"]), count(each["reached"]), "reached" if each["hit"] else "not reached")
        for each in report["limits"]
    ]
    return joined(
        table("Limits", ("limit", "at most", "so far", "state"), rows, numeric=(1, 2))
        if rows
        else nothing("No limit is set."),
        _outcome_rows("URLs that a limit kept out", report["over_limit"]),
        _outcome_rows("Answers that were cut off", report["cut_off"]),
    )


def hosts(report: Report) -> Markup:
    """Who was asked, and how quick they were."""
    times = report["response_times"]
    labels = [*(f"{end / 1000:g}" for end in times["below"][:-1]), "more"]
    everywhere = histogram("Seconds until an answer was whole, below", _bars(labels, times["counts"]))
    own = [histogram(f"The same of {each['host']}", _bars(labels, each["counts"])) for each in times["hosts"]]
    return joined(
        everywhere if any(times["counts"]) else None,
        folded("Response times of each host", *own) if len(own) > 1 else None,
        _host_table("Slow hosts", report["slow_hosts"]),
        folded("All hosts", shown_of(report["by_host"], "Hosts"), _host_table("Hosts", report["by_host"]["listed"])),
    )


def content(report: Report) -> Markup:
    """What came, and how large it is."""
    kinds = report["by_type"]
    if not kinds:
        return nothing("Nothing was fetched yet.")
    rows = [(each["type"], count(each["count"]), size(each["bytes"]), size(each["largest"])) for each in kinds]
    below = [size(end).replace(".0", "") for end in report["sizes"]["below"][:-1]]
    sizes = _bars([*below, "more"], report["sizes"]["counts"])
    biggest = [(url(each["url"]), each["type"], size(each["bytes"])) for each in report["largest"]]
    return joined(
        bar_chart("Answers by type", [Bar(label=each["type"], value=each["count"]) for each in kinds[:_MOST_BARS]]),
        bar_chart(
            "Bytes by type",
            [Bar(label=each["type"], value=each["bytes"], shown=size(each["bytes"])) for each in kinds[:_MOST_BARS]],
        ),
        histogram("Sizes of answers, below", sizes),
        table("Types", ("type", "answers", "bytes", "largest"), rows, numeric=(1, 2, 3)),
        folded("Largest answers", table("Largest answers", ("URL", "type", "bytes"), biggest, numeric=(2,))),
    )


def depth(report: Report) -> Markup:
    """How far from the seeds, and in which languages."""
    found = report["depths"]
    bars = [Bar(label=str(each["depth"]), value=each["pages"]) for each in found[:_MOST_BARS]]
    deeper = sum(each["pages"] for each in found[_MOST_BARS:])
    bars += [Bar(label="more", value=deeper)] if deeper else []
    spoken = [Bar(label=each["language"] or "not known", value=each["count"]) for each in report["languages"]]
    return joined(
        histogram("Pages by links from the seed", bars) if bars else nothing("Nothing was fetched yet."),
        bar_chart("Pages by language", spoken[:_MOST_BARS]) if spoken else None,
    )


def troubles(report: Report) -> Markup:
    """URLs whose outcome somebody should know of."""
    return _outcome_rows("URLs that did not come as they should", report["troubles"]) or nothing("There are none.")


_KEPT = frozenset({"fetched", "unchanged", "duplicate"})


def _outcome_rows(caption: str, found: Mapping[str, Any]) -> Markup | None:
    if not found["total"]:
        return None
    rows = [(url(each["url"]), each["outcome"], word(each["reason"])) for each in found["listed"]]
    return joined(
        tag("h3", caption),
        shown_of(found, "URLs"),
        folded("Show them", table(caption, ("URL", "outcome", "reason"), rows)),
    )


def _rules(caption: str, rules: Sequence[Mapping[str, Any]]) -> Markup | None:
    if not rules:
        return None
    rows = [
        (each["rule"], count(each["count"]), joined(*(tag("div", url(one["url"])) for one in each["examples"][:5])))
        for each in rules
    ]
    return table(caption, ("rule", "links", "examples"), rows, numeric=(1,))


def _host_table(caption: str, found: Sequence[Mapping[str, Any]]) -> Markup:
    rows = [
        (
            word(each["host"]), count(each["pages"]), size(each["bytes"]), count(each["errors"]),
            milliseconds(each["average_ms"]), milliseconds(each["longest_ms"]),
        )
        for each in found
    ]  # fmt: skip
    return table(caption, ("host", "URLs", "bytes", "errors", "average", "longest"), rows, numeric=(1, 2, 3, 4, 5))


def _urls(caption: str, found: Sequence[Mapping[str, Any]]) -> Markup | None:
    return (
        folded(caption, tag("ul", *(tag("li", url(each["url"])) for each in found), class_="urls")) if found else None
    )


def _parents(each: Mapping[str, Any]) -> Markup:
    more = each["pages"] - len(each["linked_from"])
    rest = tag("div", f"and {count(more)} more") if more > 0 else None
    return joined(*(tag("div", url(parent)) for parent in each["linked_from"]), rest)


def _bars(labels: Sequence[str], counts: Sequence[int]) -> list[Bar]:
    return [Bar(label=label, value=number) for label, number in zip(labels, counts, strict=True)]


def _sentence(outcome: str) -> str:
    return Outcome(outcome).sentence if outcome else "Its record was lost; it is to be fetched again."


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
