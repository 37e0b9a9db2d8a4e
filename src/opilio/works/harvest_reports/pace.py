"""Reports on hosts and time: who answered, how quickly, and how the harvest went on."""

from collections.abc import Iterator
from datetime import UTC, datetime

from opilio.works.crawl_report_tables import milliseconds, size
from opilio.works.harvest_reports.content import bins, ends_of
from opilio.works.harvest_reports.declared import Cells, Column, Form, HarvestReport, Part
from opilio.works.harvest_reports.links import MOST_BARS, bars
from opilio.works.markup import Markup
from opilio.works.plots import Bar, bar_chart, histogram, time_line


def _hosts(part: Part, _: int) -> Iterator[Cells]:
    for each in part["by_host"]["listed"]:
        yield each["host"], each["pages"], each["bytes"], each["errors"], each["average_ms"], each["longest_ms"]


def _host_plots(part: Part, _: int) -> list[Markup]:
    rows = part["by_host"]["listed"]
    if not rows:
        return []
    heavy = sorted(rows, key=lambda one: -one["bytes"])[:MOST_BARS]
    weighed = [Bar(label=one["host"], value=one["bytes"], shown=size(one["bytes"])) for one in heavy]
    return [*bars("URLs by host", [(one["host"], one["pages"]) for one in rows]), bar_chart("Bytes by host", weighed)]


def _times(part: Part, _: int) -> Iterator[Cells]:
    for each in part["slow_hosts"]:
        yield each["host"], each["pages"], each["average_ms"], each["longest_ms"]


def _time_plots(part: Part, _: int) -> list[Markup]:
    found = part["response_times"]
    if not sum(found["counts"]):
        return []
    labels = ends_of([None if end is None else f"{end}" for end in found["below"]])
    slow = [Bar(label=one["host"], value=one["average_ms"], shown=milliseconds(one["average_ms"]))
            for one in part["slow_hosts"][:MOST_BARS]]  # fmt: skip
    chart = [bar_chart("Average response time of the slowest hosts", slow)] if slow else []
    return [histogram("Answers by response time (ms)", bins(labels, found["counts"])), *chart]


def _spans(part: Part, _: int) -> Iterator[Cells]:
    found = part["over_time"]
    if found is None:
        return
    for number, (pages, received) in enumerate(zip(found["pages"], found["bytes"], strict=True)):
        yield found["begin"] + number * found["width"], pages, received


def _span_plots(part: Part, _: int) -> list[Markup]:
    found = part["over_time"]
    if found is None:
        return []
    ends, width = (_moment(found["begin"]), _moment(found["end"])), found["width"]
    return [
        time_line("URLs per second", [each / width for each in found["pages"]], ends, lambda value: f"{value:,.1f}/s"),
        time_line(
            "Bytes per second", [each / width for each in found["bytes"]], ends, lambda value: f"{size(value)}/s"
        ),
    ]


def _answered(part: Part, _: int) -> int:
    return sum(part["over_time"]["pages"]) if part["over_time"] else 0


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"


REPORTS = (
    HarvestReport(
        name="hosts", label="Hosts", counts=("host", "hosts"),
        sentence="Which hosts were asked, and what came from them.",
        nothing="No host was asked yet.", parts=("by_host",), rows=_hosts, plots=_host_plots,
        total=lambda part, _: int(part["by_host"]["total"]),
        columns=(
            Column(name="host", label="Host"), Column(name="urls", label="URLs", form=Form.NUMBER),
            Column(name="bytes", label="Bytes", form=Form.BYTES),
            Column(name="errors", label="Errors", form=Form.NUMBER),
            Column(name="average_ms", label="Average", form=Form.MILLISECONDS),
            Column(name="longest_ms", label="Longest", form=Form.MILLISECONDS),
        ),
    ),
    HarvestReport(
        name="response-times", label="Response times", counts=("answer", "answers"),
        sentence="How long servers took to answer, and the slowest of them.", nothing="No server has answered yet.",
        parts=("response_times", "slow_hosts"), rows=_times, plots=_time_plots,
        total=lambda part, _: sum(part["response_times"]["counts"]),
        columns=(
            Column(name="host", label="Host"), Column(name="urls", label="URLs", form=Form.NUMBER),
            Column(name="average_ms", label="Average", form=Form.MILLISECONDS),
            Column(name="longest_ms", label="Longest", form=Form.MILLISECONDS),
        ),
    ),
    HarvestReport(
        name="over-time", label="Over time", counts=("answer", "answers"),
        sentence="How quickly the harvest went on, from the first answer to the last.",
        nothing="Nothing came yet.", parts=("over_time",), rows=_spans, plots=_span_plots, total=_answered,
        columns=(
            Column(name="from", label="From", form=Form.MOMENT),
            Column(name="urls", label="URLs", form=Form.NUMBER), Column(name="bytes", label="Bytes", form=Form.BYTES),
        ),
    ),
)  # fmt: skip
