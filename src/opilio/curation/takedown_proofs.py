"""What is known about a takedown at each place: the newest proof counts."""

from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings

from opilio.curation import deposit_addresses
from opilio.curation.models import Deposit, DepositState, Takedown, TakedownLevel, TakedownProof, TakedownState
from opilio.curation.takedown_jobs import harvests_of, under_way
from opilio.works.redact_places import generations_before
from opilio.works.search_setup import search_home

GENERATIONS = "index generations"
BACKUPS = "backups"


@dataclass(frozen=True, kw_only=True)
class Found:
    """What an agent destroyed in one harvest."""

    records: int
    resources: int
    warcs: dict[str, str] = field(default_factory=dict)  # name → sha256 now
    results: dict[int, str] = field(default_factory=dict)  # number → sha256 now


@dataclass(frozen=True, kw_only=True)
class Place:
    """A place to which a takedown must be carried."""

    name: str
    done: bool
    what: str
    by_hand: bool = False  # a person must see to it and say so


def newest(row: Takedown) -> dict[str, TakedownProof]:
    """The newest proof of each place."""
    return {proof.place: proof for proof in TakedownProof.objects.filter(takedown=row).order_by("id")}


def open_places(row: Takedown) -> list[str]:
    """The places at which something may be left."""
    found = [proof.place for proof in newest(row).values() if not proof.done and proof.place != "review"]
    waiting = under_way(row.pk)
    return [*found, *([f"{waiting} harvests"] if waiting else [])]


def elsewhere(row: Takedown) -> list[Place]:
    """The places that no job of a harvest sees to: generations of the index, depositories, backups."""
    if row.level != TakedownLevel.DESTROY or row.state == TakedownState.PROPOSED:
        return []
    places = [_generations(row), *deposits_of(row)]
    what = "Backups made before the destruction still have it: let them run out or remove them, then write it down."
    return [*places, Place(name=BACKUPS, done=False, what=what, by_hand=True)]


def deposits_of(row: Takedown) -> list[Place]:
    """What was handed to depositories other than the archive of this installation."""
    rows = Deposit.objects.filter(harvest_id__in=harvests_of(row).values("pk"), state=DepositState.DONE)
    return [
        Place(
            name=f"deposit {deposit.pk} at {deposit.depository}"[:255], done=False, by_hand=True,
            what=f"Ask the depository to take it out of {deposit.archive_id}, then write down here what it did.",
        )
        for deposit in rows.select_related("depository").order_by("id")
        if not deposit_addresses.is_own_archive(deposit.depository)
    ]  # fmt: skip


def _generations(row: Takedown) -> Place:
    last = TakedownProof.objects.filter(takedown=row, place__startswith="harvest ").order_by("-at").first()
    since: datetime = last.at if last is not None else row.ordered_at
    left = generations_before(search_home(settings.OPILIO).generations.root, since)
    if not left:
        return Place(name=GENERATIONS, done=True, what="No generation is older than the destruction.")
    what = (
        f"{len(left)} generations made before it may hold its words, which readers are refused: {', '.join(left[:5])}. "
        "Publish a new one; old ones go by themselves, or remove them."
    )
    return Place(name=GENERATIONS, done=False, what=what)
