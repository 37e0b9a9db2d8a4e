"""What is wrong with deliveries and documents, over all of them: by kind and centre, and one by one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet, Sum

from opilio.people.actor import Actor
from opilio.people.privileges import SYSTEM_WIDE, Privilege
from opilio.people.queries.visible import one
from opilio.tracker.models import DeliveryFinding, DocumentFinding, FindingKind
from opilio.tracker.queries.deliveries import agencies
from opilio.tracker.queries.overview import NO_CENTRE

_OF_DOCUMENT = "document__attempt__offering__delivery__zip__centre"
_OF_FILE = "delivery__zip__centre"


@dataclass(kw_only=True)
class KindLine:
    """A kind of finding with how many there are at each centre, in documents and in files."""

    id: int
    name: str
    description: str
    documents: dict[int, int] = field(default_factory=dict)  # centre → number
    files: dict[int, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many there are."""
        return sum(self.documents.values()) + sum(self.files.values())


def in_documents(actor: Actor) -> QuerySet[DocumentFinding]:
    """Findings about documents and records, newest first."""
    rows = DocumentFinding.objects.select_related(
        "kind", "document__attempt__offering__delivery__zip__centre", "document__attempt__offering__delivery__todo"
    )
    return _reached(rows.order_by("-id"), actor, _OF_DOCUMENT)


def in_files(actor: Actor) -> QuerySet[DeliveryFinding]:
    """Findings about the files themselves, newest first."""
    rows = DeliveryFinding.objects.select_related("kind", "delivery__zip__centre", "delivery__todo")
    return _reached(rows.order_by("-id"), actor, _OF_FILE)


def kinds(actor: Actor) -> QuerySet[FindingKind]:
    """All kinds by name, each with whether something is of it, be it of a centre that the asker may not see."""
    documents = DocumentFinding.objects.filter(kind=OuterRef("pk"))
    files = DeliveryFinding.objects.filter(kind=OuterRef("pk"))
    return FindingKind.objects.annotate(used=Exists(documents) | Exists(files)).order_by("short_name", "id")


def kind(actor: Actor, identifier: int) -> FindingKind:
    """One kind, or `NotFound`."""
    return one(kinds(actor), "kind of finding", identifier)


def by_kind(actor: Actor) -> list[KindLine]:
    """The kinds of which something counts now, the most frequent first."""
    known = {row.pk: row for row in kinds(actor)}
    found: dict[int, KindLine] = {}

    def line(key: int) -> KindLine:
        row = known[key]
        return found.setdefault(key, KindLine(id=key, name=row.short_name, description=row.description))

    documents = in_documents(actor).filter(active=True).order_by().values_list("kind_id", f"{_OF_DOCUMENT}_id")
    for key, centre, number in documents.annotate(number=Sum("count")):
        line(key).documents[centre or NO_CENTRE] = number
    files = in_files(actor).filter(active=True).order_by().values_list("kind_id", f"{_OF_FILE}_id")
    for key, centre, number in files.annotate(number=Count("pk")):
        line(key).files[centre or NO_CENTRE] = number
    return sorted(found.values(), key=lambda one: (-one.total, one.name))


def kind_choices(actor: Actor) -> list[tuple[str, str]]:
    """Kinds to choose from in a filter."""
    return [(str(key), name) for key, name in kinds(actor).values_list("pk", "short_name")]


def may_manage(actor: Actor) -> bool:
    """Whether the asker may describe and delete kinds, which all centres share."""
    return actor.may(Privilege.MANAGE_SOURCES, SYSTEM_WIDE)


def _reached(rows: "QuerySet[Any]", actor: Actor, centre: str) -> "QuerySet[Any]":
    reached = agencies(actor)
    limits: Mapping[str, Any] = {} if reached is None else {f"{centre}__agency_id__in": sorted(reached)}
    return rows.filter(**limits)
