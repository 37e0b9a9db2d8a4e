"""Harvests whose data may be removed, for whoever may purge; and what a purge of one would remove."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.db.models import QuerySet

from opilio.curation import purging
from opilio.curation.harvest_folders import folder_of
from opilio.curation.models import Harvest
from opilio.curation.purging import Judgement
from opilio.curation.sight import seen
from opilio.people.actor import Actor
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.visible import one
from opilio.works.purge_harvest import data_of, needed_by

_PURGERS = frozenset({Privilege.PURGE})
_MOST_TOLD = 20


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What would be removed, and what stands against it."""

    judgement: Judgement
    here: bool  # whether its folder is on this machine
    files: int
    bytes: int
    needed_by: tuple[str, ...]  # harvests that refer to its captures, each with a URL

    @property
    def allowed(self) -> bool:
        """Whether an agent would remove it."""
        return self.judgement.allowed and not self.needed_by

    @property
    def why_not(self) -> str:
        """What stands against it, for people."""
        if self.judgement.why_not or not self.needed_by:
            return self.judgement.why_not
        return "Later harvests refer to its captures. Archive them self-contained and purge them first, or keep it."


def candidates(actor: Actor) -> QuerySet[Harvest]:
    """Harvests that are over and still have their data, of the agencies in which the asker may purge."""
    rows: QuerySet[Harvest] = Harvest.objects.select_related("abstract_target", "agency", "owner", "figures")
    return seen(rows.filter(state__in=purging.OVER, purged=False), actor, privileges=_PURGERS)


def of_asker(actor: Actor, harvest_id: int) -> Harvest:
    """A harvest in whatever state that the asker could purge."""
    rows: QuerySet[Harvest] = Harvest.objects.select_related("abstract_target", "agency", "owner", "figures")
    found: Harvest = one(seen(rows, actor, privileges=_PURGERS), "harvest", harvest_id)
    return found


def judgement(harvest_id: int, now: datetime) -> Judgement | None:
    """Whether the data of a harvest may go; None when there is no such harvest. For agents."""
    row = Harvest.objects.filter(pk=harvest_id).first()
    return purging.judged(row, now) if row is not None else None


def judged(actor: Actor, row: Harvest) -> Judgement:
    """The same for a row that the asker sees."""
    return purging.judged(row, actor.clock.now())


def preview(actor: Actor, row: Harvest) -> Preview:
    """What lies on this machine, and who refers to it."""
    folder = folder_of(row.pk).path
    files, size = data_of(folder) if folder.is_dir() else (0, 0)
    told = tuple(itertools.islice(_needing(row.pk, folder), _MOST_TOLD)) if folder.is_dir() else ()
    return Preview(judgement=judged(actor, row), here=folder.is_dir(), files=files, bytes=size, needed_by=told)


def _needing(harvest_id: int, folder: Path) -> Iterator[str]:
    """The harvests that refer to this one, each once, and those of which nobody here can tell."""
    others = list(purging.standing_on(harvest_id))
    yield from (f"harvest {each.name}, whose data is not on this machine" for each in others if not each.is_dir())
    known = set()
    for found in needed_by(folder, others):
        name = found.crawl.rpartition("/")[2]
        if name not in known:
            known.add(name)
            yield f"harvest {name}, such as {found.original.url}"


def may(actor: Actor, row: Harvest) -> bool:
    """Whether the asker may purge a harvest."""
    return actor.may(Privilege.PURGE, Subject(agency=row.agency_id, owner=row.owner_id))
