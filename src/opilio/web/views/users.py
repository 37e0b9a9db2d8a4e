"""Users: the list, one user's details, a new one."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.people.actions.rows import delete_row
from opilio.people.actions.users import FIELDS, activate_user, create_user, deactivate_user, update_user
from opilio.people.privileges import Privilege
from opilio.people.queries import people
from opilio.web import policy
from opilio.web.choices import agencies_for, agency_filter, role_choices
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.people import NewUserForm, UserForm
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Tags, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Choice, Day, States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.user_tabs import user_tabs

if TYPE_CHECKING:
    from opilio.people.models import User

PATH = "/admin/users"
_STATES = {
    "active": ("Active", Q(is_active=True)),
    "deactivated": ("Deactivated", Q(is_active=False)),
    "external": ("External authentication", Q(external_auth=True)),
}


def _name(row: "User") -> Cell:
    note = row.real_name if row.real_name != row.username else ""
    return Link(text=row.username, url=f"{PATH}/{row.id}", note=note)


def _state(row: "User") -> Cell:
    return Badge(text="active", tone="good") if row.is_active else Badge(text="deactivated", tone="bad")


def _roles(row: "User") -> Cell:
    return Tags(
        texts=tuple(
            held.role.name if held.role.agency_id == row.agency_id else f"{held.role.name} ({held.role.agency.name})"
            for held in row.held_roles.all()
            if not held.role.deleted
        )
    )


_COLUMNS: "tuple[Column[User], ...]" = (
    Column(name="username", label="User", cell=_name, sort="username"),
    Column(name="state", label="State", cell=_state),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="roles", label="Roles", cell=_roles),
    Column(name="email", label="E-mail", cell=lambda row: Text(text=row.email), sort="email", shown=False),
    Column(name="last_login", label="Last sign-in", sort="last_login",
           cell=lambda row: Moment(at=row.last_login, never="never")),
    Column(name="name", label="Name", cell=lambda row: Text(text=row.real_name), sort="last_name", shown=False),
    Column(name="phone", label="Telephone", cell=lambda row: Text(text=row.phone), shown=False),
    Column(name="external", label="External", shown=False,
           cell=lambda row: Text(text="yes" if row.external_auth else "no")),
    Column(name="created", label="Made", cell=lambda row: Moment(at=row.created), sort="created", shown=False),
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated", shown=False),
)  # fmt: skip
_BULK = (
    Bulk(
        name="deactivate", label="Deactivate", icon="lock", done="deactivated", danger=True,
        warning="They are signed out at once and cannot sign in; their claimed tasks go back to the others.",
        run=lambda actor, row: deactivate_user(actor, user_id=row.id),
    ),
    Bulk(
        name="activate", label="Activate", icon="lock-open", done="activated",
        warning="They can sign in again, with the roles they had.",
        run=lambda actor, row: activate_user(actor, user_id=row.id),
    ),
    Bulk(
        name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
        warning="They are signed out at once. Deleted users can be restored.",
        run=lambda actor, row: delete_row(actor, kind_name="user", row_id=row.id),
    ),
)  # fmt: skip
USERS: "ListPage[User]" = ListPage(
    name="users", path=PATH, title="Users", words=("user", "users"), rows=people.users, columns=_COLUMNS,
    intro="Everybody who signs in, with their home agency and the roles they hold there and elsewhere.",
    order=("username", "id"), bulk=_BULK,
    filters=(
        Words(columns=("username", "first_name", "last_name", "email")),
        Choice(name="agency", label="Agency", column="agency_id", offered=agency_filter),
        Choice(name="role", label="Role", column="held_roles__role_id",
               offered=lambda actor: [(str(number), label) for number, label in role_choices(actor)]),
        States(name="state", label="State", states=_STATES),
        Day(name="seen", label="Signed in since", column="last_login"),
    ),
    new=New(label="New user", path=f"{PATH}/new", privilege=Privilege.MANAGE_USERS),
    empty=Empty(title="No user yet", text="Make the first one, and give them a role that lets them sign in.",
                icon="users"),
)  # fmt: skip


@section("users")
def users(request: PageRequest) -> HttpResponseBase:
    """The users whom the asker manages."""
    return show(request, USERS)


@section("users")
def new_user(request: PageRequest) -> HttpResponse:
    """Make a user."""

    def save(data: dict[str, Any]) -> str:
        password = data.pop("password") or None
        user = create_user(
            request.actor, agency_id=data.pop("agency"), password=password, policy=policy.passwords(), **data
        )
        messages.success(request, f"The user {user.username} is made.")
        return f"{PATH}/{user.id}"

    form = NewUserForm(
        request,
        agencies=agencies_for(request.actor, Privilege.MANAGE_USERS),
        roles=role_choices(request.actor),
        initial={"agency": request.actor.agency},
    )
    return answer(request, form, FormPage(title="New user", back=PATH, button="Make user"), save=save)


@section("users")
def user(request: PageRequest, user_id: int) -> HttpResponse:
    """A user's details and switches."""
    row = people.user(request.actor, user_id)

    def save(data: dict[str, Any]) -> str:
        update_user(request.actor, user_id=row.id, agency_id=data.pop("agency"), **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.id}"

    values = {"agency": row.agency_id, **{name: getattr(row, name) for name in FIELDS}}
    offered = agencies_for(request.actor, Privilege.MANAGE_USERS)
    form = UserForm(request, agencies=offered, initial={**values, "version": row.version})
    page = FormPage(
        title=row.username, back=PATH, template="web/users/user.html",
        context={"row": row, "tabs": user_tabs(request.actor, row, "")},
    )  # fmt: skip
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
