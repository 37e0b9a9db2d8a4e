"""Nominations: the public form, the list, and the decision about one."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.curation import nominating
from opilio.curation.actions.nominations import accept_nomination, decline_nomination, receive_nomination
from opilio.curation.queries import nominations as query
from opilio.curation.queries.targets import agency_choices
from opilio.curation.words import NominationState
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege, Subject
from opilio.people.queries.homes import agency_names
from opilio.web.forms.nominations import AcceptForm, DeclineForm, NominationForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Link, Moment, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Choice, Day, States, Words
from opilio.web.lists.show import show
from opilio.web.public import public
from opilio.web.requests import PageRequest, stranger
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Nomination

PATH = "/nominations"
_TONES = {NominationState.WAITING: "info", NominationState.ACCEPTED: "good", NominationState.DECLINED: "bad"}
_COLUMNS: "tuple[Column[Nomination], ...]" = (
    Column(name="site", label="Site", sort="title",
           cell=lambda row: Link(text=str(row), url=f"{PATH}/{row.id}", note=row.url if row.title else "")),
    Column(name="url", label="URL", cell=lambda row: Text(text=row.url), sort="url", shown=False),
    Column(name="state", label="State", sort="state",
           cell=lambda row: Badge(text=NominationState(row.state).label.lower(),
                                  tone=_TONES[NominationState(row.state)])),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name"),
    Column(name="by", label="Proposed by", cell=lambda row: Text(text=row.name or row.email or "somebody")),
    Column(name="reason", label="Reason", cell=lambda row: Text(text=row.reason), shown=False),
    Column(name="email", label="E-mail", cell=lambda row: Text(text=row.email), shown=False),
    Column(name="created", label="Received", cell=lambda row: Moment(at=row.created), sort="created"),
    Column(name="decided", label="Decided", cell=lambda row: Moment(at=row.decided_at), sort="decided_at"),
)  # fmt: skip
_STATES = {state.value: (state.label, Q(state=state)) for state in NominationState}
NOMINATIONS: "ListPage[Nomination]" = ListPage(
    name="nominations", path=PATH, title="Nominations", words=("nomination", "nominations"),
    rows=query.nominations, columns=_COLUMNS, order=("-created", "-id"),
    intro="Sites that people outside propose on the page /nominate. Accepting one makes a target.",
    filters=(
        Words(columns=("title", "url", "reason", "name", "email")),
        States(name="state", label="State", states=_STATES),
        Choice(name="agency", label="Agency", column="agency_id",
               offered=lambda actor: [(str(number), name) for number, name in agency_choices(actor)]),
        Day(name="since", label="Received since", column="created"),
    ),
    bulk=(
        Bulk(name="decline", label="Decline", icon="x", done="declined", privilege=Privilege.CREATE_TARGET,
             warning="They stay in the list, and nobody outside is told.",
             run=lambda actor, row: decline_nomination(actor, nomination_id=row.id)),
        Bulk(name="delete", label="Delete", icon="trash-2", done="deleted", danger=True,
             privilege=Privilege.APPROVE_TARGET, warning="Deleted nominations can be restored.",
             run=lambda actor, row: delete_row(actor, kind_name="nomination", row_id=row.id)),
    ),
    empty=Empty(title="No nomination yet", icon="lightbulb",
                text="Under Parameters, an administrator opens the public form on the page /nominate."),
)  # fmt: skip


@section("nominations")
def nominations(request: PageRequest) -> HttpResponseBase:
    """What was proposed to the agencies in which the asker works."""
    return show(request, NOMINATIONS)


@section("nominations")
@require_safe
def nomination(request: PageRequest, nomination_id: int) -> HttpResponse:
    """One nomination, and what can be done with it."""
    row = query.nomination(request.actor, nomination_id)
    subject = Subject(agency=row.agency_id, owner=request.actor.user)
    context = {
        "row": row, "title": str(row), "kind": "nomination", "tone": _TONES[NominationState(row.state)],
        "waiting": row.state == NominationState.WAITING,
        "may_decide": request.actor.may(Privilege.CREATE_TARGET, subject),
    }  # fmt: skip
    return render(request, "web/nominations/nomination.html", context)


@section("nominations")
def accept(request: PageRequest, nomination_id: int) -> HttpResponse:
    """Make a target of it."""
    row = query.nomination(request.actor, nomination_id)

    def save(data: dict[str, Any]) -> str:
        made = accept_nomination(request.actor, nomination_id=row.id, **data)
        messages.success(request, f"The target {made.name} is made, with {row.url} as its seed.")
        return f"/targets/{made.pk}"

    form = AcceptForm(request, initial={"name": str(row)[:255]})
    page = FormPage(
        title=f"Accept {row}", back=f"{PATH}/{row.id}", button="Make target",
        intro="A pending target of yours, with the proposed address as its seed, linked with permissions that match.",
    )  # fmt: skip
    return answer(request, form, page, save=save)


@section("nominations")
def decline(request: PageRequest, nomination_id: int) -> HttpResponse:
    """Do not take it up."""
    row = query.nomination(request.actor, nomination_id)

    def save(data: dict[str, Any]) -> str:
        decline_nomination(request.actor, nomination_id=row.id, **data)
        messages.success(request, f"{row} is declined.")
        return PATH

    page = FormPage(title=f"Decline {row}", back=f"{PATH}/{row.id}", button="Decline")
    return answer(request, DeclineForm(request), page, save=save)


@public
def nominate(request: PageRequest) -> HttpResponse:
    """The form on which everybody may propose a site, while it is open."""
    actor = stranger(request)
    nominating.check_open("/nominate")

    def save(data: dict[str, Any]) -> str:
        receive_nomination(actor, agency_id=data.pop("agency"), **data)
        return "/nominate/done"

    form = NominationForm(request, agencies=agency_names())
    page = FormPage(title="Propose a site", back="", button="Propose", template="web/nominations/nominate.html")
    return answer(request, form, page, save=save)


@public
def nominated(request: PageRequest) -> HttpResponse:
    """Thanks."""
    return render(request, "web/nominations/nominated.html", {"title": "Thank you"})
