"""All reports; those that need no harvest are made here."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from opilio.curation.cron.errors import BadCron
from opilio.curation.cron.parsing import parse
from opilio.curation.cron.patterns import NAMES
from opilio.curation.cron.words import explain
from opilio.curation.queries.reports import pattern_names, schedules, schedules_by_pattern
from opilio.curation.reports.crawling import CRAWLING
from opilio.curation.reports.declared import Asked, Bar, Cells, Column, Declared, NoSuchReport
from opilio.curation.reports.quality import QUALITY, REVIEWED
from opilio.people.actor import Actor
from opilio.people.queries import usage
from opilio.people.remembering import once

_CHUNK = 2_000


def _read(rows: Any, most: int | None) -> Iterator[Any]:
    """The rows of a question, read in pieces; only as many as are wanted."""
    return iter(rows[:most]) if most is not None else rows.iterator(chunk_size=_CHUNK)


def _sessions(actor: Actor, asked: Asked) -> Any:
    return usage.sessions(actor, since=asked.since, until=asked.until, agency=asked.agency, user=asked.user)


def _usage(actor: Actor, asked: Asked, most: int | None) -> Iterator[Cells]:
    for row in _read(_sessions(actor, asked), most):
        agency = row.user.agency.name if row.user else ""
        yield (
            row.username, row.real_name, agency, row.signed_in_at, row.signed_out_at, row.duration_seconds,
            row.ended or "open", row.method,
        )  # fmt: skip


def _usage_bars(actor: Actor, asked: Asked) -> list[Bar]:
    found = usage.counted(_sessions(actor, asked), "signed_in_at", span=asked.span, total="duration_seconds")
    return [Bar(label=day, value=round(seconds / 3_600, 2)) for day, seconds in found]


def _entries(actor: Actor, asked: Asked) -> Any:
    return usage.activity(actor, since=asked.since, until=asked.until, agency=asked.agency, user=asked.user)


def _activity(actor: Actor, asked: Asked, most: int | None) -> Iterator[Cells]:
    for row in _read(_entries(actor, asked), most):
        name = f"{row.first_name} {row.last_name}".strip()
        yield (
            row.id, row.at, row.username, name, row.agency_name, row.action, row.subject_type, row.subject_id,
            row.subject_name, row.message,
        )  # fmt: skip


def _activity_bars(actor: Actor, asked: Asked) -> list[Bar]:
    found = usage.counted(_entries(actor, asked), "at", span=asked.span)
    return [Bar(label=day, value=count) for day, count in found]


def _schedules(actor: Actor, asked: Asked, most: int | None) -> Iterator[Cells]:
    names = _names()
    rows = schedules(actor, agency=asked.agency, user=asked.user, kind=asked.kind)
    for row in _read(rows, most):
        subject = row.abstract_target
        yield (
            subject.id, subject.get_object_type_display(), subject.name, subject.agency.name, row.owner.username,
            row.start, row.end, _named(names, row.pattern), _words(row.cron), row.time_zone, row.next_time,
            "yes" if row.paused else "no",
        )  # fmt: skip


def _summary(actor: Actor, asked: Asked, most: int | None) -> Iterator[Cells]:
    names = _names()
    key = ("schedules by pattern", actor.user, asked.agency)  # the table and its bars are of one question
    found = once(key, lambda: schedules_by_pattern(actor, agency=asked.agency))
    return islice(((_named(names, number), *counts, counts[0] + counts[1]) for number, *counts in found), most)


def _summary_bars(actor: Actor, asked: Asked) -> list[Bar]:
    return [Bar(label=row[0], value=row[-1]) for row in _summary(actor, asked, None)]


def _names() -> dict[int, str]:
    return {number.value: name for number, name in NAMES.items()} | pattern_names()


def _named(names: dict[int, str], number: int) -> str:
    return names.get(number) or f"pattern {number}"


def _words(cron: str) -> str:
    try:
        return explain(parse(cron))
    except BadCron:
        return cron


_TIME = ("since", "until", "agency", "user")
REPORTS = (
    Declared(
        name="usage", label="System usage", sentence="Sign-in sessions of users, and how long they lasted.",
        parameters=_TIME, rows=_usage, bars=_usage_bars, measure="hours signed in",
        columns=(
            Column(name="user", label="User"), Column(name="name", label="Name"), Column(name="agency", label="Agency"),
            Column(name="signed_in", label="Signed in"), Column(name="signed_out", label="Signed out"),
            Column(name="seconds", label="Seconds", numeric=True), Column(name="ended", label="Ended"),
            Column(name="method", label="Method"),
        ),
    ),
    Declared(
        name="activity", label="System activity", sentence="What was done, by whom and to what.",
        parameters=_TIME, rows=_activity, bars=_activity_bars, measure="entries",
        columns=(
            Column(name="id", label="Number"), Column(name="at", label="When"), Column(name="user", label="User"),
            Column(name="name", label="Name"), Column(name="agency", label="Agency"),
            Column(name="action", label="Activity"), Column(name="subject_type", label="Kind of subject"),
            Column(name="subject_id", label="Subject number"), Column(name="subject", label="Subject"),
            Column(name="message", label="Message"),
        ),
    ),
    CRAWLING,
    QUALITY,
    REVIEWED,
    Declared(
        name="schedules", label="Schedules of targets and groups",
        sentence="Every schedule of an approved target or active group.", parameters=("agency", "user", "kind"),
        rows=_schedules,
        columns=(
            Column(name="id", label="Number"), Column(name="kind", label="Kind"), Column(name="subject", label="Name"),
            Column(name="agency", label="Agency"), Column(name="owner", label="Owner"),
            Column(name="from", label="From"), Column(name="to", label="To"), Column(name="pattern", label="Pattern"),
            Column(name="schedule", label="Schedule"), Column(name="zone", label="Time zone"),
            Column(name="next", label="Next after what is planned"), Column(name="paused", label="Paused"),
        ),
    ),
    Declared(
        name="summary", label="Summary of schedules", sentence="How many schedules there are of each pattern.",
        parameters=("agency",), rows=_summary, bars=_summary_bars, measure="schedules",
        columns=(
            Column(name="pattern", label="Pattern"), Column(name="targets", label="Of targets", numeric=True),
            Column(name="groups", label="Of groups", numeric=True),
            Column(name="paused", label="Paused among them", numeric=True),
            Column(name="all", label="All", numeric=True),
        ),
    ),
)  # fmt: skip
BY_NAME = {report.name: report for report in REPORTS}


def named(name: str) -> Declared:
    """The report of this name."""
    found = BY_NAME.get(name)
    if found is None:
        remedy = f"There are {', '.join(BY_NAME)}."
        raise NoSuchReport(f"there is no report {name[:64]!r}", where="reports", remedy=remedy)
    return found
