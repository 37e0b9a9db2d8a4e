"""Profiles: the list, one profile, a new one."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.curation.actions.profiles import create_profile, switch_profile, update_profile
from opilio.curation.kinds import PROFILE
from opilio.curation.profile_fields import to_typed
from opilio.curation.profile_settings import ProfileSettings, from_plain
from opilio.curation.queries import profiles as queries
from opilio.curation.words import ProfileStatus
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.homes import agencies_where
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.profiles import EditProfileForm, ProfileForm
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Choice, Words
from opilio.web.lists.show import show
from opilio.web.notes import panel
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Profile

PATH = "/admin/profiles"
_STATUSES = [(str(one.value), str(one.label)) for one in (ProfileStatus.ACTIVE, ProfileStatus.INACTIVE)]
_LEVELS = [("1", "1"), ("2", "2"), ("3", "3")]
_TONES = {ProfileStatus.ACTIVE: "good", ProfileStatus.INACTIVE: "quiet", ProfileStatus.LOCKED: "info"}


def _status(row: "Profile") -> Badge:
    if row.is_default:
        return Badge(text="default", tone="good")
    return Badge(text=ProfileStatus(row.status).label.lower(), tone=_TONES[ProfileStatus(row.status)])


_COLUMNS: "tuple[Column[Profile], ...]" = (
    Column(name="name", label="Profile", cell=lambda row: Link(text=row.name, url=f"{PATH}/{row.pk}"), sort="name"),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="status", label="Status", cell=_status, sort="status"),
    Column(name="level", label="Level", cell=lambda row: Number(number=row.level), sort="level", numeric=True),
    Column(name="used", label="Used by", cell=lambda row: Number(number=row.use_count), numeric=True),  # type: ignore[attr-defined]  # counted by the query
    Column(name="description", label="Description", cell=lambda row: Text(text=row.description, quiet=True)),
    Column(name="version", label="Version", cell=lambda row: Number(number=row.version), numeric=True, shown=False),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)
PROFILES: "ListPage[Profile]" = ListPage(
    name="profiles", path=PATH, title="Profiles", words=("profile", "profiles"), rows=queries.profiles,
    intro="How to crawl: scope, limits, manners. Targets and groups choose one, and may override parts of it.",
    columns=_COLUMNS, order=("name", "id"),
    filters=(
        Words(columns=("name", "description")),
        Choice(name="status", label="Status", column="status", offered=lambda actor: _STATUSES),
        Choice(name="level", label="Level", column="level", offered=lambda actor: _LEVELS),
        Choice(name="agency", label="Agency", column="agency_id", offered=lambda actor: [
            (str(number), name)
            for number, name in agencies_where(actor, Privilege.VIEW_PROFILES, Privilege.MANAGE_PROFILES)
        ]),
    ),
    new=New(label="New profile", path=f"{PATH}/new", privilege=Privilege.MANAGE_PROFILES),
    bulk=(
        Bulk(name="deactivate", label="Deactivate", icon="lock", done="deactivated",
             privilege=Privilege.MANAGE_PROFILES,
             warning="No target can choose them any more; those that have them keep them.",
             run=lambda actor, row: switch_profile(actor, profile_id=row.pk, verb="deactivate")),
        Bulk(name="activate", label="Activate", icon="lock-open", done="activated", privilege=Privilege.MANAGE_PROFILES,
             warning="Targets can choose them again.",
             run=lambda actor, row: switch_profile(actor, profile_id=row.pk, verb="activate")),
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
             privilege=Privilege.MANAGE_PROFILES,
             warning="Profiles that are in use, or a default, are left as they are.",
             run=lambda actor, row: delete_row(actor, kind_name="profile", row_id=row.pk)),
    ),
    empty=Empty(title="No profile yet", text="Make one; targets need it to be harvested.", icon="gauge"),
)  # fmt: skip


@section("profiles")
def profiles(request: PageRequest) -> HttpResponseBase:
    """The profiles of the asker's agencies."""
    return show(request, PROFILES)


@section("profiles")
def new_profile(request: PageRequest) -> HttpResponse:
    """Make a profile."""
    agencies = agencies_where(request.actor, Privilege.MANAGE_PROFILES)
    form = ProfileForm(
        request, agencies=agencies, initial={"agency": request.actor.agency, "level": 1, **to_typed(ProfileSettings())}
    )

    def save(data: dict[str, Any]) -> str:
        made = create_profile(
            request.actor, agency_id=data["agency"], name=data["name"], description=data["description"],
            level=data["level"], settings=form.settings,
        )  # fmt: skip
        messages.success(request, f"The profile {made.name} is made.")
        return f"{PATH}/{made.pk}"

    page = FormPage(
        title="New profile", back=PATH, button="Make profile", template="web/profiles/new.html",
        intro="What is left as it is means what the crawler does by itself.",
    )  # fmt: skip
    return answer(request, form, page, save=save)


@section("profiles")
def profile(request: PageRequest, profile_id: int) -> HttpResponse:
    """One profile, with the notes pinned to it."""
    row = queries.profile(request.actor, profile_id)
    values = {
        "name": row.name, "description": row.description, "level": row.level, **to_typed(from_plain(row.settings)),
    }  # fmt: skip
    form = EditProfileForm(request, initial={**values, "version": row.version})

    def save(data: dict[str, Any]) -> str:
        update_profile(
            request.actor, profile_id=row.pk, version=data["version"], name=data["name"],
            description=data["description"], level=data["level"], settings=form.settings,
        )  # fmt: skip
        messages.success(request, "Saved. Targets that use it follow at their next harvest.")
        return f"{PATH}/{row.pk}"

    context = {
        "row": row, "kind": "profile", "notes": panel(request.actor, PROFILE, row), "here": "settings",
        "may_change": request.actor.may(Privilege.MANAGE_PROFILES, Subject(agency=row.agency_id)),
    }  # fmt: skip
    page = FormPage(title=row.name, back=PATH, template="web/profiles/profile.html", context=context)
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
