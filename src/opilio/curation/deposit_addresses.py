"""Depositories as the works open them: the secret unsealed, within what operators allow."""

from django.conf import settings

from opilio.catalogue import identifiers
from opilio.curation.models import Depository
from opilio.kernel.clock import Clock
from opilio.kernel.secret_box import SecretBox
from opilio.works.depositories import opened, values
from opilio.works.depositories.ocfl import Sealed
from opilio.works.depositories.opened import Address

FORMS = ("bag", "wacz", "ocfl")
OWN_STORE = opened.OWN_STORE


def address_of(row: Depository, secret: str | None = None) -> Address:
    """How a depository is reached; `secret` in place of the stored one."""
    shown = _opened(row) if secret is None else secret
    return Address(
        kind=row.kind, place=row.place, form=row.form, username=row.username, secret=shown, timeout=float(row.timeout)
    )


def open_row(row: Depository, *, clock: Clock, sealed: Sealed | None = None) -> values.Depository:
    """The depository itself; `BadPlace` when it cannot be used as it is set up."""
    return opened.open_depository(address_of(row), settings.OPILIO, sealed=sealed, clock=clock)


def is_own_archive(row: Depository) -> bool:
    """Whether what it has lies in the archive of this installation, which takedowns and fixity reach into."""
    return row.form == "ocfl" and row.place.rstrip("/") in (OWN_STORE, settings.OPILIO.archive_store.rstrip("/"))


def require_usable(address: Address) -> None:
    """`BadPlace` says why a depository could not be used; nothing is asked of it."""
    opened.open_depository(address, settings.OPILIO)


def sealed_secret(identifier: int, secret: str) -> bytes:
    """A secret as it is stored with the depository of this identifier."""
    return _box().seal(secret, place=_place(identifier)).encode() if secret else b""


def fresh_identifier() -> int:
    """An identifier for a depository that is about to be stored: its secret is bound to it."""
    return identifiers.take(Depository.id_kind())


def _opened(row: Depository) -> str:
    sealed = bytes(row.secret) if row.secret else b""
    return _box().open(sealed.decode(), place=_place(row.pk)) if sealed else ""


def _box() -> SecretBox:
    return SecretBox(settings.OPILIO.secrets_folder)


def _place(identifier: int) -> str:
    return f"depository {identifier} secret"
