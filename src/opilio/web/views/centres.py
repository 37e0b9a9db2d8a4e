"""Centres: the list, a new one, one of them with its sources and its last deliveries."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from opilio.people.actions.rows import delete_row
from opilio.people.errors import NotFound
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.homes import agencies_where
from opilio.tracker import centre_report, report_reading
from opilio.tracker.actions.centres import create_centre, update_centre
from opilio.tracker.queries import deliveries as query
from opilio.tracker.queries import sources
from opilio.web.delivery_list import LIST_PATH
from opilio.web.delivery_words import PATH, badge, standing
from opilio.web.forms.delivery_sources import CentreForm, NewCentreForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage, New
from opilio.web.lists.filters import Choice, States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.tracker.models import Centre

CENTRES_PATH = f"{PATH}/centres"
_MANAGE = Privilege.MANAGE_SOURCES
_FIELDS = ("short_name", "full_name", "imits_name", "profile", "email", "phone", "address", "active", "report_mail",
           "report_back")  # fmt: skip
_STATES = {"active": ("Active", Q(active=True)), "inactive": ("Inactive", Q(active=False))}
_SHOWN = 10


def _state(row: "Centre") -> Cell:
    return Badge(text="active", tone="good") if row.active else Badge(text="inactive")


_COLUMNS: "tuple[Column[Centre], ...]" = (
    Column(name="code", label="Centre", sort="short_name",
           cell=lambda row: Link(text=row.short_name, url=f"{CENTRES_PATH}/{row.pk}", note=row.full_name)),
    Column(name="state", label="State", sort="active", cell=_state),
    Column(name="last", label="Last delivery", sort="last",
           cell=lambda row: Moment(at=getattr(row, "last", None), never="never")),
    Column(name="sources", label="Sources", numeric=True, sort="source_count",
           cell=lambda row: Number(number=getattr(row, "source_count", 0))),
    Column(name="profile", label="Profile", sort="profile", cell=lambda row: Text(text=row.profile)),
    Column(name="agency", label="Agency", sort="agency__name", cell=lambda row: Text(text=row.agency.name)),
    Column(name="email", label="E-mail", cell=lambda row: Text(text=row.email)),
    Column(name="updated", label="Changed", sort="updated", shown=False, cell=lambda row: Moment(at=row.updated)),
)  # fmt: skip
CENTRES: "ListPage[Centre]" = ListPage(
    name="centres", path=CENTRES_PATH, title="Centres", words=("centre", "centres"), rows=query.centres,
    intro="Partners that deliver. Each belongs to an agency, whose users see what it delivers.", columns=_COLUMNS,
    order=("short_name", "id"),
    filters=(Words(columns=("short_name", "full_name", "email")), States(name="state", label="State", states=_STATES),
             Choice(name="agency", label="Agency", column="agency_id",
                    offered=lambda actor: [(str(number), name) for number, name in
                                           agencies_where(actor, *sorted(query.READERS))])),
    new=New(label="New centre", path=f"{CENTRES_PATH}/new", privilege=_MANAGE),
    bulk=(
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True, privilege=_MANAGE,
             warning="Their sources are not visited any more; what they delivered stays. They can be restored. It is "
             "better to make a centre inactive.",
             run=lambda actor, row: delete_row(actor, kind_name="centre", row_id=row.pk)),
    ),
    empty=Empty(title="No centre yet", icon="factory",
                text="Make one for each partner that delivers; then give it a source."),
)  # fmt: skip


@section("centres")
def centres(request: PageRequest) -> HttpResponseBase:
    """The centres that the asker may see."""
    return show(request, CENTRES)


@section("centres")
@require_safe
def report(request: PageRequest, centre_id: int) -> HttpResponse:
    """What the centre is told, as a file to keep: CSV, JSON, text or a page."""
    made = report_reading.report(request.actor, centre_id)
    form = request.GET.get("form", "csv")
    if form not in report_reading.FORMS:
        raise NotFound("There is no such form", where="report", remedy=f"Ask for {', '.join(report_reading.FORMS)}.")
    name = f"{made.centre}.{'txt' if form == 'text' else form}"
    return HttpResponse(
        centre_report.written(made, form), content_type=f"{report_reading.FORMS[form]}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store, private"},
    )  # fmt: skip


@section("centres")
def new_centre(request: PageRequest) -> HttpResponse:
    """Make a centre."""

    def save(data: dict[str, Any]) -> str:
        made = create_centre(request.actor, agency_id=data.pop("agency"), **data)
        messages.success(request, "Made. Give it a source next.")
        return f"{CENTRES_PATH}/{made.pk}"

    form = NewCentreForm(
        request, agencies=agencies_where(request.actor, _MANAGE), profiles=sources.known_profiles(),
        initial={"active": True, "profile": "impc"},
    )  # fmt: skip
    page = FormPage(title="New centre", back=CENTRES_PATH, button="Make centre",
                    intro="The code stands in the names of its deliveries.")  # fmt: skip
    return answer(request, form, page, save=save)


@section("centres")
def centre(request: PageRequest, centre_id: int) -> HttpResponse:
    """One centre, with its sources and what it delivered last."""
    actor = request.actor
    row = query.centre(actor, centre_id)
    values = {name: getattr(row, name) for name in _FIELDS}
    may = actor.may(_MANAGE, Subject(agency=row.agency_id))

    def save(data: dict[str, Any]) -> str:
        update_centre(actor, centre_id=row.pk, **data)
        messages.success(request, "Saved.")
        return f"{CENTRES_PATH}/{row.pk}"

    newest = query.deliveries(actor).filter(zip__centre_id=row.pk)[:_SHOWN]
    context = {
        "row": row, "kind": "centre" if may else "", "may_manage": may, "list_path": LIST_PATH,
        "forms": list(report_reading.FORMS),
        "sources": list(query.sources(actor).filter(centre_id=row.pk).order_by("-preference", "name")),
        "newest": [(one, standing(one), badge(one).tone) for one in newest],
    }  # fmt: skip
    profiles = sources.known_profiles()
    form = CentreForm(
        request, profiles=profiles if row.profile in profiles else [*profiles, row.profile],
        initial={**values, "version": row.version},
    )  # fmt: skip
    page = FormPage(title=row.short_name, back=CENTRES_PATH, template="web/deliveries/centre.html", context=context)
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
