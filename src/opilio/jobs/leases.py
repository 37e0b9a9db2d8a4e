"""Named leases: who may do alone what must be done by one process, such as sealing the audit chain.

A lease ends by itself; the epoch fences a holder that overslept: it must write inside `writing`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from opilio.jobs.errors import Fenced
from opilio.jobs.models import Lease


@dataclass(frozen=True, kw_only=True)
class Held:
    """A lease as it was when it was taken or last renewed."""

    name: str
    owner: str
    epoch: int  # fencing token
    until: datetime


def acquire(name: str, *, owner: str, now: datetime, lease: timedelta) -> Held | None:
    """Take the lease if nobody holds it; None when somebody does. Of many who ask at once, one gets it."""
    row = Lease.objects.filter(name=name).first()
    if row is None:
        Lease.objects.bulk_create([Lease(name=name, until=now)], ignore_conflicts=True)
        row = Lease.objects.get(name=name)
    if row.owner and row.until > now:
        return None
    held = Held(name=name, owner=owner, epoch=row.epoch + 1, until=now + lease)
    seen = Lease.objects.filter(name=name, epoch=row.epoch, owner=row.owner, until=row.until)
    return held if seen.update(owner=owner, epoch=held.epoch, until=held.until) == 1 else None


def renew(held: Held, *, now: datetime, lease: timedelta) -> Held:
    """Hold the lease longer. Possible also after its end, as long as nobody else took it."""
    renewed = replace(held, until=now + lease)
    if _mine(held).update(until=renewed.until) != 1:
        raise _fenced(held)
    return renewed


def release(held: Held, *, now: datetime) -> None:
    """Give the lease back; nothing happens when somebody else has it by now."""
    _mine(held).update(owner="", until=now)


@contextmanager
def writing(held: Held) -> Iterator[None]:
    """One transaction whose writes count only if the lease is still held when they are committed."""
    with transaction.atomic():
        # The update locks the row: who wants the lease waits until this transaction has ended.
        if _mine(held).update(epoch=F("epoch")) != 1:
            raise _fenced(held)
        yield


def _mine(held: Held) -> QuerySet[Lease]:
    return Lease.objects.filter(name=held.name, owner=held.owner, epoch=held.epoch)


def _fenced(held: Held) -> Fenced:
    return Fenced(
        f"Lease {held.name} is no longer held by {held.owner}",
        where=f"lease {held.name}, epoch {held.epoch}",
        remedy="Drop what was to be written; another process does it now.",
    )
