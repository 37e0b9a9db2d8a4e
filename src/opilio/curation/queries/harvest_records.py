"""What a harvest collected and what it has before it, from its folder on this machine: pages, exports, URL stories."""

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from opilio.curation.harvest_folders import folder_of
from opilio.curation.models import Harvest, HarvestState
from opilio.kernel.errors import InvalidInput
from opilio.works import crawl_story, harvest_records
from opilio.works.harvest_records import HarvestRecords, HarvestResource, NothingHere, WaitingUrl
from opilio.works.record_filters import Wanted
from opilio.works.run_harvest import HarvestFolder

_LONGEST = 8_000  # characters of a URL
_BEFORE = (HarvestState.SCHEDULED, HarvestState.QUEUED)
#: Columns of exports, in their order; the seed's HARVEST_RESOURCE and ARC_HARVEST_RESOURCE, and more.
RESOURCE_COLUMNS = (
    "number", "url", "host", "outcome", "reason", "status", "type", "size", "depth", "fetched", "warc_file", "offset",
    "length", "compressed", "digest", "title",
)  # fmt: skip
WAITING_COLUMNS = ("url", "host", "depth", "embed", "priority", "tries", "not_before", "found_on")


@contextmanager
def opened(row: Harvest) -> Iterator[HarvestRecords]:
    """The records of a harvest for the length of a block; `NothingHere` where there are none, with why."""
    with harvest_records.records(_folder(row)) as found:
        yield found


def exported_resources(row: Harvest, wanted: Wanted) -> Iterator[dict[str, Any]]:
    """All resources that are wanted; `NothingHere` before the first."""
    folder = _folder(row)
    return (resource(one) for one in harvest_records.all_resources(folder, wanted))


def exported_waiting(row: Harvest, wanted: Wanted) -> Iterator[dict[str, Any]]:
    """All that waits and is wanted; `NothingHere` before the first."""
    folder = _folder(row)
    return (waiting(one) for one in harvest_records.all_waiting(folder, wanted))


def story(row: Harvest, url: str) -> dict[str, Any]:
    """All that is known about one URL of a harvest."""
    if not url.strip() or len(url) > _LONGEST:
        remedy = f"Give a URL in full, of at most {_LONGEST:,} characters."
        raise InvalidInput("there is no URL to tell the story of", where="url", remedy=remedy)
    folder = _folder(row)
    return crawl_story.explain(folder.path, url.strip(), folder.address)


def resource(one: HarvestResource) -> dict[str, Any]:
    """A resource by the names of columns."""
    return {
        "number": one.number, "url": one.url, "host": one.host, "outcome": one.outcome, "reason": one.reason,
        "status": one.status, "type": one.type, "size": one.size, "depth": one.depth, "fetched": _time(one.at),
        "warc_file": one.file, "offset": one.offset, "length": one.length, "compressed": one.compressed,
        "digest": one.digest, "title": one.title,
    }  # fmt: skip


def waiting(one: WaitingUrl) -> dict[str, Any]:
    """A URL that waits, by the names of columns."""
    return {
        "url": one.url, "host": one.host, "depth": one.depth, "embed": one.embed, "priority": one.priority,
        "tries": one.tries, "not_before": _time(one.not_before), "found_on": one.found_on,
    }  # fmt: skip


def moment(seconds: float) -> datetime.datetime | None:
    """A time of a record; None: never."""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC) if 0 < seconds < 1e11 else None


def _time(seconds: float) -> str | None:
    found = moment(seconds)
    return found.isoformat(timespec="seconds") if found else None


def _folder(row: Harvest) -> HarvestFolder:
    folder = folder_of(row.pk, captures=False)
    if folder.sealed() or folder.begun():
        return folder
    if row.state in _BEFORE:
        raise NothingHere(
            "The harvest has not begun, so it collected nothing yet", where=f"harvest {row.pk}",
            remedy="Look again once an agent has begun it.",
        )  # fmt: skip
    if row.purged:
        raise NothingHere(
            "The data of the harvest was removed", where=f"harvest {row.pk}", remedy="Its log and its files are told."
        )
    by = f" of the agent {row.agent_name}" if row.agent_name else " of its agent"
    raise NothingHere(
        "What the harvest collected is not on this machine", where=str(folder.path),
        remedy=f"Look on the machine{by}, or let both use the same home folder; one that just began needs a moment.",
    )  # fmt: skip
