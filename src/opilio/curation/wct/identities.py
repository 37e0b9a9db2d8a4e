"""Which rows were taken over before, and what they are called here; asked for in batches, never held all at once."""

import datetime
from collections.abc import Collection, Iterable

from opilio.curation.models import WctIdentity
from opilio.curation.wct.drafts import Draft

_AT_ONCE = 5_000


def known(table: str, numbers: Collection[int]) -> dict[int, WctIdentity]:
    """Of these rows of a table, those that were taken over."""
    asked = sorted(set(numbers))
    found: dict[int, WctIdentity] = {}
    for start in range(0, len(asked), _AT_ONCE):
        rows = WctIdentity.objects.filter(table=table, oid__in=asked[start : start + _AT_ONCE])
        found.update((row.oid, row) for row in rows)
    return found


def places(drafts: Iterable[Draft]) -> dict[tuple[str, int], int]:
    """For everything that drafts refer to: what it is called here."""
    asked: dict[str, set[int]] = {}
    for draft in drafts:
        for table, number in draft.refs.values():
            asked.setdefault(table, set()).add(number)
    return {
        (table, number): identity.row_id
        for table, numbers in asked.items()
        for number, identity in known(table, numbers).items()
    }


def remember(drafts: Iterable[Draft], at: datetime.datetime) -> None:
    """Note that rows were taken over, anew or again."""
    rows = [
        WctIdentity(
            table=draft.table.name, oid=draft.number, row_id=draft.identifier, digest=draft.row.digest, at=at
        )
        for draft in drafts
        if draft.number is not None and draft.identifier is not None
    ]  # fmt: skip
    WctIdentity.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["table", "oid"], update_fields=["row_id", "digest", "at"]
    )
