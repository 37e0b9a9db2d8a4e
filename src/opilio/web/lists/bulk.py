"""What can be done to several rows of a list at once: asked for, confirmed, then done row by row.

A list of a noun that knows bulk work offers its verbs as well; those lead to the pages of bulk work.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict

from opilio.curation.bulk import attempts
from opilio.curation.bulk.errors import TooManyRows
from opilio.curation.bulk.registry import NOUNS
from opilio.curation.queries.bulk import Outcome
from opilio.kernel.errors import OpilioError
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

MOST = 500  # rows at a time, where no job can do it
LONGEST_REASON = 4_000  # characters
_MOST_TOLD = 5
_MOST_TRIED = 50


@dataclass(frozen=True, kw_only=True)
class Bulk:
    """An action on each selected row."""

    name: str
    label: str
    icon: str
    done: str  # as "deactivated", after the number of rows
    warning: str  # what follows from it, read before confirming
    run: Callable[..., object] | None = None  # of actor and row (and reason); None: only the pages of bulk work do it
    asks: str = ""  # label of a reason that must be given, which `run` then takes as a third argument
    privilege: Privilege | None = None  # None: offered to everybody who sees the list
    danger: bool = False
    noun: str = ""  # of bulk work, where that knows this verb too

    def on(self, actor: Actor, row: Any, reason: str) -> object:
        """Do it to one row."""
        if self.run is None:
            return None
        return self.run(actor, row, reason) if self.asks else self.run(actor, row)

    def open_to(self, actor: Actor) -> bool:
        """Whether the actor is offered it."""
        return self.privilege is None or actor.holds(self.privilege)


#: Names of lists → nouns of bulk work; lists of other rows, as of deleted ones, are not among them.
NOUN_OF = {f"{name}s": name for name in NOUNS}


def offered(bulks: Sequence[Bulk], list_name: str, actor: Actor) -> list[Bulk]:
    """What a list offers: its own actions, then the further verbs of bulk work."""
    own = [one for one in bulks if one.open_to(actor)]
    noun = NOUNS.get(NOUN_OF.get(list_name, ""))
    if noun is None:
        return own
    known = {verb.name for verb in noun.verbs}
    named = {one.name for one in bulks}
    further = [
        Bulk(name=verb.name, label=verb.label, icon=verb.icon, done=verb.done, warning=verb.warning,
             danger=verb.danger, noun=noun.name)
        for verb in noun.verbs
        if verb.offered and verb.name not in named and verb.open_to(actor)
    ]  # fmt: skip
    return [replace(one, noun=noun.name) if one.name in known else one for one in own] + further


def chosen(rows: QuerySet[Any], form: QueryDict) -> QuerySet[Any]:
    """The chosen rows, of those that the list shows to the asker."""
    numbers = [
        int(text) for text in form.getlist("row")[:MOST] if text.isascii() and text.isdecimal() and len(text) < 19
    ]
    return rows.filter(pk__in=numbers)


def selected(rows: QuerySet[Any], form: QueryDict) -> list[Any]:
    """The same, read."""
    return list(chosen(rows, form))


def few(rows: QuerySet[Any]) -> list[Any]:
    """All rows of a filter, as long as they can be done at once."""
    found = list(rows[: MOST + 1])
    if len(found) > MOST:
        raise TooManyRows(
            f"The filter fits more than {MOST} rows", where="list", remedy="Narrow the filter, and do it in parts."
        )
    return found


def refusals(actor: Actor, bulk: Bulk, rows: Sequence[Any]) -> list[tuple[Any, str]]:
    """Of the first rows, those that would be refused, each with the reason; nothing stays of the trial."""
    if bulk.run is None:
        return []
    tried = [(row, attempts.tried(functools.partial(bulk.on, actor, row, "?"))) for row in rows[:_MOST_TRIED]]
    return [(row, attempt.told) for row, attempt in tried if attempt.outcome == Outcome.REFUSED]


def perform(request: HttpRequest, actor: Actor, bulk: Bulk, rows: Sequence[Any], words: tuple[str, str]) -> None:
    """Do it to each row; what could not be done is told, the rest stays done."""
    reason = request.POST.get("reason", "")[:LONGEST_REASON].strip()
    faults: list[str] = []
    for row in rows:
        try:
            bulk.on(actor, row, reason)
        except OpilioError as error:
            faults.append(str(error))
    done = len(rows) - len(faults)
    if done:
        messages.success(request, f"{done} {words[0] if done == 1 else words[1]} {bulk.done}.")
    for fault in faults[:_MOST_TOLD]:
        messages.error(request, fault)
    if len(faults) > _MOST_TOLD:
        messages.error(request, f"{len(faults) - _MOST_TOLD} more could not be {bulk.done}.")
