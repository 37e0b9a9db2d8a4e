"""Depositories and deposits that the asker may see, and whether a depository can be reached."""

from typing import Any

from django.db.models import Count, Q, QuerySet

from opilio.curation import deposit_addresses, deposit_choice
from opilio.curation.models import Deposit, Depository, DepositState, Harvest
from opilio.curation.sight import seen
from opilio.jobs.models import Job
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.visible import one, visible

_MANAGE = Privilege.CONFIGURE_PARAMETERS


def depositories(actor: Actor) -> QuerySet[Depository]:
    """The depositories that the asker manages, each with the number of its deposits."""
    rows: QuerySet[Depository] = Depository.objects.select_related("agency", "updated_by").annotate(
        received=Count("deposits", filter=Q(deposits__state=DepositState.DONE)),
        failed=Count("deposits", filter=Q(deposits__state=DepositState.FAILED)),
    )
    return visible(rows, actor, _MANAGE)


def depository(actor: Actor, depository_id: int) -> Depository:
    """One of them, or `NotFound`."""
    return one(depositories(actor), "depository", depository_id)


def probe(actor: Actor, depository_id: int) -> str:
    """Whether a depository can be reached from here and used; what was found. Its errors say what is wrong."""
    row = depository(actor, depository_id)
    row.timeout = min(row.timeout, _PATIENCE)
    return deposit_addresses.open_row(row, clock=actor.clock).probe()


_PATIENCE = 10  # seconds that somebody waits for a trial


def choices(harvest: Harvest) -> QuerySet[Depository]:
    """The depositories that take a harvest, the one to be proposed at first; for whoever may archive it."""
    return deposit_choice.usable(harvest.agency_id)


def deposits(actor: Actor) -> QuerySet[Deposit]:
    """Deposits of harvests of the agencies in which the asker works, newest first."""
    rows: QuerySet[Deposit] = Deposit.objects.select_related(
        "harvest", "harvest__abstract_target", "harvest__agency", "harvest__owner", "depository", "by"
    )
    return seen(rows, actor, agency_path="harvest__agency_id")


def deposit(actor: Actor, deposit_id: int) -> Deposit:
    """One of them, or `NotFound`."""
    return one(deposits(actor), "deposit", deposit_id)


def of_harvest(actor: Actor, harvest_id: int) -> list[Deposit]:
    """The deposits of a harvest, newest first."""
    return list(deposits(actor).filter(harvest_id=harvest_id).order_by("-id"))


def may_archive(actor: Actor, harvest: Harvest) -> bool:
    """Whether the asker may archive a harvest, once it is endorsed."""
    return actor.may(Privilege.ARCHIVE_HARVEST, Subject(agency=harvest.agency_id, owner=harvest.owner_id))


def progress_of(row: Deposit) -> dict[str, Any] | None:
    """How far the agent is with a deposit that is under way; None when none is at it."""
    found = Job.objects.filter(pk=row.job or 0).values("percent", "progress", "state", "attempts").first()
    return dict(found) if found and row.state not in (DepositState.DONE, DepositState.FAILED) else None


def is_proven(row: Deposit) -> bool:
    """Whether what the depository has was read again and is what was handed over."""
    return row.state == DepositState.DONE and bool((row.receipt.get("check") or {}).get("ok"))
