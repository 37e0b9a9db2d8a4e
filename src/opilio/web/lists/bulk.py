"""What can be done to several rows of a list at once: asked for, confirmed, then done row by row."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict

from opilio.kernel.errors import OpilioError
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege

MOST = 500  # rows at a time
_MOST_TOLD = 5


@dataclass(frozen=True, kw_only=True)
class Bulk:
    """An action on each selected row."""

    name: str
    label: str
    icon: str
    done: str  # as "deactivated", after the number of rows
    warning: str  # what follows from it, read before confirming
    run: Callable[[Actor, Any], object]
    privilege: Privilege | None = None  # None: offered to everybody who sees the list
    danger: bool = False

    def open_to(self, actor: Actor) -> bool:
        """Whether the actor is offered it."""
        return self.privilege is None or actor.holds(self.privilege)


def selected(rows: QuerySet[Any], form: QueryDict) -> list[Any]:
    """The chosen rows, of those that the list shows to the asker."""
    numbers = [
        int(text) for text in form.getlist("row")[:MOST] if text.isascii() and text.isdecimal() and len(text) < 19
    ]
    return list(rows.filter(pk__in=numbers))


def perform(request: HttpRequest, actor: Actor, bulk: Bulk, rows: Sequence[Any], words: tuple[str, str]) -> None:
    """Do it to each row; what could not be done is told, the rest stays done."""
    faults: list[str] = []
    for row in rows:
        try:
            bulk.run(actor, row)
        except OpilioError as error:
            faults.append(str(error))
    done = len(rows) - len(faults)
    if done:
        messages.success(request, f"{done} {words[0] if done == 1 else words[1]} {bulk.done}.")
    for fault in faults[:_MOST_TOLD]:
        messages.error(request, fault)
    if len(faults) > _MOST_TOLD:
        messages.error(request, f"{len(faults) - _MOST_TOLD} more could not be {bulk.done}.")
