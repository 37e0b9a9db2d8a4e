"""Patches under way; for agents, which see everything."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from opilio.curation import harvest_plan
from opilio.curation.harvested import targets_of
from opilio.curation.models import Harvest, Result, ResultState
from opilio.curation.patch_jobs import FOLDER, IMPORTS
from opilio.jobs import queue

_MOST = 1_000  # in one look
_LATELY = datetime.timedelta(days=3)  # how long is looked for what patches left
_MAKING = (ResultState.CRAWLING, ResultState.MODIFYING, ResultState.INDEXING)


@dataclass(frozen=True, kw_only=True)
class PatchFacts:
    """What counts for a patch beside the frozen plan."""

    today: datetime.date
    forbidden: tuple[str, ...]  # RE2: what permissions exclude by now


def facts(harvest_id: int, now: datetime.datetime) -> PatchFacts:
    """The day of the agency, and what may not be collected any more."""
    harvest = Harvest.objects.select_related("agency", "abstract_target").get(pk=harvest_id)
    today = harvest_plan.day_of(harvest, now)
    excluded = harvest_plan.exclusions_of(targets_of(harvest.abstract_target), today)
    return PatchFacts(today=today, forbidden=tuple(one.expression for one in excluded))


def goes_on(result_id: int) -> bool:
    """Whether nobody gave the patch up."""
    return Result.objects.filter(pk=result_id, state=ResultState.CRAWLING).exists()


def left_over(now: datetime.datetime) -> Iterator[tuple[int, str]]:
    """Folders, below those of harvests, whose WARC files went into a result or are not wanted any more."""
    rows = Result.everything.filter(number__gt=1, state_since__gt=now - _LATELY).exclude(state__in=_MAKING)
    for harvest, number, change in rows.order_by("id").values_list("harvest_id", "number", "change")[:_MOST]:
        if "patch" in change:
            yield harvest, f"{FOLDER}/{number}"
        for name in change.get("add", ()):
            parts = PurePosixPath(name).parts
            if len(parts) > 2 and parts[0] == IMPORTS and ".." not in parts:
                yield harvest, f"{IMPORTS}/{parts[1]}"


def orphans() -> Iterator[int]:
    """Results for which a job should crawl, and whose job is finished or gone."""
    rows = Result.objects.filter(state=ResultState.CRAWLING).order_by("id").values_list("id", "job")[:_MOST]
    page = list(rows)
    alive = queue.unfinished_among([job for _, job in page if job is not None])
    yield from (identifier for identifier, job in page if job not in alive)
