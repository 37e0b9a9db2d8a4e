"""The reports on quality: what was advised and decided, in all and result by result."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from opilio.curation.models import Advice, ResultState
from opilio.curation.queries.reviewed import advice_counts, reviewed
from opilio.curation.reports.declared import Asked, Bar, Cells, Column, Declared
from opilio.people.actor import Actor

_CHUNK = 2_000


def _found(actor: Actor, asked: Asked) -> Any:
    return reviewed(actor, since=asked.since, until=asked.until, agency=asked.agency, user=asked.user)


def _counts(actor: Actor, asked: Asked, most: int | None) -> Iterator[Cells]:
    for row in islice(advice_counts(_found(actor, asked)), most):
        yield (
            row.agency, row.advice.label, row.results, row.endorsed, row.rejected, row.waiting, row.by_rule,
            row.agreed, row.hours,
        )  # fmt: skip


def _bars(actor: Actor, asked: Asked) -> list[Bar]:
    found: Counter[Advice] = Counter()
    for row in advice_counts(_found(actor, asked)):
        found[row.advice] += row.results
    return [Bar(label=advice.label, value=found[advice]) for advice in Advice if found[advice]]


def _rows(actor: Actor, asked: Asked, most: int | None) -> Iterator[Cells]:
    found = _found(actor, asked)
    for row in found[:most] if most is not None else found.iterator(chunk_size=_CHUNK):
        made = getattr(row, "assessment", None)
        harvest = row.harvest
        yield (
            row.pk, harvest.pk, row.number, harvest.abstract_target.name, harvest.agency.name, row.made_at,
            Advice(made.advice).label if made else "", made.headline if made else "",
            None if made is None or made.completeness is None else round(100 * made.completeness, 1),
            ResultState(row.state).label, row.decided_at, row.decided_by.username if row.decided_by else "",
        )  # fmt: skip


_TIME = ("since", "until", "agency", "user")
QUALITY = Declared(
    name="quality", label="Quality",
    sentence="What was recommended of results made in a time, what people decided, and how long it took.",
    parameters=_TIME, rows=_counts, bars=_bars, measure="results by advice",
    columns=(
        Column(name="agency", label="Agency"), Column(name="advice", label="Advice"),
        Column(name="results", label="Results", numeric=True), Column(name="endorsed", label="Endorsed", numeric=True),
        Column(name="rejected", label="Rejected", numeric=True), Column(name="waiting", label="Waiting", numeric=True),
        Column(name="by_rule", label="Endorsed by rule", numeric=True),
        Column(name="agreed", label="Advice followed, %", numeric=True),
        Column(name="hours", label="Hours to the decision", numeric=True),
    ),
)  # fmt: skip
REVIEWED = Declared(
    name="reviewed", label="Reviewed results",
    sentence="Each result made in a time, with what was recommended and what became of it.",
    parameters=_TIME, rows=_rows,
    columns=(
        Column(name="id", label="Result"), Column(name="harvest", label="Harvest"),
        Column(name="number", label="Number", numeric=True), Column(name="target", label="Target"),
        Column(name="agency", label="Agency"), Column(name="made", label="Made"),
        Column(name="advice", label="Advice"), Column(name="headline", label="Why"),
        Column(name="completeness", label="Complete, %", numeric=True), Column(name="state", label="State"),
        Column(name="decided", label="Decided"), Column(name="by", label="By"),
    ),
)  # fmt: skip
