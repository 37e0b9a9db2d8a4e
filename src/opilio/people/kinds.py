"""The kinds of curated rows: for each its model, its words, whose it is, and the privilege that rules it.

What works on any curated row (delete, restore, annotate, the "Deleted" page) asks here; each app registers its kinds.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from opilio.catalogue.curated import Curated
from opilio.people.errors import NotFound
from opilio.people.models import Agency, Annotation, ListEntry, Parameter, Role, SavedView, User, Webhook
from opilio.people.privileges import SYSTEM_WIDE, Privilege, Subject


@dataclass(frozen=True, kw_only=True)
class Ruled:
    """Some rows of a kind that another privilege rules than the rest."""

    privilege: Privilege
    where: Mapping[str, Any]  # which rows, as a filter


@dataclass(frozen=True, kw_only=True)
class Kind:
    """What is the same for all rows of one curated table."""

    name: str  # as in audit entries and addresses: list-entry
    label: str  # as people read it
    plural: str
    model: type[Curated]
    privilege: Privilege  # rules deleting and restoring
    subject: Callable[[Any], Subject]  # whose a row is
    agency_path: str = ""  # column path to the agency, for filtering; empty: belongs to none
    owner_path: str = ""  # column path to the owner, where a user owns it
    annotated: bool = True  # whether people may pin notes to it
    noted: Privilege | None = None  # rules reading and pinning notes; None: as deleting
    ruled: tuple[Ruled, ...] = ()  # rows whose deleting and restoring another privilege rules
    owner_may: bool = True  # whether the owner of a row needs no privilege to delete, restore and annotate it
    needed: Callable[[Any], str] = lambda row: ""  # why a row cannot be deleted now; empty: it can
    follow: Callable[[Any, Any], None] = lambda act, row: None  # what else changes once it is deleted or restored

    @property
    def privileges(self) -> tuple[Privilege, ...]:
        """All that rule deleting and restoring some row."""
        return (self.privilege, *(one.privilege for one in self.ruled))

    def privilege_of(self, row: Curated) -> Privilege:
        """What rules deleting and restoring this row."""
        rows = self.model.everything.filter(pk=row.pk)
        return next((one.privilege for one in self.ruled if rows.filter(**one.where).exists()), self.privilege)

    @property
    def note_privilege(self) -> Privilege:
        """What lets somebody read and pin notes."""
        return self.noted or self.privilege


_KINDS: dict[str, Kind] = {}


def register(kind: Kind) -> Kind:
    """Make a kind known; an app calls it once for each of its curated tables."""
    _KINDS[kind.name] = kind
    return kind


def kinds() -> tuple[Kind, ...]:
    """All kinds, in the order in which they were registered."""
    return tuple(_KINDS.values())


def kind_named(name: str) -> Kind:
    """The kind with this name, which may have come from outside."""
    found = _KINDS.get(name)
    if found is None:
        raise NotFound(f"There is no kind of row called {name[:64]!r}", remedy=f"Known are {', '.join(_KINDS)}.")
    return found


def kind_of(row: Curated) -> Kind:
    """The kind that a row belongs to."""
    return next(kind for kind in _KINDS.values() if isinstance(row, kind.model))


AGENCY = register(
    Kind(
        name="agency",
        label="Agency",
        plural="Agencies",
        model=Agency,
        privilege=Privilege.MANAGE_AGENCIES,
        subject=lambda row: Subject(agency=row.id),
        agency_path="id",
    )
)
USER = register(
    Kind(
        name="user",
        label="User",
        plural="Users",
        model=User,
        privilege=Privilege.MANAGE_USERS,
        subject=lambda row: Subject(agency=row.agency_id),
        agency_path="agency_id",
    )
)
ROLE = register(
    Kind(
        name="role",
        label="Role",
        plural="Roles",
        model=Role,
        privilege=Privilege.MANAGE_ROLES,
        subject=lambda row: Subject(agency=row.agency_id),
        agency_path="agency_id",
    )
)
LIST_ENTRY = register(
    Kind(
        name="list-entry",
        label="List entry",
        plural="List entries",
        model=ListEntry,
        privilege=Privilege.CONFIGURE_PARAMETERS,
        subject=lambda row: SYSTEM_WIDE,
        annotated=False,
    )
)
PARAMETER = register(
    Kind(
        name="parameter",
        label="Parameter",
        plural="Parameters",
        model=Parameter,
        privilege=Privilege.CONFIGURE_PARAMETERS,
        subject=lambda row: SYSTEM_WIDE,
        annotated=False,
    )
)
ANNOTATION = register(
    Kind(
        name="annotation",
        label="Annotation",
        plural="Annotations",
        model=Annotation,
        privilege=Privilege.MANAGE_USERS,
        subject=lambda row: _of_user(row.author),
        agency_path="author__agency_id",
        owner_path="author_id",
        annotated=False,
    )
)
SAVED_VIEW = register(
    Kind(
        name="saved-view",
        label="Saved view",
        plural="Saved views",
        model=SavedView,
        privilege=Privilege.MANAGE_USERS,
        subject=lambda row: _of_user(row.owner),
        agency_path="owner__agency_id",
        owner_path="owner_id",
        annotated=False,
    )
)
WEBHOOK = register(
    Kind(
        name="webhook",
        label="Webhook",
        plural="Webhooks",
        model=Webhook,
        privilege=Privilege.MANAGE_WEBHOOKS,
        subject=lambda row: Subject(agency=row.agency_id),
        agency_path="agency_id",
        annotated=False,
    )
)


def _of_user(user: User) -> Subject:
    return Subject(agency=user.agency_id, owner=user.id)
