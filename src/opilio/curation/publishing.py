"""Which results readers may search: the endorsed ones whose files are here; and the job that publishes them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from opilio.curation.access_harvests import READABLE
from opilio.curation.access_permissions import statement_of
from opilio.curation.harvest_folders import folder_of
from opilio.curation.models import Harvest, Permission, PermissionStatus, Result, ResultState
from opilio.jobs import queue
from opilio.jobs.payload import job
from opilio.kernel.access_rules import MAX_DAYS
from opilio.works.index_sources import IndexSource

PREFIX = "harvest-"  # how the sources of the index that are ours are called
_LONGEST_NOTICE = 1_000  # characters beside a hit
_DEDUP = "publication"


@job(kind="curation.publish_generation", max_attempts=5)
@dataclass(frozen=True, kw_only=True)
class PublishGeneration:
    """Build the next generation from what is endorsed, and let the nodes serve it."""

    publication: int


def publish_soon(publication: int, now: datetime) -> queue.Enqueued:
    """Have a publication done; there is never more than one under way."""
    return queue.enqueue(PublishGeneration(publication=publication), now=now, dedup_key=_DEDUP)


def endorsed(now: datetime) -> list[Result]:
    """The endorsed results whose files are kept and of which readers may see something, in the order of harvests.

    Search finds the newest capture of a URL: one that nobody may read yet must not stand before an older one.
    """
    rows = Result.objects.filter(
        state=ResultState.ENDORSED, harvest__state__in=READABLE, harvest__purged=False, harvest__deleted=False,
        imported=False, harvest__display=True, harvest__abstract_target__display=True,
    )  # fmt: skip
    found = rows.select_related("harvest__abstract_target").order_by("harvest_id", "number")
    return [row for row in found if not _embargoed(row.harvest, now)]


def _embargoed(harvest: Harvest, now: datetime) -> bool:
    """Whether the days of embargo of all that it captured are still to come."""
    days = min(harvest.abstract_target.embargo_days or 0, MAX_DAYS)
    begun = harvest.started_at
    return bool(days) and begun is not None and now - begun < timedelta(days=days)


def sources(results: Sequence[Result]) -> Iterator[IndexSource]:
    """How the index knows them; what is told beside each hit comes from the permissions."""
    for row in results:
        harvest = row.harvest
        yield IndexSource(
            name=f"{PREFIX}{harvest.pk}", folder=str(folder_of(harvest.pk).path.resolve()), result=row.number,
            harvest=str(harvest.pk), target=str(harvest.abstract_target_id), agency=str(harvest.agency_id),
            copyright=notice(harvest),
        )  # fmt: skip


def notice(harvest: Harvest) -> str:
    """Copyright and special requirements of all permissions that a harvest's target relies on."""
    rows = Permission.objects.filter(
        links__seed__target_id=harvest.abstract_target_id, links__seed__deleted=False, status=PermissionStatus.APPROVED
    )
    said: dict[str, None] = {}
    for row in rows.distinct().order_by("id"):
        found = statement_of(row)
        if found is not None:
            said.update(dict.fromkeys(filter(None, (found.text, found.link, found.requirements))))
    return " · ".join(" ".join(text.split()) for text in said)[:_LONGEST_NOTICE]
