"""The report on what crawlers did: harvests that began, and whose run lies in a time told to the second."""

from collections.abc import Iterator
from typing import Any

from opilio.curation.queries.crawler_activity import bytes_by_day, runs
from opilio.curation.reports.declared import Asked, Bar, Cells, Column, Declared
from opilio.people.actor import Actor

_CHUNK = 2_000
_MEGABYTE = 1_000_000


def _runs(actor: Actor, asked: Asked) -> Any:
    return runs(actor, since=asked.since, until=asked.until, agency=asked.agency, user=asked.user)


def _rows(actor: Actor, asked: Asked, most: int | None) -> Iterator[Cells]:
    found = _runs(actor, asked)
    now = actor.clock.now()
    for row in found[:most] if most is not None else found.iterator(chunk_size=_CHUNK):
        figures = getattr(row, "figures", None)
        lasted = (row.ended_at or now) - row.started_at
        yield (
            row.pk, row.abstract_target.name, row.agency.name, row.owner.username, row.get_state_display(),
            row.started_at, row.ended_at, max(0, int(lasted.total_seconds())),
            figures.urls_down if figures else None, figures.data_amount if figures else None, row.agent_name,
        )  # fmt: skip


def _bars(actor: Actor, asked: Asked) -> list[Bar]:
    found = bytes_by_day(_runs(actor, asked), asked.span)
    return [Bar(label=day, value=round(size / _MEGABYTE, 2)) for day, _, size in found]


CRAWLING = Declared(
    name="crawling", label="Crawler activity",
    sentence="Harvests that ran in a time: when, for how long, on which agent, and what they brought.",
    parameters=("since", "until", "agency", "user"), rows=_rows, bars=_bars, measure="MB by day of the start",
    to_the_second=True,
    columns=(
        Column(name="id", label="Harvest"), Column(name="target", label="Target"),
        Column(name="agency", label="Agency"), Column(name="owner", label="Owner"),
        Column(name="state", label="State"), Column(name="started", label="Start"), Column(name="ended", label="End"),
        Column(name="seconds", label="Seconds", numeric=True), Column(name="urls", label="URLs", numeric=True),
        Column(name="bytes", label="Bytes", numeric=True), Column(name="agent", label="Agent"),
    ),
)  # fmt: skip
