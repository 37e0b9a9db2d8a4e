"""Which depository takes a harvest: the one that was chosen, else the one that is preferred, else our own store."""

from django.conf import settings
from django.db.models import F, Q, QuerySet

from opilio.curation import deposit_addresses
from opilio.curation.models import Depository, DepositoryKind
from opilio.kernel.errors import Conflict
from opilio.people.acting import Act
from opilio.people.errors import InvalidFields

OWN_NAME = "Archive of this installation"


class NoDepository(Conflict):
    """No depository takes the harvests of this agency."""


def usable(agency: int) -> QuerySet[Depository]:
    """The depositories that take harvests of an agency, those to be proposed first at first."""
    rows = Depository.objects.filter(Q(agency_id=agency) | Q(agency=None), active=True)
    return rows.order_by("-preferred", F("agency").asc(nulls_last=True), "name", "id")


def chosen(act: Act, agency: int, depository_id: int | None) -> Depository:
    """The one that was named, else the first of those that can be used, else a new one: the store of the settings."""
    rows = usable(agency)
    if depository_id is not None:
        found = rows.filter(pk=depository_id).first()
        if found is None:
            told = "Choose a depository that is active and takes harvests of this agency."
            raise InvalidFields({"depository": [told]}, where=act.name)
        return found
    return rows.first() or _own(act)


def _own(act: Act) -> Depository:
    """The store of the settings; made when somebody archives for the first time."""
    if Depository.objects.filter(name=OWN_NAME).exists():
        raise NoDepository(
            f"The depository {OWN_NAME!r} takes nothing, and there is no other", where=act.name,
            remedy="Switch one on, or make one, under Admin, Depositories.",
        )  # fmt: skip
    kind = DepositoryKind.S3 if settings.OPILIO.archive_store.startswith("s3://") else DepositoryKind.DIRECTORY
    row = Depository(
        id=deposit_addresses.fresh_identifier(), name=OWN_NAME, kind=kind, place=deposit_addresses.OWN_STORE,
        form="ocfl", active=True,
    )  # fmt: skip
    return act.insert(row, message="Made at first use: the store of the settings.")
