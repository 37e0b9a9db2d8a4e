"""The WARC files of endorsed results that partners may fetch, for whoever may hand results over."""

from collections.abc import Callable, Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from django.db.models import Exists, OuterRef, Q, QuerySet

from opilio.archive.packing.wasapi import Query, WebData
from opilio.archive.warc.names import begun_at, find
from opilio.curation.harvest_folders import folder_of
from opilio.curation.models import HarvestFile, Result, ResultState
from opilio.people.actor import Actor
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries.visible import one
from opilio.works.harvest_records import NothingHere

_PIECE = 2_000  # rows read at a time
_WARC = Q(name__endswith=".warc") | Q(name__endswith=".warc.gz")

#: The address at which a file can be fetched.
Address = Callable[[HarvestFile], str]


def offered(actor: Actor, query: Query, address: Address) -> Iterator[WebData]:
    """The files that may be wanted, harvest by harvest; what the query asks for beyond that is not looked at here."""
    rows = _files(actor)
    if query.collection and all(map(_is_id, query.collection)):
        rows = rows.filter(harvest__abstract_target_id__in=sorted(map(int, query.collection)))
    if _is_id(query.crawl):
        rows = rows.filter(harvest_id=int(query.crawl))
    ordered = rows.order_by("harvest_id", "result", "name").iterator(chunk_size=_PIECE)
    for harvest, files in groupby(ordered, key=attrgetter("harvest_id")):
        held = list(files)
        numbers = {1} if all(one.result == 1 for one in held) else _lineage(harvest)
        yield from (_told(one, address(one)) for one in held if one.result in numbers)


def fetched(actor: Actor, file_id: int) -> tuple[HarvestFile, Path]:
    """A file that may be fetched, and where it lies; `NothingHere` when it is not on this machine."""
    row = one(_files(actor), "file", file_id)
    if row.result != 1 and row.result not in _lineage(row.harvest_id):
        raise NotFound(f"There is no file {file_id} that you may see", remedy="It belongs to no endorsed result.")
    path = find(folder_of(row.harvest_id).crawl.warcs, row.name)
    if path is None:
        remedy = "Ask where its agent runs, or let both use the same home folder."
        raise NothingHere("The file is not on this machine", where=row.name, remedy=remedy)
    return row, path


def _files(actor: Actor) -> QuerySet[HarvestFile]:
    """Files of harvests that have an endorsed result and were not purged, where the asker may archive them."""
    endorsed = Result.objects.filter(harvest_id=OuterRef("harvest_id"), state=ResultState.ENDORSED, imported=False)
    rows = HarvestFile.objects.select_related("harvest").filter(
        _WARC, Exists(endorsed), harvest__deleted=False, harvest__purged=False
    )
    if actor.is_system:
        return rows
    reach = Q(pk__in=())
    for grant in actor.grants:
        if grant.privilege is not Privilege.ARCHIVE_HARVEST:
            continue
        if grant.scope is Scope.ALL:
            return rows
        own = {"harvest__owner_id": actor.own} if grant.scope is Scope.OWNER else {}
        reach |= Q(harvest__agency_id=grant.agency, **own)
    return rows.filter(reach)


def _lineage(harvest: int) -> set[int]:
    """The numbers of the endorsed results of a harvest, and of those that they are derived from."""
    rows = Result.objects.filter(harvest_id=harvest).values_list("number", "derived_from", "state")
    parents = {number: parent for number, parent, _ in rows}
    found: set[int] = set()
    for number, _, state in rows:
        at = number if state == ResultState.ENDORSED else None
        while at is not None and at not in found:
            found.add(at)
            at = parents.get(at)
    return found


def _told(row: HarvestFile, address: str) -> WebData:
    harvest = row.harvest
    algorithm, _, value = row.digest.partition(":")
    return WebData(
        filename=row.name, size=row.size, checksums={algorithm: value} if value else {}, locations=[address],
        account=str(harvest.agency_id), collection=str(harvest.abstract_target_id), crawl=str(harvest.pk),
        crawl_time=begun_at(row.name) or harvest.started_at, crawl_start=harvest.started_at,
        store_time=harvest.ended_at,
    )  # fmt: skip


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
