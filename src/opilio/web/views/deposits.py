"""Deposits: the list of all, those of a result with their receipts, the form before a harvest is archived."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from opilio.curation.actions.deposits import archive_harvest, give_up_deposit, retry_deposit
from opilio.curation.deposit_questions import questions
from opilio.curation.queries import deposits as queries
from opilio.curation.queries import harvests, results
from opilio.curation.words import DepositState
from opilio.people.errors import InvalidFields
from opilio.web import harvest_page
from opilio.web.deposit_rows import told, tone_of
from opilio.web.forms.depositories import ArchiveForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.lists.cells import Badge, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import States, Words
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.result_page import frame
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Deposit, Depository, Harvest

PATH = "/deposits"
_STATES = {state.value: (state.label, Q(state=state)) for state in DepositState}
_COLUMNS: "tuple[Column[Deposit], ...]" = (
    Column(name="harvest", label="Harvest", sort="harvest__abstract_target__name",
           cell=lambda row: Link(text=row.harvest.abstract_target.name, url=f"/harvests/{row.harvest_id}",
                                 note=f"result {row.result}")),
    Column(name="state", label="State", sort="state",
           cell=lambda row: Badge(text=DepositState(row.state).label.lower(), tone=tone_of(row.state))),
    Column(name="depository", label="Depository", sort="depository__name",
           cell=lambda row: Text(text=row.depository.name)),
    Column(name="archive_id", label="Called there", cell=lambda row: Text(text=row.archive_id or row.failure[:200])),
    Column(name="size", label="Bytes", numeric=True, sort="size", cell=lambda row: Number(number=row.size)),
    Column(name="by", label="By", cell=lambda row: Text(text=row.by.username if row.by else "system")),
    Column(name="begun", label="Begun", sort="begun_at", cell=lambda row: Moment(at=row.begun_at)),
    Column(name="ended", label="Ended", sort="ended_at", cell=lambda row: Moment(at=row.ended_at)),
)  # fmt: skip
DEPOSITS: "ListPage[Deposit]" = ListPage(
    name="deposits", path=PATH, title="Deposits", words=("deposit", "deposits"), rows=queries.deposits,
    intro="What was handed to depositories, and what became of it.", columns=_COLUMNS, order=("-id",),
    filters=(Words(columns=("harvest__abstract_target__name", "depository__name", "archive_id", "package")),
             States(name="state", label="State", states=_STATES)),
    empty=Empty(title="Nothing was archived yet", icon="archive",
                text="Endorse a result, then archive its harvest from the page of the result."),
)  # fmt: skip


@section("deposits")
def deposits(request: PageRequest) -> HttpResponseBase:
    """All deposits that the asker may see."""
    return show(request, DEPOSITS)


@section("review")
def of_result(request: PageRequest, result_id: int) -> HttpResponse:
    """The deposits of a result's harvest, with their receipts."""
    row = results.result(request.actor, result_id)
    found = [told(one) for one in queries.of_harvest(request.actor, row.harvest_id)]
    context = {**frame(request.actor, row, "deposits"), "title": "Deposits", "deposits": found,
               "endorsed": row.harvest.state == "endorsed"}  # fmt: skip
    return render(request, "web/deposits/of_result.html", context)


@section("harvests")
def archive(request: PageRequest, harvest_id: int) -> HttpResponse:
    """Choose a depository and answer what it asks; then an agent archives the harvest."""
    harvest = harvests.harvest(request.actor, harvest_id)
    offered = list(queries.choices(harvest))
    chosen = _chosen(request, offered)
    reference = not harvest.abstract_target.reference
    asked = questions(chosen.questions) if chosen else []
    form = ArchiveForm(request, asked=asked, reference=reference, version=harvest.version)

    def save(data: dict[str, Any]) -> str:
        try:
            made = archive_harvest(
                request.actor, harvest_id=harvest.pk, depository_id=chosen.pk if chosen else None,
                answers=form.answers(data), reference=data.get("reference", ""), version=data["version"],
            )  # fmt: skip
        except InvalidFields as error:
            raise InvalidFields(form.rename(error.messages), where=error.where) from error
        messages.success(request, "An agent packs it and hands it over; this page tells how far it is.")
        return _deposits_of(request, made)

    context = {**harvest_page.frame(request.actor, harvest, ""), "offered": offered, "chosen": chosen,
               "may": queries.may_archive(request.actor, harvest), "problem": _problem(harvest)}  # fmt: skip
    page = FormPage(title=f"Archive the harvest of {harvest.abstract_target.name}", back=f"/harvests/{harvest.pk}",
                    button="Archive", template="web/deposits/archive.html", context=context)  # fmt: skip
    return answer(request, form, page, save=save)


@section("review")
@require_POST
def retry(request: PageRequest, deposit_id: int) -> HttpResponse:
    """Try a deposit again that failed."""
    row = queries.deposit(request.actor, deposit_id)
    made = retry_deposit(request.actor, deposit_id=row.pk)
    messages.success(request, "It is tried again.")
    return HttpResponseRedirect(_deposits_of(request, made))


@section("review")
@require_POST
def give_up(request: PageRequest, deposit_id: int) -> HttpResponse:
    """Give a deposit up that is under way."""
    row = queries.deposit(request.actor, deposit_id)
    made = give_up_deposit(request.actor, deposit_id=row.pk, reason=request.POST.get("reason", "")[:1_000])
    messages.success(request, "It was given up; the harvest is endorsed as before.")
    return HttpResponseRedirect(_deposits_of(request, made))


def _chosen(request: PageRequest, offered: "list[Depository]") -> "Depository | None":
    wanted = request.GET.get("depository", "")
    return next((one for one in offered if str(one.pk) == wanted), offered[0] if offered else None)


def _deposits_of(request: PageRequest, deposit: "Deposit") -> str:
    found = results.results(request.actor).filter(harvest_id=deposit.harvest_id, number=deposit.result).first()
    return f"/results/{found.pk}/deposits" if found is not None else f"/harvests/{deposit.harvest_id}"


def _problem(harvest: "Harvest") -> str:
    """Why it cannot be archived now; empty: it can."""
    words = {"archiving": "An agent is at it.", "archived": "It is archived already."}
    if harvest.state == "endorsed":
        return ""
    return words.get(harvest.state, "Only endorsed harvests are archived: endorse one of its results first.")
