"""Sections of a report page that reports of version 2 did not have: hosts outside, odd URLs. Of those they say so."""

from collections.abc import Mapping
from typing import Any

from opilio.works.crawl_report_tables import count, nothing, shown_of, size, table, url, word
from opilio.works.markup import Markup, joined, tag

_BEFORE = "An earlier version of Opilio made this report, and did not count this."


def outside(report: Mapping[str, Any]) -> Markup:
    """Hosts that pages link to, and of which nothing was asked for."""
    found = report.get("off_scope")
    if found is None:
        return nothing(_BEFORE)
    hosts = found["hosts"]
    if not hosts["total"]:
        return nothing("No page links to another host.")
    rows = [
        (word(each["host"]), count(each["links"]), count(each["pages"]),
         joined(*(tag("div", url(one["url"])) for one in each["examples"])))
        for each in hosts["listed"]
    ]  # fmt: skip
    return joined(
        shown_of(hosts, "Hosts that pages link to, and of which nothing was asked for"),
        table("Hosts outside", ("host", "links", "pages", "examples"), rows, numeric=(1, 2)),
    )


def odd_urls(report: Mapping[str, Any]) -> Markup:
    """Long URLs, paths that repeat themselves, answers of a type that nobody knows."""
    if "long_urls" not in report:
        return nothing(_BEFORE)
    return joined(_long(report["long_urls"]), _repeats(report["repeating_patterns"]), _unknown(report["unknown_types"]))


def _long(found: Mapping[str, Any]) -> Markup:
    rows = [(url(each["url"]), count(each["length"])) for each in found["listed"] if each["length"] > found["limit"]]
    caption = f"URLs of more than {found['limit']} characters"
    if not rows:
        return nothing(f"There are no {caption}.")
    return joined(
        shown_of({**found, "listed": rows}, caption), table(caption, ("URL", "characters"), rows, numeric=(1,))
    )


def _repeats(found: Mapping[str, Any]) -> Markup:
    if not found["total"]:
        return nothing("No path repeats itself.")
    rows = [
        (word(each["host"]), word(each["pattern"]), count(each["times"]), count(each["count"]), url(each["example"]))
        for each in found["listed"]
    ]
    columns = ("host", "what is repeated", "times", "URLs", "example")
    caption = "Paths that repeat themselves"
    return joined(
        shown_of(found, "Patterns of paths that repeat themselves"), table(caption, columns, rows, numeric=(2, 3))
    )


def _unknown(found: Mapping[str, Any]) -> Markup:
    if not found["total"]:
        return nothing("The type of everything that was kept is known.")
    rows = [(url(each["url"]), word(each["type"] or "none"), size(each["bytes"])) for each in found["listed"]]
    caption = "Answers of unknown type"
    return joined(shown_of(found, caption), table(caption, ("URL", "broad type", "bytes"), rows, numeric=(2,)))
