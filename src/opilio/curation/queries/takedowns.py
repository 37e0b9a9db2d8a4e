"""Takedowns that the asker may see, what one would reach, its proofs; and what agents need for the work."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from opilio.archive.store.ocfl.archive import Archive
from opilio.curation import takedown_proofs
from opilio.curation.days import day_in
from opilio.curation.fixity import copies_of
from opilio.curation.harvest_folders import folder_of
from opilio.curation.models import Harvest, HarvestState, Takedown, TakedownLevel, TakedownProof, TakedownState
from opilio.curation.sight import seen
from opilio.curation.takedown_jobs import harvests_of, order_of, under_way
from opilio.curation.takedown_proofs import Place
from opilio.people.actor import Actor
from opilio.people.errors import NotAllowed
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.visible import one
from opilio.works.redact_preview import Reached, reached
from opilio.works.redact_reach import RedactionOrder

_HOLDERS = frozenset({Privilege.TAKEDOWN})
_MOST_HARVESTS = 200  # of a preview
_WITHOUT_DATA = (HarvestState.ABORTED,)


@dataclass(frozen=True, kw_only=True)
class ReachedHarvest:
    """What a takedown reaches in one harvest."""

    harvest: int
    name: str
    started_at: datetime | None
    here: bool  # whether its folder is on this machine
    found: Reached | None


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What a takedown reaches."""

    harvests: tuple[ReachedHarvest, ...]
    looked_at: int
    of: int  # harvests in its scope
    deposits: tuple[str, ...]

    @property
    def captures(self) -> int:
        """In all of them."""
        return sum(each.found.captures for each in self.harvests if each.found is not None)

    @property
    def more(self) -> bool:
        """Whether there may be more than were counted."""
        return self.looked_at < self.of or any(each.found.more for each in self.harvests if each.found is not None)


@dataclass(frozen=True, kw_only=True)
class Work:
    """What an agent needs to destroy in one harvest."""

    takedown: int
    harvest: int
    target: int
    order: RedactionOrder
    folder: Path
    expected: bool  # whether the folder should be somewhere
    archive: Archive | None
    identifier: str


def takedowns(actor: Actor) -> QuerySet[Takedown]:
    """Takedowns of the agencies in which the asker may order some."""
    rows: QuerySet[Takedown] = Takedown.objects.select_related("agency", "target", "harvest", "ordered_by", "lifted_by")
    return seen(rows, actor, privileges=_HOLDERS)


def takedown(actor: Actor, takedown_id: int) -> Takedown:
    """One takedown, or `NotFound`."""
    found: Takedown = one(takedowns(actor), "takedown", takedown_id)
    return found


def proofs(row: Takedown) -> Sequence[TakedownProof]:
    """All that was done for it, in order."""
    return list(TakedownProof.objects.filter(takedown=row).order_by("id"))


def places(row: Takedown) -> list[Place]:
    """How it stands at each place now."""
    return [
        Place(name=proof.place, done=proof.done, what=proof.what)
        for proof in takedown_proofs.newest(row).values()
        if proof.place != "review"
    ]


def preview(row: Takedown) -> Preview:
    """What a takedown reaches, by the indexes of the harvests that lie here; the newest ones."""
    order, scope = order_of(row), harvests_of(row).select_related("abstract_target")
    looked = list(scope[:_MOST_HARVESTS])
    found = [each for each in (_in_harvest(harvest, order) for harvest in looked) if _counts(each)]
    deposits = tuple(place.name for place in takedown_proofs.deposits_of(row))
    return Preview(harvests=tuple(found), looked_at=len(looked), of=scope.count(), deposits=deposits)


def preview_for(actor: Actor, row: Takedown) -> Preview:
    """The same for one that is not ordered yet; only of an agency in which the asker may."""
    if not may(actor, row):
        raise NotAllowed(
            f"{actor.username} may not look into harvests of this agency for a takedown", where="takedown",
            remedy="It needs the privilege TAKEDOWN in that agency; ask an administrator.",
        )  # fmt: skip
    return preview(row)


def _in_harvest(harvest: Harvest, order: RedactionOrder) -> ReachedHarvest:
    folder = folder_of(harvest.pk).path
    here = folder.is_dir()
    return ReachedHarvest(
        harvest=harvest.pk, name=harvest.abstract_target.name, started_at=harvest.started_at,
        here=here or harvest.purged or harvest.state in _WITHOUT_DATA, found=reached(folder, order) if here else None,
    )  # fmt: skip


def _counts(each: ReachedHarvest) -> bool:
    return not each.here or (each.found is not None and each.found.captures > 0)


def may(actor: Actor, row: Takedown) -> bool:
    """Whether the asker may act on a takedown."""
    return actor.may(Privilege.TAKEDOWN, Subject(agency=row.agency_id))


def document(row: Takedown) -> dict[str, Any]:
    """The takedown with all its proofs, for whoever must account for it."""
    return {
        "takedown": str(row.pk), "agency": row.agency.name, "level": row.level, "state": row.state,
        "reach": row.reach, "value": row.value, "target": _id(row.target_id), "harvest": _id(row.harvest_id),
        "captured_from": _time(row.captured_from), "captured_to": _time(row.captured_to),
        "authority": row.authority, "reason": row.reason, "reference": row.reference,
        "review_on": row.review_on.isoformat() if row.review_on else None,
        "ordered_at": _time(row.ordered_at), "ordered_by": str(row.ordered_by or "system"),
        "lifted_at": _time(row.lifted_at), "lifted_why": row.lifted_why,
        "proofs": [
            {"at": _time(proof.at), "place": proof.place, "done": proof.done, "what": proof.what,
             "details": proof.details}
            for proof in proofs(row)
        ],
    }  # fmt: skip


def to_destroy(takedown_id: int, harvest_id: int) -> Work | None:
    """The work of one job; None when it need not be done. For agents."""
    row = Takedown.objects.filter(
        pk=takedown_id, level=TakedownLevel.DESTROY, state__in=(TakedownState.IN_FORCE, TakedownState.DONE)
    ).first()
    harvest = Harvest.objects.filter(pk=harvest_id).first()
    if row is None or harvest is None:
        return None
    copies = copies_of(harvest)
    return Work(
        takedown=row.pk, harvest=harvest.pk, target=harvest.abstract_target_id, order=order_of(row),
        folder=copies.folder, expected=not harvest.purged and harvest.state not in _WITHOUT_DATA,
        archive=copies.archive, identifier=copies.identifier,
    )  # fmt: skip


def places_elsewhere(takedown_id: int) -> Iterator[Place]:
    """The places of a takedown that no job sees to; without those a person has settled. For agents."""
    row = Takedown.objects.filter(pk=takedown_id).first()
    if row is None:
        return
    known = takedown_proofs.newest(row)
    for place in takedown_proofs.elsewhere(row):
        if not (place.by_hand and place.name in known and known[place.name].done):
            yield place


def accepted(takedown_id: int, place: str) -> bool:
    """Whether a person wrote down that a place is settled as it is."""
    last = TakedownProof.objects.filter(takedown_id=takedown_id, place=place).order_by("-id").first()
    return last is not None and last.done and "by" in last.details


def destroyed_payloads(takedown_id: int) -> set[str]:
    """The digests of the payloads that were destroyed, as proofs have them."""
    rows = TakedownProof.objects.filter(takedown_id=takedown_id).values_list("details", flat=True)
    return {str(digest) for details in rows for digest in details.get("payloads", ())}


def waiting(takedown_id: int) -> int:
    """How many harvests still wait for it."""
    return under_way(takedown_id)


def due_for_review(now: datetime) -> list[int]:
    """The takedowns whose day to be looked at again has come; for agents."""
    rows = Takedown.objects.filter(review_on__isnull=False).exclude(state=TakedownState.LIFTED).select_related("agency")
    return [row.pk for row in rows if row.review_on is not None and row.review_on <= day_in(now, row.agency.time_zone)]


def unsettled() -> list[int]:
    """Destructions that are not done."""
    rows = Takedown.objects.filter(level=TakedownLevel.DESTROY, state=TakedownState.IN_FORCE)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def _id(number: int | None) -> str | None:
    return str(number) if number is not None else None


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment is not None else None
