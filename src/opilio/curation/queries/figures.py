"""Numbers of the whole installation for those who look after it, whoever may see the rows."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Sum

from opilio.curation.models import Harvest, HarvestFigures, Result
from opilio.curation.publishing import endorsed
from opilio.curation.queries.publications import harvests_of, last_done


@dataclass(frozen=True, kw_only=True)
class Collected:
    """What harvests brought."""

    bytes: int
    down: int  # URLs
    failed: int
    waiting: int


@dataclass(frozen=True, kw_only=True)
class IndexLag:
    """How far the public index is behind what is endorsed."""

    generation: str  # empty: none was published
    made: datetime | None
    added: int  # harvests that the next generation will add
    dropped: int


def harvests_by_state() -> Mapping[str, int]:
    """How many harvests are in each state."""
    return dict(Harvest.objects.order_by().values_list("state").annotate(count=Count("id")))


def collected_by_state() -> Mapping[str, Collected]:
    """What the harvests in each state brought."""
    rows = HarvestFigures.objects.order_by().values("harvest__state").annotate(
        size=Sum("data_amount"), down=Sum("urls_down"), failed=Sum("urls_failed"), waiting=Sum("urls_waiting")
    )  # fmt: skip
    return {
        row["harvest__state"]: Collected(
            bytes=row["size"], down=row["down"], failed=row["failed"], waiting=row["waiting"]
        )
        for row in rows
    }


def index_lag(now: datetime) -> IndexLag:
    """The newest generation, and what is endorsed but not in it, or in it but not endorsed any more."""
    last = last_done()
    held, wanted = harvests_of(last), {row.harvest_id for row in endorsed(now)}
    return IndexLag(
        generation=last.generation if last else "",
        made=last.ended_at if last else None,
        added=len(wanted - held),
        dropped=len(held - wanted),
    )


def harvests_known(numbers: Collection[int]) -> set[int]:
    """Those of some identifiers that are harvests, deleted ones too."""
    return set(Harvest.everything.filter(pk__in=sorted(numbers)).values_list("pk", flat=True))


def results_known(harvests: Collection[int]) -> Mapping[int, set[int]]:
    """The numbers of the results of some harvests, by harvest."""
    found: dict[int, set[int]] = {}
    for harvest, number in Result.everything.filter(harvest__in=sorted(harvests)).values_list("harvest", "number"):
        found.setdefault(harvest, set()).add(number)
    return found
