"""How every write is done: a named action checks the privilege, changes rows and tells the audit log, all or nothing.

`@action` turns `def rename(act, *, …)` into `rename(actor, *, …)` and lists it, so that the permission table of the
tests can demand a row for each. An action that changes something without having asked is refused.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.db import IntegrityError, OperationalError, models, transaction

from opilio.catalogue.curated import Curated
from opilio.kernel.clock import Clock
from opilio.kernel.errors import Conflict, Unavailable
from opilio.people import audit, cleaning
from opilio.people.actor import Actor
from opilio.people.errors import NotAllowed, NotFound, Stale
from opilio.people.kinds import Kind, kind_of
from opilio.people.privileges import Privilege, Subject
from opilio.people.remembering import once, taken

P = ParamSpec("P")
R = TypeVar("R")
Row = TypeVar("Row", bound=Curated)


@dataclass(frozen=True, kw_only=True)
class Listed:
    """An action as the permission table and the reference know it."""

    name: str
    sentence: str
    privilege: Privilege | None  # None: open to whom the sentence says


ACTIONS: dict[str, Listed] = {}


def action(
    name: str, sentence: str, *, privilege: Privilege | None = None
) -> Callable[[Callable[Concatenate["Act", P], R]], Callable[Concatenate[Actor, P], R]]:
    """Make an action of a function."""

    def declare(function: Callable[Concatenate["Act", P], R]) -> Callable[Concatenate[Actor, P], R]:
        ACTIONS[name] = Listed(name=name, sentence=sentence, privilege=privilege)

        @functools.wraps(function)
        def run(actor: Actor, /, *args: P.args, **kwargs: P.kwargs) -> R:
            act = Act(actor=actor, name=name)
            try:
                with transaction.atomic():
                    return function(act, *args, **kwargs)
            except IntegrityError as error:
                raise Conflict(
                    "Somebody else changed the same thing at the same time", where=name, remedy="Try again."
                ) from error
            except OperationalError as error:
                raise Unavailable(
                    f"The database refused the change: {error}",
                    where=name,
                    remedy="Nothing was changed. `opilio doctor` says what is wrong; try again afterwards.",
                ) from error

        return run

    return declare


class Act:
    """One action under way."""

    def __init__(self, *, actor: Actor, name: str) -> None:
        self.actor = actor
        self.name = name
        self._asked = False
        self._agencies: dict[int, str] = {}

    @property
    def clock(self) -> Clock:
        """The clock of whoever acts."""
        return self.actor.clock

    def require(self, privilege: Privilege, subject: Subject, what: str) -> None:
        """Go on only if the actor's privilege reaches `subject`; `what` says for the message what is asked."""
        self._asked = True
        if not self.actor.may(privilege, subject):
            raise NotAllowed(
                f"{self.actor.username} may not {what}",
                where=self.name,
                remedy=f"It needs the privilege {privilege}, reaching that agency or owner; ask an administrator.",
            )

    def require_that(self, holds: bool, what: str, remedy: str) -> None:
        """Go on only if a rule other than a privilege holds, as that an account is one's own."""
        self._asked = True
        if not holds:
            raise NotAllowed(f"{self.actor.username} may not {what}", where=self.name, remedy=remedy)

    def fetch(self, kind: Kind, identifier: int, *, deleted: bool = False) -> Any:
        """The row, locked until the action ends."""
        row = None if deleted else taken(("locked", kind.name, identifier))
        if row is None:
            row = kind.model.everything.select_for_update().filter(id=identifier, deleted=deleted).first()
        if row is None:
            raise NotFound(f"There is no {kind.label.lower()} {identifier}", where=self.name, remedy="Was it deleted?")
        return row

    def insert(self, row: Row, *, message: str = "") -> Row:
        """Save a new row and tell it."""
        now = self.clock.now()
        row.created, row.updated, row.updated_by_id = now, now, self.actor.user
        cleaning.check(row, None, where=self.name)
        row.save(force_insert=True)
        self.record(row, message=message, after=audit.values(row))
        return row

    def update(self, row: Row, changes: Mapping[str, Any], *, version: int | None = None, message: str = "") -> bool:
        """Change columns of a row and tell what changed; nothing is written when nothing did."""
        kind, before = kind_of(row), audit.values(row)
        if version is not None and version != row.version:
            raise Stale(kind.label, str(row), mine=_told(row, changes), theirs=before, by=str(row.updated_by or ""))
        for name, value in changes.items():
            setattr(row, name, value)
        cleaning.check(row, changes.keys(), where=self.name)
        was, became = audit.difference(before, audit.values(row))
        hidden = [name for name in changes if name in audit.HIDDEN]
        if not was and not became and not hidden:
            return False
        self.touch(row, [*changes])
        self.record(row, message=message, before=was, after=became)
        return True

    def touch(self, row: Curated, columns: list[str]) -> None:
        """Write columns together with the metacolumns of a change."""
        row.updated, row.updated_by_id, row.version = self.clock.now(), self.actor.user, row.version + 1
        row.save(update_fields=[*columns, "updated", "updated_by", "version"])

    def record(
        self,
        row: models.Model,
        *,
        message: str = "",
        before: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
    ) -> None:
        """Tell the audit log what was done to a row."""
        if not self._asked:
            raise AssertionError(f"The action {self.name} changes rows without having asked whether it may.")
        agency = kind_of(row).subject(row).agency if isinstance(row, Curated) else getattr(row, "agency_id", None)
        kind = kind_of(row).name if isinstance(row, Curated) else row._meta.model_name or ""
        audit.write(
            self.actor,
            action=self.name,
            subject_type=kind,
            subject_id=row.pk,
            subject_name=str(row),
            agency_id=agency,
            agency_name=self._agency_name(agency),
            message=message,
            before=before,
            after=after,
        )

    def _agency_name(self, agency: int | None) -> str:
        """The name of another agency than the actor's, asked for once; empty: the entry finds it."""
        if agency is None or agency == self.actor.agency:
            return ""
        if agency not in self._agencies:
            self._agencies[agency] = once(("agency name", agency), lambda: audit.name_of_agency(agency))
        return self._agencies[agency]


def _told(row: models.Model, changes: Mapping[str, Any]) -> dict[str, Any]:
    columns = {field.name: field.attname for field in row._meta.concrete_fields}
    return {
        columns.get(name, name): audit.told(getattr(value, "pk", value))
        for name, value in changes.items()
        if name not in audit.HIDDEN
    }
