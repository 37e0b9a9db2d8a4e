"""URLs that results lack, as far as the asker may see them."""

from collections.abc import Collection, Mapping

from django.db.models import Count, QuerySet

from opilio.curation.missing_urls import MOST_LINES
from opilio.curation.models import MissingUrl, PatchState, Result, ResultState
from opilio.curation.queries.results import results
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.queries.visible import one


def missing_urls(actor: Actor) -> QuerySet[MissingUrl]:
    """Those of harvests of the agencies in which the asker works."""
    rows: QuerySet[MissingUrl] = MissingUrl.objects.select_related("harvest", "updated_by")
    return seen(rows, actor, agency_path="harvest__agency_id")


def missing_url(actor: Actor, missing_id: int) -> MissingUrl:
    """One by its identifier."""
    found: MissingUrl = one(missing_urls(actor), "missing URL", missing_id)
    return found


def of_result(actor: Actor, row: Result) -> QuerySet[MissingUrl]:
    """What one result lacks."""
    return missing_urls(actor).filter(harvest=row.harvest_id, result=row.number)


def counts(actor: Actor, row: Result) -> Mapping[str, int]:
    """How many are in each state."""
    rows = of_result(actor, row).order_by("state").values("state")
    found = {each["state"]: each["urls"] for each in rows.annotate(urls=Count("id"))}
    return {state.value: found.get(state.value, 0) for state in PatchState}


def waiting(actor: Actor, row: Result) -> Mapping[str, int]:
    """How many wait, by how they were noticed; only those that occur."""
    rows = of_result(actor, row).filter(state=PatchState.WAITING).order_by("noticed").values("noticed")
    return {each["noticed"]: each["urls"] for each in rows.annotate(urls=Count("id"))}


def waiting_ids(actor: Actor, row: Result, noticed: Collection[str]) -> list[int]:
    """Those that wait and were noticed in one of these ways, oldest first."""
    rows = of_result(actor, row).filter(state=PatchState.WAITING, noticed__in=noticed).order_by("id")
    return list(rows.values_list("id", flat=True)[: MOST_LINES + 1])


def patch_under_way(actor: Actor, row: Result) -> Result | None:
    """The result for which an agent crawls, or that it makes of what it fetched."""
    making = (ResultState.CRAWLING, ResultState.MODIFYING)
    found = results(actor).filter(harvest=row.harvest_id, state__in=making, change__has_key="patch").order_by("-id")
    return found.first()
