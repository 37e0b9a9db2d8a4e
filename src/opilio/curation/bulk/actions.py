"""Bulk work: prepared with the rows that were chosen, started with arguments, stopped."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from opilio.curation.bulk import performing
from opilio.curation.bulk.arguments import values
from opilio.curation.bulk.errors import NothingSelected, NotStartable, TooManyRows
from opilio.curation.bulk.registry import noun_named
from opilio.curation.bulk.running import RunBulk, finish
from opilio.curation.bulk.tables.staging import Line
from opilio.curation.bulk.verbs import Verb
from opilio.curation.models import BulkItem, BulkRun, BulkState, Outcome
from opilio.jobs import queue
from opilio.jobs.words import storable
from opilio.people.acting import Act, action
from opilio.people.actor import Actor
from opilio.people.errors import NotFound

AT_ONCE = 100  # rows that are done while the asker waits; more become a job
MOST = 100_000  # rows of one piece of bulk work
_BATCH = 1_000
_PATIENCE = timedelta(minutes=5)


@action("bulk.prepare", "Choose rows for bulk work.")
def prepare_rows(act: Act, /, *, noun: str, verb: str, ids: Sequence[int], source: str = "") -> BulkRun:
    """Keeps which rows were chosen, of those that the asker may see, so that what is looked at is what is done."""
    chosen = noun_named(noun)
    _require_offered(act, chosen.verb(verb), verb)
    run = _prepared(act, noun, verb, _chosen(chosen.rows(act.actor), ids), source)
    if run.total == 0:
        raise NothingSelected(
            "No row is selected that you may see", where=noun, remedy=f"Choose {chosen.words[1]} and try again."
        )
    return run


@action("bulk.prepare_import", "Read a table of rows to be imported.")
def prepare_import(
    act: Act, /, *, noun: str, lines: Iterable[Line], arguments: Mapping[str, str], source: str = ""
) -> BulkRun:
    """Keeps the lines of a table, the unusable ones with their faults; nothing is made or changed yet."""
    verb = noun_named(noun).verb("import")
    _require_offered(act, verb, "import")
    values(verb.arguments, arguments)
    items = (
        BulkItem(
            position=line.place, name=line.name[:255], values=dict(line.cells),
            outcome=Outcome.UNREADABLE if line.fault else Outcome.WAITING, told=line.fault[:4_000],
        )
        for line in lines
    )  # fmt: skip
    return _prepared(act, noun, "import", items, source, dict(arguments))


@action("bulk.start", "Start bulk work, or a trial of it.")
def start(act: Act, /, *, run_id: int, arguments: Mapping[str, str] | None = None, dry_run: bool = False) -> BulkRun:
    """Makes a job of it; what a trial did not do can be started again for good."""
    run = _own(act, run_id)
    verb = noun_named(run.noun).verb(run.verb)
    _require_offered(act, verb, verb.label.lower())
    tried = run.dry_run and run.state in (BulkState.DONE, BulkState.STOPPED)
    if run.state != BulkState.DRAFT and not tried:
        raise NotStartable(f"Bulk work {run.id} is {BulkState(run.state).label.lower()}", where=act.name,
                           remedy="Choose the rows again.")  # fmt: skip
    if arguments is not None:
        run.arguments = dict(arguments)
    values(verb.arguments, run.arguments)
    if tried:
        run.items.exclude(outcome=Outcome.UNREADABLE).update(outcome=Outcome.WAITING, told="")
    run.dry_run, run.state, run.finished_at = dry_run, BulkState.WAITING, None
    run.job = _job(act, run)
    run.save(update_fields=["arguments", "dry_run", "state", "finished_at", "job"])
    act.record(run, message=f"{'Tried' if dry_run else 'Started'}: {verb.label} {run.total} {run.noun}.")
    return run


@action("bulk.stop", "Stop bulk work; what is done stays done.")
def stop(act: Act, /, *, run_id: int) -> BulkRun:
    """Rows that wait stay as they are."""
    run = _own(act, run_id)
    if run.state not in (BulkState.WAITING, BulkState.RUNNING):
        raise NotStartable(f"Bulk work {run.id} is {BulkState(run.state).label.lower()}", where=act.name,
                           remedy="There is nothing to stop.")  # fmt: skip
    run.state, run.finished_at = BulkState.STOPPED, act.clock.now()
    run.save(update_fields=["state", "finished_at"])
    act.record(run, message=f"Stopped: {run.verb} {run.total} {run.noun}.")
    return run


def describe(actor: Actor, run: BulkRun, arguments: Mapping[str, str], *, most: int) -> list[performing.Tried]:
    """What would become of some of the rows with these arguments; nothing stays of it."""
    run.arguments = dict(arguments)
    return performing.preview(run, noun_named(run.noun).verb(run.verb), actor, most=most)


def at_once(run: BulkRun) -> bool:
    """Whether the asker waits for it; everything else is done by an agent."""
    return run.user_id is None or run.total <= AT_ONCE


def run_now(actor: Actor, run: BulkRun, *, report: performing.Report = lambda done, of: None) -> BulkRun:
    """Do started bulk work while the asker waits."""
    performing.perform(run, noun_named(run.noun).verb(run.verb), actor, report=report, check=lambda: None)
    finish(run.id, actor.clock)
    run.refresh_from_db()
    return run


def _job(act: Act, run: BulkRun) -> int | None:
    """The job that does it; where the asker waits, the job that goes on if that breaks off."""
    if act.actor.is_system:
        return None
    now = act.clock.now()
    return queue.enqueue(RunBulk(run=run.id), now=now, run_after=now + _PATIENCE if at_once(run) else now).id


def _chosen(rows: QuerySet[Any], ids: Sequence[int]) -> Iterator[BulkItem]:
    """The rows in the order of their identifiers, as far as they are visible."""
    wanted, position = iter(dict.fromkeys(ids)), 0
    while part := list(islice(wanted, _BATCH)):
        found = {row.pk: row for row in rows.filter(pk__in=part).prefetch_related(None)}
        for number in part:
            if number in found:
                position += 1
                yield BulkItem(position=position, row_id=number, name=str(found[number])[:255])


def _prepared(
    act: Act, noun: str, verb: str, items: Iterator[BulkItem], source: str, arguments: dict[str, str] | None = None
) -> BulkRun:
    run = BulkRun(
        user_id=act.actor.user, privileges=sorted({grant.privilege.value for grant in act.actor.grants}),
        via=act.actor.via, noun=noun, verb=verb, arguments=arguments or {}, source=storable(source, 255),
        made_at=act.clock.now(),
    )  # fmt: skip
    run.save()
    while batch := list(islice(items, _BATCH)):
        run.total += _insert(run, batch)
        if run.total > MOST:
            raise TooManyRows(
                f"There are more than {MOST:,} rows", where=noun, remedy="Narrow the filter, or split the table."
            )
    run.save(update_fields=["total"])
    return run


def _insert(run: BulkRun, batch: Sequence[BulkItem]) -> int:
    for item in batch:
        item.run = run
    BulkItem.objects.bulk_create(batch)
    return len(batch)


def _own(act: Act, run_id: int) -> BulkRun:
    run = BulkRun.objects.select_for_update().filter(id=run_id).first()
    mine = run is not None and (act.actor.is_system or run.user_id == act.actor.user)
    act.require_that(True, "ask for bulk work", "")
    if run is None or not mine:
        raise NotFound(f"There is no bulk work {run_id} of yours", where=act.name, remedy="It may be forgotten by now.")
    return run


def _require_offered(act: Act, verb: Verb, what: str) -> None:
    needed = " or ".join(verb.privileges)
    act.require_that(verb.open_to(act.actor), f"{what} rows in bulk", f"It needs the privilege {needed}.")
