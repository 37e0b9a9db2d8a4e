"""Reports on URLs that are odd by their form: long ones, paths that repeat themselves, traps."""

import itertools
from collections.abc import Iterator

from opilio.crawl.report.url_forms import LONG
from opilio.works.harvest_reports.declared import Cells, Choice, Column, Form, HarvestReport, Part
from opilio.works.harvest_reports.links import bars
from opilio.works.markup import Markup
from opilio.works.plots import Bar, histogram

_ENDS = (100, 150, 200, 255, 500, 1_000, 2_000)
_EXAMPLES = 3


def _long(part: Part, limit: int) -> Iterator[Cells]:
    for each in part["long_urls"]["listed"]:
        if each["length"] > limit:
            yield each["url"], each["length"], each["outcome"] or "", each["status"]


def _longer(part: Part, limit: int) -> int:
    return sum(number for length, number in part["long_urls"]["lengths"] if length > limit)


def _long_plots(part: Part, _: int) -> list[Markup]:
    lengths = part["long_urls"]["lengths"]
    if not lengths:
        return []
    found = [
        Bar(label=f"{low + 1}–{high}", value=sum(number for length, number in lengths if low < length <= high))
        for low, high in itertools.pairwise(_ENDS)
    ]
    last = Bar(label=f"> {_ENDS[-1]}", value=sum(number for length, number in lengths if length > _ENDS[-1]))
    return [histogram("Long URLs by characters", [*found, last])]


def _repeats(part: Part, _: int) -> Iterator[Cells]:
    for each in part["repeating_patterns"]["listed"]:
        yield each["host"], each["pattern"], each["times"], each["count"], each["example"]


def _traps(part: Part, _: int) -> Iterator[Cells]:
    for each in part["traps"]["rules"]:
        yield each["rule"], each["count"], tuple(one["url"] for one in each["examples"][:_EXAMPLES])
    for each in part["traps"]["pages"]["listed"]:
        yield each["reason"] or each["outcome"], 1, (each["url"],)


REPORTS = (
    HarvestReport(
        name="long-urls", label="Long URLs", counts=("URL that is longer", "URLs that are longer"),
        sentence="URLs of more characters than you choose; often the sign of a session or a trap.",
        nothing="No URL is that long.", parts=("long_urls",), rows=_long, total=_longer, plots=_long_plots,
        choice=Choice(name="longer", label="Longer than (characters)", default=LONG, least=100, most=100_000),
        columns=(
            Column(name="url", label="URL", form=Form.URL),
            Column(name="characters", label="Characters", form=Form.NUMBER),
            Column(name="outcome", label="Outcome"), Column(name="status", label="Status", form=Form.NUMBER),
        ),
    ),
    HarvestReport(
        name="repeating-patterns", label="Repeating patterns", counts=("pattern", "patterns"),
        sentence="Paths in which the same segments stand several times in a row; often the sign of a wrong link.",
        nothing="No path repeats itself.", parts=("repeating_patterns",), rows=_repeats,
        total=lambda part, _: int(part["repeating_patterns"]["total"]),
        plots=lambda part, _: bars(
            "URLs by pattern",
            [(f"{one['host']} {one['pattern']}", one["count"]) for one in part["repeating_patterns"]["listed"]]),
        columns=(
            Column(name="host", label="Host"), Column(name="pattern", label="What is repeated"),
            Column(name="times", label="Times in a row", form=Form.NUMBER),
            Column(name="urls", label="URLs", form=Form.NUMBER),
            Column(name="example", label="Example", form=Form.URL),
        ),
    ),
    HarvestReport(
        name="traps", label="Traps", counts=("link or URL", "links and URLs"),
        sentence="What looked like pages without end, and was left out.", nothing="Nothing looked like a trap.",
        parts=("traps",), rows=_traps,
        total=lambda part, _: int(part["traps"]["pages"]["total"]) + sum(
            one["count"] for one in part["traps"]["rules"]),
        plots=lambda part, _: bars(
            "Links by what recognised the trap", [(one["rule"], one["count"]) for one in part["traps"]["rules"]]),
        columns=(
            Column(name="why", label="Why"), Column(name="links", label="Links", form=Form.NUMBER),
            Column(name="examples", label="Examples", form=Form.URLS),
        ),
    ),
)  # fmt: skip
