"""The report of a crawl as one page: HTML that needs nothing from outside and runs no script, light and dark."""

from collections.abc import Mapping
from typing import Any

from opilio.works import crawl_report_sections as sections
from opilio.works.crawl_report_odd import odd_urls, outside
from opilio.works.crawl_report_style import STYLE
from opilio.works.markup import Markup, joined, tag

#: Nothing is loaded and nothing runs, whatever a crawled page may have smuggled into its title.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_SECTIONS = (
    ("outcomes", "Outcomes", sections.outcomes),
    ("time", "Over time", sections.over_time),
    ("coverage", "Coverage", sections.coverage),
    ("broken", "Broken links", sections.broken),
    ("redirects", "Redirects", sections.redirects),
    ("robots", "Denied by robots.txt", sections.robots),
    ("scope", "Denied by the scope", sections.denials),
    ("outside", "Hosts outside", outside),
    ("traps", "Traps", sections.traps),
    ("odd", "Odd URLs", odd_urls),
    ("limits", "Limits", sections.limits),
    ("hosts", "Hosts", sections.hosts),
    ("content", "Types and sizes", sections.content),
    ("depth", "Depth and language", sections.depth),
    ("troubles", "URLs to look at", sections.troubles),
)


def html_report(report: Mapping[str, Any]) -> str:
    """The page of a report document."""
    title = f"Crawl of {sections.subject(report)}"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="robots", content="noindex"),
        tag("title", title),
        tag("style", Markup(STYLE)),
    )
    made = [(name, heading, draw(report)) for name, heading, draw in _SECTIONS]
    body = tag(
        "body",
        tag("a", "Skip to the report", href="#report", class_="skip"),
        tag("header", tag("h1", title), sections.summary(report)),
        tag("nav", tag("ul", *(_link(name, heading) for name, heading, _ in made)), aria_label="Sections"),
        tag("main", sections.figures(report), *(_section(*each) for each in made), id="report"),
        tag("footer", tag("p", f"Made by Opilio at {report['made']} from committed rows of the crawl store.")),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _link(name: str, heading: str) -> Markup:
    return tag("li", tag("a", heading, href=f"#{name}"))


def _section(name: str, heading: str, content: Markup) -> Markup:
    return tag("section", tag("h2", heading, id=name), joined(content), aria_labelledby=name)
