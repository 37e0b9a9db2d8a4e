"""Which harvests are read again when, and the job that reads them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Max, QuerySet

from opilio.archive.store.addresses import open_store
from opilio.archive.store.errors import NoArchive
from opilio.archive.store.ocfl.archive import Archive
from opilio.archive.store.s3_options import s3_options
from opilio.curation.harvest_folders import folder_of
from opilio.curation.models import Harvest, HarvestState
from opilio.jobs import queue
from opilio.jobs.payload import job
from opilio.jobs.states import Priority
from opilio.people.intray import Resource
from opilio.people.parameters import value
from opilio.works.archive_results import identifier_of
from opilio.works.fixity import Copies

#: The states in which something of a harvest is kept that must not change.
KEPT = (
    HarvestState.HARVESTED, HarvestState.PATCHING, HarvestState.ENDORSED, HarvestState.ARCHIVING, HarvestState.ARCHIVED,
)  # fmt: skip
TASK = "fixity-damage"
HOME, ARCHIVE = "harvest folder", "archive"
_TURNS_A_DAY = 24


@job(kind="curation.check_fixity", max_attempts=5)
@dataclass(frozen=True, kw_only=True)
class CheckFixity:
    """Read the kept files of a harvest again."""

    harvest: int


def kept() -> QuerySet[Any]:
    """The harvests of which something is kept, with when each was read last."""
    rows: QuerySet[Any] = Harvest.objects.filter(state__in=KEPT).exclude(
        purged=True, state__in=[state for state in KEPT if state != HarvestState.ARCHIVED]
    )
    found: QuerySet[Any] = rows.annotate(read_at=Max("fixity_checks__ended_at"))
    return found


def period() -> timedelta | None:
    """Within which every kept file is read; None: never."""
    days = int(value("fixity_days"))
    return timedelta(days=days) if days else None


def due(now: datetime) -> Sequence[int]:
    """The harvests to be read in this hour: those that waited longest, so many that all have their turn in time."""
    span = period()
    if span is None:
        return []
    most = max(1, math.ceil(kept().count() / (span.days * _TURNS_A_DAY)))
    never = kept().filter(read_at=None).order_by("pk").values_list("pk", flat=True)[:most]
    found = list(never)
    late = kept().filter(read_at__lte=now - span).order_by("read_at", "pk").values_list("pk", flat=True)
    return found + list(late[: most - len(found)])


def check_soon(harvest_id: int, now: datetime) -> int:
    """Have a harvest read by an agent; the identifier of the job."""
    made = queue.enqueue(CheckFixity(harvest=harvest_id), now=now, priority=Priority.LOW, dedup_key=str(harvest_id))
    return made.id


def copies_of(harvest: Harvest) -> Copies:
    """Where the copies of a harvest are."""
    folder = folder_of(harvest.pk).path
    archive = _archive()
    known = harvest.archive_id.partition(" ")[0]  # an archive of our own adds the version
    identifier = known if known.startswith("info:") else identifier_of(folder)
    return Copies(folder=folder, archive=archive, identifier=identifier)


def _archive() -> Archive | None:
    """The archive of this installation; None when nothing was ever put into it."""
    chosen = settings.OPILIO
    try:
        return Archive.open(open_store(chosen.archive_store, s3_options(chosen)))
    except NoArchive:
        return None


def about(harvest_id: int) -> Resource:
    """The harvest as tasks and notices name it."""
    return Resource(kind="harvest", id=harvest_id)
