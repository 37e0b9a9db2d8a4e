"""What may be purged: the list of harvests that are over, and what a purge of one would remove."""

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from opilio.curation.actions.purge import purge_harvest
from opilio.curation.harvest_words import tone_of
from opilio.curation.queries import harvests, purging
from opilio.curation.words import HarvestState
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.web.find_words import size
from opilio.web.lists.bulk import Bulk
from opilio.web.lists.cells import Badge, Cell, Link, Moment, Number, Text
from opilio.web.lists.columns import Column
from opilio.web.lists.declared import Empty, ListPage
from opilio.web.lists.filters import Choice, States, Words
from opilio.web.lists.show import show
from opilio.web.purge_states import STATES, judgement_of
from opilio.web.requests import PageRequest
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Harvest

PATH = "/admin/purge"


def _why(row: "Harvest") -> Cell:
    found = judgement_of(row)
    return Badge(text="may go", tone="good") if found.allowed else Text(text=found.why_not, quiet=True)


def _data(row: "Harvest") -> Cell:
    found = harvests.figures(row)
    return Number(number=found.data_amount) if found else Text(text="")


_COLUMNS: "tuple[Column[Harvest], ...]" = (
    Column(name="target", label="Harvest of", sort="abstract_target__name",
           cell=lambda row: Link(text=row.abstract_target.name, url=f"{PATH}/{row.pk}", note=f"harvest {row.pk}")),
    Column(name="state", label="State", sort="state",
           cell=lambda row: Badge(text=HarvestState(row.state).label.lower(), tone=tone_of(row.state))),
    Column(name="since", label="Since", cell=lambda row: Moment(at=row.state_since), sort="state_since"),
    Column(name="due", label="May go from", cell=lambda row: Moment(at=judgement_of(row).due)),
    Column(name="data", label="Bytes collected", cell=_data, sort="figures__data_amount", numeric=True),
    Column(name="why", label="Now", cell=_why),
    Column(name="agency", label="Agency", cell=lambda row: Text(text=row.agency.name), sort="agency__name",
           shown=False),
)  # fmt: skip
PURGES: "ListPage[Harvest]" = ListPage(
    name="purge", path=PATH, title="Purge", words=("harvest", "harvests"), rows=purging.candidates,
    intro="Harvests that are over and still have their data. What was archived, rejected or aborted long enough ago "
    "may go; its record, its lists of resources and its reports stay.",
    columns=_COLUMNS, order=("state_since", "id"),
    filters=(
        Words(columns=("abstract_target__name",)),
        States(name="state", label="State", states=STATES),
        Choice(name="agency", label="Agency", column="agency_id",
               offered=lambda actor: [(str(number), name) for number, name in agencies_where(actor, Privilege.PURGE)]),
    ),
    bulk=(
        Bulk(name="purge", label="Purge", icon="trash-2", done="told to be purged", danger=True,
             privilege=Privilege.PURGE, run=lambda actor, row: purge_harvest(actor, harvest_id=row.pk),
             warning="Their WARC files, texts and pictures are removed for good. What other harvests need stays."),
    ),
    empty=Empty(title="Nothing to purge", icon="recycle",
                text="Harvests come here when they are archived, rejected or aborted."),
)  # fmt: skip


@section("purge")
def purges(request: PageRequest) -> HttpResponseBase:
    """The list."""
    return show(request, PURGES)


@section("purge")
@require_http_methods(["GET", "HEAD", "POST"])
def purge(request: PageRequest, harvest_id: int) -> HttpResponse:
    """What would be removed; then have it removed."""
    row = purging.of_asker(request.actor, harvest_id)
    if request.method == "POST":
        purge_harvest(request.actor, harvest_id=row.pk)
        messages.success(request, "An agent that has the data removes it now.")
        return HttpResponseRedirect(PATH)
    found = purging.preview(request.actor, row)
    context = {
        "row": row, "found": found, "size": size(found.bytes), "back": PATH, "may": purging.may(request.actor, row),
        "state": HarvestState(row.state).label.lower(), "tone": tone_of(row.state),
    }  # fmt: skip
    return render(request, "web/purge/purge.html", context)
