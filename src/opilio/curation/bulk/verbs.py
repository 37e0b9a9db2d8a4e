"""What can be done in bulk: nouns with their rows, and verbs that do one thing to one row by its action."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from opilio.curation.bulk.arguments import Argument
from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What a verb is applied to: a row, or a line of a table."""

    row_id: int | None = None
    cells: Mapping[str, str] = field(default_factory=dict)


Step = Callable[[Subject], object]  # done to one subject; an OpilioError refuses it
Begin = Callable[[Actor, Mapping[str, Any]], Step]  # called once before the first row, with the arguments


@dataclass(frozen=True, kw_only=True)
class Changed:
    """What bulk work changed, once no more rows are settled."""

    rows: Sequence[int]
    arguments: Mapping[str, Any]
    since: datetime  # before the first of them
    now: datetime


Foresee = Callable[[Sequence[int]], None]  # asks for rows together what the step would ask for each
After = Callable[[Actor, Changed], object]  # called once behind the last row


@dataclass(frozen=True, kw_only=True)
class Verb:
    """One thing that can be done to many rows."""

    name: str  # as in addresses: approve
    label: str  # as on a button
    done: str  # as "approved", after the number of rows
    warning: str  # what follows from it, read before it is run
    begin: Begin
    foresee: Foresee | None = None
    after: After | None = None  # tells people of all rows together, instead of once for each
    icon: str = "list-checks"
    privileges: tuple[Privilege, ...] = ()  # one of them must be held at all; the action asks again for each row
    arguments: tuple[Argument, ...] = ()
    danger: bool = False
    offered: bool = True  # False: not on a list page, as an import

    def open_to(self, actor: Actor) -> bool:
        """Whether the actor is offered it."""
        return not self.privileges or any(actor.holds(privilege) for privilege in self.privileges)


@dataclass(frozen=True, kw_only=True)
class Noun:
    """The rows of one kind, and what can be done to them."""

    name: str
    words: tuple[str, str]  # one of them, several of them
    path: str  # of the list page
    rows: Callable[[Actor], QuerySet[Any]]  # those that the asker may see
    verbs: tuple[Verb, ...]
    filters: Mapping[str, Callable[[QuerySet[Any], str], QuerySet[Any]]] = field(default_factory=dict)

    def verb(self, name: str) -> Verb:
        """The verb of this name, which may have come from outside."""
        found = next((verb for verb in self.verbs if verb.name == name), None)
        if found is None:
            known = ", ".join(verb.name for verb in self.verbs)
            raise NotFound(
                f"There is no verb {name[:32]!r} for {self.words[1]}", where=self.name, remedy=f"Known are {known}."
            )
        return found


def each(action: Callable[..., object], key: str, **fixed: Any) -> Begin:
    """A verb that calls one action with the row's identifier and the arguments that were given."""

    def begin(actor: Actor, arguments: Mapping[str, Any]) -> Step:
        given = {**fixed, **{name: value for name, value in arguments.items() if value is not None}}
        return lambda subject: action(actor, **{key: subject.row_id}, **given)

    return begin


def narrowed(noun: Noun, rows: QuerySet[Any], filters: Mapping[str, str]) -> QuerySet[Any]:
    """The rows that fit every filter; an unknown filter is refused, as it would silently choose too much."""
    for name, text in filters.items():
        if name not in noun.filters:
            raise NotFound(
                f"{noun.words[1].capitalize()} have no filter {name[:32]!r}", where="filter",
                remedy=f"Known are {', '.join(noun.filters)}.",
            )  # fmt: skip
        rows = noun.filters[name](rows, text)
    return rows


def by_name(nouns: Iterable[Noun]) -> dict[str, Noun]:
    """Nouns by their names."""
    return {noun.name: noun for noun in nouns}
