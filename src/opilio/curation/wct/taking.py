"""Takes the rows of one table over, batch by batch: reads, finds references, makes new rows, changes changed ones."""

import datetime
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast
from zoneinfo import ZoneInfo

from django.db import DataError, IntegrityError, transaction
from django.db.models import Model

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified
from opilio.curation.models import WctIdentity
from opilio.curation.wct import drafts as reading
from opilio.curation.wct import identities
from opilio.curation.wct.drafts import Draft
from opilio.curation.wct.dump import Spool
from opilio.curation.wct.errors import Refused
from opilio.curation.wct.joining import apart
from opilio.curation.wct.numbers import Numbers
from opilio.curation.wct.report import Done, Report, What
from opilio.curation.wct.rows import RawRow
from opilio.curation.wct.tables import Table
from opilio.curation.wct.writing import change, insert

BATCH = 500


@dataclass(kw_only=True)
class Taking:
    """One import under way."""

    spool: Spool
    report: Report
    zone: ZoneInfo
    at: datetime.datetime
    by: int | None  # user who asked
    numbers: Numbers = field(default_factory=Numbers)
    memory: dict[str, Any] = field(default_factory=dict)  # what hooks keep between rows
    listed: dict[str, set[str]] = field(default_factory=dict)  # values of constrained lists that were met
    progress: Callable[[str, int], None] = lambda table, rows: None

    def take(self, table: Table) -> None:
        """Take all rows of a table over."""
        if table.later:
            self._take(table, (row for row in self._rows(table) if not table.cells(row.cells).get(table.later)))
            self._take(table, (row for row in self._rows(table) if table.cells(row.cells).get(table.later)))
        else:
            self._take(table, self._rows(table))

    def note(self, draft: Draft, reason: str, column: str = "") -> None:
        """Tell that a cell was not taken over as it was."""
        self.report.tell(draft.entry(What.CELL, reason, column))

    def _rows(self, table: Table) -> Iterator[RawRow]:
        return self.spool.rows(table.name)

    def _take(self, table: Table, rows: Iterator[RawRow]) -> None:
        done = 0
        for batch in iter(lambda: list(itertools.islice(rows, BATCH)), []):
            self._batch(table, batch)
            done += len(batch)
            self.progress(table.name, done)

    def _batch(self, table: Table, rows: list[RawRow]) -> None:
        drafts = list(self._read(table, rows))
        if not table.key:
            places = identities.places(drafts)
            return self._link(table, [draft for draft in drafts if self._filled(draft, places)])
        known = identities.known(table.name, [draft.number or 0 for draft in drafts])
        drafts = list(self._fresh(drafts, known))
        for draft in drafts:
            draft.identifier = known[draft.number].row_id if draft.number in known else None
        places = identities.places(drafts)
        ready = [draft for draft in drafts if self._filled(draft, places)]
        again = [draft for draft in ready if draft.number in known]
        self._make(table, [draft for draft in ready if draft.number not in known])
        return self._again(table, again, known)

    def _read(self, table: Table, rows: Iterable[RawRow]) -> Iterator[Draft]:
        for row in rows:
            try:
                yield reading.read(table, row, self.zone, self.report)
            except Refused as error:
                self._refuse(Draft(table=table, row=row, cells=table.cells(row.cells)), error)

    def _refuse(self, draft: Draft, error: Refused) -> None:
        if draft.number is None and draft.table.key:
            given = (draft.cells.get(draft.table.key) or "").strip()
            draft.number = int(given) if given.isdigit() and len(given) < 19 else None
        self.report.count(draft.table.name, Done.REFUSED)
        self.report.tell(draft.entry(What.ROW, error.what, error.column))

    def _fresh(self, drafts: list[Draft], known: dict[int, WctIdentity]) -> Iterator[Draft]:
        """Those that are new, or not the same as when they were taken over; no number twice."""
        seen: set[int | None] = set()
        for draft in drafts:
            identity = known.get(cast(int, draft.number))
            if identity is not None and identity.digest == draft.row.digest:
                self.report.count(draft.table.name, Done.UNCHANGED)
            elif draft.number in seen or (identity is not None and identity.at == self.at):
                self._refuse(draft, Refused("another row of the dump has this number", column=draft.table.key))
            else:
                yield draft
            seen.add(draft.number)

    def _filled(self, draft: Draft, places: dict[tuple[str, int], int]) -> bool:
        """Whether references and whatever no column says could be filled in."""
        try:
            for column in draft.table.columns:
                if column.ref:
                    self._point(draft, column.name, column.field, column.need, places)
            draft.table.prepare(self, draft)
        except Refused as error:
            self._refuse(draft, error)
            return False
        return True

    def _point(
        self, draft: Draft, name: str, attribute: str, need: bool, places: dict[tuple[str, int], int]
    ) -> None:  # fmt: skip
        asked = draft.refs.get(name)
        found = places.get(asked) if asked else None
        if asked and found is None:
            reason = f"there is no row {asked[1]} of {asked[0]} that was taken over"
            if need:
                raise Refused(reason, column=name)
            self.note(draft, f"{reason}; left empty", name)
        draft.values[attribute or name] = found

    # Rows with a number

    def _make(self, table: Table, drafts: list[Draft]) -> None:
        if table.extends:
            return self._extend(table, drafts)
        fresh, same = apart(table, drafts, self.report)
        model = cast(type[Identified], table.model)
        given = self.numbers.give(model, [cast(int, draft.number) for draft in fresh])
        for draft in fresh:
            draft.identifier = given[cast(int, draft.number)]
            table.numbered(draft)
        made = self._safely(fresh, lambda some: insert(table, some, at=self.at, by=self.by))
        identities.remember([*made, *same], self.at)
        self.report.count(table.name, Done.MADE, len(made))
        self.report.count(table.name, Done.UNCHANGED, len(same))
        return None

    def _extend(self, table: Table, drafts: list[Draft]) -> None:
        whole = _here(table.model, [draft.values[table.key] for draft in drafts])
        ready = []
        for draft in drafts:
            draft.identifier = draft.values.pop(table.key)
            if draft.identifier in whole:
                ready.append(draft)
            else:
                self._refuse(draft, Refused(f"the row of {table.extends} is of another kind", column=table.key))
        made = self._safely(ready, lambda some: change(table, some, at=self.at, by=self.by))
        identities.remember(made, self.at)
        self.report.count(table.name, Done.MADE, len(made))

    def _again(self, table: Table, drafts: list[Draft], known: dict[int, WctIdentity]) -> None:
        here = _here(table.model, [known[cast(int, draft.number)].row_id for draft in drafts])
        changeable = []
        for draft in drafts:
            identity = known[cast(int, draft.number)]
            draft.values.pop(table.key, None)
            table.numbered(draft)
            if reason := self._stands(table, here.get(identity.row_id), identity):
                self._refuse(draft, Refused(reason))
            else:
                changeable.append(draft)
        done = self._safely(changeable, lambda some: change(table, some, at=self.at, by=self.by))
        identities.remember(done, self.at)
        self.report.count(table.name, Done.CHANGED, len(done))

    def _stands(self, table: Table, row: Model | None, identity: WctIdentity) -> str:
        """Why a row that changed over there is left here as it is; empty: it is changed."""
        if row is None:
            return "it was removed here since it was taken over"
        if table.grows:
            return "rows of this table are never changed here"
        if isinstance(row, Curated) and (row.deleted or row.updated not in (identity.at, self.at)):
            return "it was changed here since it was taken over; left as it is"
        return ""

    # Rows without a number

    def _link(self, table: Table, drafts: list[Draft]) -> None:
        here = _pairs(table, drafts)
        fresh: dict[tuple[Any, ...], Draft] = {}
        for draft in drafts:
            key = tuple(draft.values[name] for name in table.natural)
            if key in here or key in fresh:
                self._same_pair(table, draft, here.get(key))
            else:
                fresh[key] = draft
        made = self._safely(list(fresh.values()), lambda some: insert(table, some, at=self.at, by=self.by))
        self.report.count(table.name, Done.MADE, len(made))

    def _same_pair(self, table: Table, draft: Draft, row: Model | None) -> None:
        rest = {column.field for column in table.columns if column.field} - set(table.natural)
        differs = row is not None and any(getattr(row, name) != draft.values[name] for name in rest)
        self.report.count(table.name, Done.CHANGED if differs else Done.UNCHANGED)
        if row is not None and differs:
            for name in rest:
                setattr(row, name, draft.values[name])
            row.save(update_fields=sorted(rest))

    def _safely(self, drafts: list[Draft], write: Callable[[list[Draft]], None]) -> list[Draft]:
        """Write all at once; if the database refuses something, one by one, so that the bad row is named."""
        if not drafts:
            return []
        try:
            with transaction.atomic():
                write(drafts)
        except (IntegrityError, DataError) as error:
            if len(drafts) == 1:
                self._refuse(drafts[0], Refused(f"the database refuses it: {str(error).splitlines()[0][:200]}"))
                return []
            return [made for draft in drafts for made in self._safely([draft], write)]
        return drafts


def _here(model: type[Model], identifiers: list[int]) -> dict[int, Model]:
    return {row.pk: row for row in model._base_manager.filter(pk__in=identifiers)}


def _pairs(table: Table, drafts: list[Draft]) -> dict[tuple[Any, ...], Model]:
    first = table.natural[0]
    asked = {draft.values[first] for draft in drafts}
    rows = table.model._base_manager.filter(**{f"{first}__in": asked})
    return {tuple(getattr(row, name) for name in table.natural): row for row in rows}
