"""Reports on what came: status codes, outcomes, media types, sizes, types that nobody knows."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus

from opilio.crawl.outcomes import Outcome
from opilio.works.crawl_report_tables import size
from opilio.works.harvest_reports.declared import Cells, Column, Form, HarvestReport, Part
from opilio.works.harvest_reports.links import MOST_BARS, bars
from opilio.works.markup import Markup
from opilio.works.plots import Bar, bar_chart, histogram, stacked_bar

_PHRASES = {str(one.value): one.phrase for one in HTTPStatus}
_CLASSES = {"1": "informational", "2": "successful", "3": "redirects", "4": "errors of the request",
            "5": "errors of the server"}  # fmt: skip


def _statuses(part: Part, _: int) -> Iterator[Cells]:
    whole = sum(part["statuses"].values()) or 1
    for status, number in sorted(part["statuses"].items(), key=lambda one: -one[1]):
        yield int(status), _PHRASES.get(status, ""), number, number / whole


def _status_plots(part: Part, _: int) -> list[Markup]:
    if not part["statuses"]:
        return []
    kinds: dict[str, int] = {}
    for status, number in part["statuses"].items():
        label = _CLASSES.get(status[:1], "others")
        kinds[label] = kinds.get(label, 0) + number
    whole = stacked_bar("Answers by class", [Bar(label=label, value=number) for label, number in kinds.items()])
    return [whole, *bars("Answers by status", sorted(part["statuses"].items(), key=lambda one: -one[1]))]


def _outcomes(part: Part, _: int) -> Iterator[Cells]:
    for each in part["reasons"]:
        yield each["outcome"] or "lost", _meaning(each["outcome"]), each["reason"], each["count"], each["example"]


def _outcome_plots(part: Part, _: int) -> list[Markup]:
    found = sorted(part["outcomes"].items(), key=lambda one: -one[1])
    parts = [Bar(label=name, value=number) for name, number in found if number > 0]
    return [stacked_bar("URLs by outcome", parts)] if parts else []


def _meaning(outcome: str | None) -> str:
    return Outcome(outcome).sentence if outcome in set(Outcome) else "Its record was lost; it is to be fetched again."


def _types(part: Part, _: int) -> Iterator[Cells]:
    for each in part["by_mime"]:
        yield each["mime"], each["type"], each["count"], each["bytes"], each["largest"]


def _type_plots(part: Part, _: int) -> list[Markup]:
    rows = part["by_mime"][:MOST_BARS]
    if not rows:
        return []
    heavy = sorted(rows, key=lambda one: -one["bytes"])
    weighed = [Bar(label=one["mime"], value=one["bytes"], shown=size(one["bytes"])) for one in heavy]
    return [*bars("Answers by media type", [(one["mime"], one["count"]) for one in rows]),
            bar_chart("Bytes by media type", weighed)]  # fmt: skip


def _sizes(part: Part, _: int) -> Iterator[Cells]:
    return ((each["url"], each["type"], each["bytes"]) for each in part["largest"])


def _size_plots(part: Part, _: int) -> list[Markup]:
    found = part["sizes"]
    if not sum(found["counts"]):
        return []
    labels = ends_of([None if end is None else size(end) for end in found["below"]])
    return [histogram("Answers by size", bins(labels, found["counts"]))]


def _unknown(part: Part, _: int) -> Iterator[Cells]:
    for each in part["unknown_types"]["listed"]:
        yield each["url"], each["type"], each["bytes"], each["status"]


def _unknown_plots(part: Part, _: int) -> list[Markup]:
    sums: dict[str, int] = {}
    for each in part["unknown_types"]["groups"]:
        sums[each["host"]] = sums.get(each["host"], 0) + each["count"]
    pairs: list[tuple[str, float]] = sorted(sums.items(), key=lambda one: (-one[1], one[0]))
    return bars("Answers of unknown type by host", pairs)


def ends_of(ends: Sequence[str | None]) -> list[str]:
    """Labels of bins: each below its end, the last one open."""
    before = next((end for end in reversed(ends[:-1]) if end), "")
    return [f"<{end}" if end else f"≥{before}" for end in ends]


def bins(labels: Sequence[str], counts: Sequence[int]) -> list[Bar]:
    return [Bar(label=label, value=number) for label, number in zip(labels, counts, strict=True)]


REPORTS = (
    HarvestReport(
        name="status-codes", label="Status codes", counts=("answer", "answers"),
        sentence="What servers answered, by status.", nothing="No server has answered yet.",
        parts=("statuses",), rows=_statuses, plots=_status_plots, total=lambda part, _: sum(part["statuses"].values()),
        columns=(
            Column(name="status", label="Status", form=Form.NUMBER), Column(name="meaning", label="Meaning"),
            Column(name="answers", label="Answers", form=Form.NUMBER),
            Column(name="share", label="Share", form=Form.SHARE),
        ),
    ),
    HarvestReport(
        name="outcomes", label="Outcomes", counts=("URL", "URLs"), sentence="What became of the URLs, and why.",
        nothing="No URL has an outcome yet.", parts=("outcomes", "reasons"), rows=_outcomes, plots=_outcome_plots,
        total=lambda part, _: sum(part["outcomes"].values()),
        columns=(
            Column(name="outcome", label="Outcome"), Column(name="meaning", label="Meaning"),
            Column(name="reason", label="Reason"), Column(name="urls", label="URLs", form=Form.NUMBER),
            Column(name="example", label="Example", form=Form.URL),
        ),
    ),
    HarvestReport(
        name="types", label="Media types", counts=("answer", "answers"),
        sentence="What kinds of things came, and how large: by the media type that was recognised.",
        nothing="Nothing came yet.", parts=("by_mime",), rows=_types, plots=_type_plots,
        total=lambda part, _: sum(each["count"] for each in part["by_mime"]),
        columns=(
            Column(name="mime", label="Media type"), Column(name="kind", label="Kind"),
            Column(name="answers", label="Answers", form=Form.NUMBER),
            Column(name="bytes", label="Bytes", form=Form.BYTES),
            Column(name="largest", label="Largest", form=Form.BYTES),
        ),
    ),
    HarvestReport(
        name="sizes", label="Sizes", counts=("answer", "answers"),
        sentence="How large answers are, and the largest of them.", nothing="Nothing came yet.",
        parts=("sizes", "largest"), rows=_sizes, plots=_size_plots, total=lambda part, _: sum(part["sizes"]["counts"]),
        columns=(
            Column(name="url", label="URL", form=Form.URL), Column(name="kind", label="Kind"),
            Column(name="bytes", label="Bytes", form=Form.BYTES),
        ),
    ),
    HarvestReport(
        name="unknown-types", label="Unknown types", counts=("answer", "answers"),
        sentence="Answers that were kept and whose type neither header, content nor name told.",
        nothing="The type of everything that was kept is known.", parts=("unknown_types",), rows=_unknown,
        plots=_unknown_plots, total=lambda part, _: int(part["unknown_types"]["total"]),
        columns=(
            Column(name="url", label="URL", form=Form.URL), Column(name="kind", label="Broad kind"),
            Column(name="bytes", label="Bytes", form=Form.BYTES),
            Column(name="status", label="Status", form=Form.NUMBER),
        ),
    ),
)  # fmt: skip
