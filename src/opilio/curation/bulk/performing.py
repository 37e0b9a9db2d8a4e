"""Does bulk work row by row, some with each commit: what is done stays done, a refused row stops no other.

A row and the note of what became of it are written together, so that a crash repeats nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count

from opilio.curation.bulk import attempts
from opilio.curation.bulk.arguments import values
from opilio.curation.bulk.attempts import Attempt
from opilio.curation.bulk.errors import SettledElsewhere
from opilio.curation.bulk.verbs import Changed, Foresee, Step, Subject, Verb
from opilio.curation.group_notices import told_later
from opilio.curation.models import BulkItem, BulkRun, Outcome
from opilio.kernel.clock import Clock
from opilio.kernel.errors import Conflict, Denied, InvalidInput, Missing
from opilio.people.actor import Actor
from opilio.people.gathering import gathered
from opilio.people.remembering import remembered

_BATCH = 200
_TOGETHER = 50  # rows that are written with one commit
_LONGEST = 0.25  # seconds after which a transaction ends, so that others who write do not wait
Report = Callable[[int, int], None]  # rows settled, of how many


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A row of the preview."""

    position: int
    name: str
    outcome: Outcome
    told: str


def perform(run: BulkRun, verb: Verb, actor: Actor, *, report: Report, check: Callable[[], None]) -> None:
    """Settle all rows that wait; `check` may raise in order to stop between two transactions."""
    step = verb.begin(actor, values(verb.arguments, run.arguments))
    step = _quiet(step) if verb.after is not None else step
    settled = run.items.exclude(outcome=Outcome.WAITING).count()
    while batch := list(run.items.filter(outcome=Outcome.WAITING).order_by("position", "id")[:_BATCH]):
        while batch:
            check()
            done = _settle_some(run, batch[:_TOGETHER], step, verb.foresee, actor.clock)
            settled += done
            del batch[:done]
            report(settled, run.total)


def _settle_some(
    run: BulkRun, batch: Sequence[BulkItem], step: Step, foresee: Foresee | None, clock: Clock
) -> int:  # fmt: skip
    """Settle rows together; where what they leave to be written together is refused, the first of them alone."""
    if not run.dry_run:
        try:
            return _settle_together(run, batch, step, foresee, clock)
        except (InvalidInput, Conflict, Denied, Missing, IntegrityError):
            batch = batch[:1]
    begun = clock.monotonic()
    with transaction.atomic(), remembered():
        for number, item in enumerate(batch, 1):
            _note(run, [(item, _settled(run, item, step))])
            if clock.monotonic() - begun > _LONGEST:
                return number
    return len(batch)


def _settle_together(
    run: BulkRun, batch: Sequence[BulkItem], step: Step, foresee: Foresee | None, clock: Clock
) -> int:  # fmt: skip
    """As many as a short transaction takes, each by a savepoint of its own; what only adds is written at the end."""
    begun, notes = clock.monotonic(), list[tuple[BulkItem, Attempt]]()
    with transaction.atomic(), remembered():
        if foresee is not None:
            foresee([item.row_id for item in batch if item.row_id is not None])
        with gathered() as waiting:
            for item in batch:
                mark = waiting.mark()
                attempt = attempts.done(_bound(step, item))
                if attempt.outcome == Outcome.REFUSED:
                    waiting.back_to(mark)
                notes.append((item, attempt))
                if clock.monotonic() - begun > _LONGEST:
                    break
        _note(run, notes)
    return len(notes)


def afterwards(run: BulkRun, verb: Verb, actor: Actor, now: datetime) -> None:
    """Tell people of what was changed; within the transaction that ends the bulk work."""
    if verb.after is None or run.dry_run:
        return
    changed = run.items.filter(outcome=Outcome.CHANGED).order_by("position", "id")
    rows = [row for row in changed.values_list("row_id", flat=True) if row is not None]
    if rows:
        given = values(verb.arguments, run.arguments)
        verb.after(actor, Changed(rows=rows, arguments=given, since=run.made_at, now=now))


def _quiet(step: Step) -> Step:
    def quietly(subject: Subject) -> object:
        with told_later():
            return step(subject)

    return quietly


def preview(run: BulkRun, verb: Verb, actor: Actor, *, most: int) -> list[Tried]:
    """Try rows that are spread evenly over the set; nothing stays of it."""
    step = verb.begin(actor, values(verb.arguments, run.arguments))
    return [_shown(item, attempts.tried(_bound(step, item))) for item in sample(run, most)]


def sample(run: BulkRun, most: int) -> Sequence[BulkItem]:
    """At most so many of the rows that wait, from the first to the last."""
    keys = list(run.items.filter(outcome=Outcome.WAITING).order_by("position", "id").values_list("pk", flat=True))
    count = len(keys)
    chosen = keys if count <= most else [keys[number * (count - 1) // (most - 1)] for number in range(most)]
    return list(run.items.filter(pk__in=chosen).order_by("position", "id"))


def counts(run: BulkRun) -> dict[str, int]:
    """How many rows came to which outcome."""
    found = dict(run.items.order_by().values_list("outcome").annotate(number=Count("pk")))
    return {outcome.value: found.get(outcome.value, 0) for outcome in Outcome}


def _settled(run: BulkRun, item: BulkItem, step: Step) -> Attempt:
    return (attempts.tried if run.dry_run else attempts.done)(_bound(step, item))


def _note(run: BulkRun, notes: Sequence[tuple[BulkItem, Attempt]]) -> None:
    """Write down what became of rows; all of it is taken back where another runner settled one of them."""
    same: dict[Attempt, list[int]] = {}
    for item, attempt in notes:
        same.setdefault(attempt, []).append(item.pk)
    for attempt, items in same.items():
        waiting = BulkItem.objects.filter(pk__in=items, outcome=Outcome.WAITING)
        if waiting.update(outcome=attempt.outcome, told=attempt.told[:4_000]) != len(items):
            raise SettledElsewhere("A row was settled by another runner", where=f"bulk work {run.pk}")


def _bound(step: Step, item: BulkItem) -> Callable[[], object]:
    subject = Subject(row_id=item.row_id, cells=item.values or {})
    return lambda: step(subject)


def _shown(item: BulkItem, attempt: Any) -> Tried:
    return Tried(position=item.position, name=item.name, outcome=attempt.outcome, told=attempt.told)
