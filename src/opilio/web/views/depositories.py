"""Depositories: the list, a new one, one of them, and whether it can be reached."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_POST

from opilio.curation.actions.depositories import create_depository, update_depository
from opilio.curation.queries import deposits as queries
from opilio.curation.words import DepositoryKind
from opilio.kernel.errors import OpilioError
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agency_names
from opilio.web.forms.depositories import DepositoryForm, NewDepositoryForm, lines
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Depository

PATH = "/admin/depositories"
_MANAGE = Privilege.CONFIGURE_PARAMETERS
_FIELDS = ("name", "kind", "place", "username", "form", "self_contained", "timeout", "active", "preferred")
_STATES = {"active": ("Active", Q(active=True)), "off": ("Off", Q(active=False))}


def _state(row: "Depository") -> Cell:
    if not row.active:
        return Badge(text="off", tone="quiet")
    return Badge(text="proposed first", tone="info") if row.preferred else Badge(text="active", tone="good")


_COLUMNS: "tuple[Column[Depository], ...]" = (
    Column(name="name", label="Depository", sort="name",
           cell=lambda row: Link(text=row.name, url=f"{PATH}/{row.pk}", note=row.place[:200])),
    Column(name="state", label="State", cell=_state),
    Column(name="kind", label="Kind", sort="kind", cell=lambda row: Text(text=DepositoryKind(row.kind).label)),
    Column(name="form", label="Form", sort="form", cell=lambda row: Text(text=row.form)),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name if row.agency else "all")),
    Column(name="received", label="Received", numeric=True, cell=lambda row: Number(number=row.received)),  # type: ignore[attr-defined]  # counted by the query
    Column(name="failed", label="Failed", numeric=True, cell=lambda row: Number(number=row.failed)),  # type: ignore[attr-defined]  # as above
    Column(name="updated", label="Changed", cell=lambda row: Moment(at=row.updated), sort="updated"),
)  # fmt: skip
DEPOSITORIES: "ListPage[Depository]" = ListPage(
    name="depositories", path=PATH, title="Depositories", words=("depository", "depositories"),
    rows=queries.depositories, intro="Where endorsed results are handed to, and in which form.", columns=_COLUMNS,
    order=("name", "id"),
    filters=(Words(columns=("name", "place")), States(name="state", label="State", states=_STATES)),
    new=New(label="New depository", path=f"{PATH}/new", privilege=_MANAGE),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True, privilege=_MANAGE,
             warning="Nothing is handed to them any more. Deleted depositories can be restored.",
             run=lambda actor, row: delete_row(actor, kind_name="depository", row_id=row.pk)),
    ),
    empty=Empty(title="No depository yet", icon="package",
                text="Make one; until then archived harvests go to the store of this installation."),
)  # fmt: skip


@section("depositories")
def depositories(request: PageRequest) -> HttpResponseBase:
    """All depositories."""
    return show(request, DEPOSITORIES)


@section("depositories")
def new_depository(request: PageRequest) -> HttpResponse:
    """Make a depository."""

    def save(data: dict[str, Any]) -> str:
        made = create_depository(request.actor, agency_id=data.pop("agency"), **data)
        messages.success(request, "Made. Try whether it can be reached.")
        return f"{PATH}/{made.pk}"

    form = NewDepositoryForm(
        request, agencies=agency_names(), initial={"active": True, "timeout": 600, "form": "bag", "kind": "directory"}
    )
    page = FormPage(
        title="New depository", back=PATH, button="Make depository",
        intro="Folders, programs and private networks must be allowed in the settings of the installation.",
    )  # fmt: skip
    return answer(request, form, page, save=save)


@section("depositories")
def depository(request: PageRequest, depository_id: int) -> HttpResponse:
    """One depository."""
    row = queries.depository(request.actor, depository_id)
    values = {**{name: getattr(row, name) for name in _FIELDS}, "questions": lines(row.questions)}

    def save(data: dict[str, Any]) -> str:
        update_depository(request.actor, depository_id=row.pk, **data)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.pk}"

    context = {"row": row, "kind": "depository", "kind_label": DepositoryKind(row.kind).label}
    page = FormPage(title=row.name, back=PATH, template="web/depositories/depository.html", context=context)
    form = DepositoryForm(request, initial={**values, "version": row.version})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


@section("depositories")
@require_POST
def try_depository(request: PageRequest, depository_id: int) -> HttpResponse:
    """Try whether it can be reached from here; nothing is handed over."""
    row = queries.depository(request.actor, depository_id)
    try:
        messages.success(request, queries.probe(request.actor, row.pk))
    except (OpilioError, OSError) as error:
        messages.error(request, f"It cannot be used: {error}")
    return HttpResponseRedirect(f"{PATH}/{row.pk}")
