"""Groups: the list, a new one, and the details of one."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.curation.actions.groups import copy_group, create_group, update_group
from opilio.curation.profiling import choosable
from opilio.curation.queries import groups as query
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.web.forms.groups import CopyGroupForm, GroupAccessForm, GroupForm, NewGroupForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.group_list import GROUPS
from opilio.web.group_page import PATH, frame
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Group
    from opilio.people.actor import Actor

_SHOWN = ("name", "reference", "description", "group_type", "ownership_metadata", "start_date", "end_date",
          "harvest_as", "profile_note", "follow_reference", "prune_again")  # fmt: skip
_ACCESS = ("access_zone", "embargo_days", "display", "display_note", "display_change_reason")


@section("groups")
def groups(request: PageRequest) -> HttpResponseBase:
    """The groups of the agencies in which the asker works."""
    return show(request, GROUPS)


@section("groups")
def new_group(request: PageRequest) -> HttpResponse:
    """Make a group; members come next."""
    agencies = agencies_where(request.actor, Privilege.CREATE_GROUP)

    def save(data: dict[str, Any]) -> str:
        made = create_group(
            request.actor, agency_id=data.pop("agency"), parent_id=data.pop("parent"),
            profile_id=data.pop("profile"), **data,
        )  # fmt: skip
        messages.success(request, f"The group {made.name} is made. Say who belongs to it.")
        return f"{PATH}/{made.pk}/members"

    profiles = [pair for number, _ in agencies for pair in _profiles(request.actor, number)]
    form = NewGroupForm(
        request, agencies=agencies, profiles=profiles, parents=query.parent_choices(request.actor),
        initial={"agency": request.actor.agency, "parent": request.GET.get("parent", "")},
    )  # fmt: skip
    page = FormPage(
        title="New group", back=PATH, button="Make group",
        intro="Targets and groups that belong together. It is pending until a member of it is collected.",
    )  # fmt: skip
    return answer(request, form, page, save=save)


@section("groups")
def group(request: PageRequest, group_id: int) -> HttpResponse:
    """One group: its status, where it is, its details."""
    row = query.group(request.actor, group_id)

    def save(data: dict[str, Any]) -> str:
        update_group(request.actor, group_id=row.pk, profile_id=data.pop("profile"), **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.pk}"

    values = {**{name: getattr(row, name) for name in _SHOWN}, "profile": row.profile_id}
    form = GroupForm(request, profiles=_kept(request.actor, row), initial={**values, "version": row.version})
    page = FormPage(
        title=row.name, back=PATH, template="web/groups/group.html",
        context={**frame(request.actor, row, ""), "parents": list(query.groups_of(request.actor, row.pk)[:50])},
    )  # fmt: skip
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


@section("groups")
def access(request: PageRequest, group_id: int) -> HttpResponse:
    """Access zone and display."""
    row = query.group(request.actor, group_id)

    def save(data: dict[str, Any]) -> str:
        update_group(request.actor, group_id=row.pk, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.pk}/access"

    values = {name: getattr(row, name) for name in _ACCESS}
    page = FormPage(
        title=row.name, back=f"{PATH}/{row.pk}", template="web/groups/form.html",
        context=frame(request.actor, row, "access"),
    )  # fmt: skip
    form = GroupAccessForm(request, initial={**values, "version": row.version})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


@section("groups")
def copy(request: PageRequest, group_id: int) -> HttpResponse:
    """Make another group like this one."""
    row = query.group(request.actor, group_id)

    def save(data: dict[str, Any]) -> str:
        made = copy_group(request.actor, group_id=row.pk, name=data["name"])
        messages.success(request, f"{made.name} has the same members as {row.name}; schedules were not copied.")
        return f"{PATH}/{made.pk}"

    page = FormPage(
        title=f"Copy {row.name}", back=f"{PATH}/{row.pk}", button="Copy",
        intro="Description, overrides and members are copied; schedules are not. The copy is yours.",
    )  # fmt: skip
    form = CopyGroupForm(request, initial={"name": f"{row.name} (copy)"[:255]})
    return answer(request, form, page, save=save)


def _profiles(actor: "Actor", agency_id: int) -> list[tuple[int, str]]:
    return list(choosable(actor, agency_id).order_by("name").values_list("id", "name"))


def _kept(actor: "Actor", row: "Group") -> list[tuple[int, str]]:
    """What the asker may choose, and what the group has."""
    found = _profiles(actor, row.agency_id)
    if row.profile is not None and row.profile_id not in dict(found):
        found.append((row.profile.pk, f"{row.profile.name} (kept)"))
    return found
