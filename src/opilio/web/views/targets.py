"""Targets: the list, a new one, and the details of one with its state."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from opilio.curation.actions.targets import FIELDS, create_target, update_target
from opilio.curation.profiling import choosable
from opilio.curation.queries import targets as query
from opilio.curation.rights_of import approval_problems
from opilio.curation.words import State
from opilio.curation.workflow import TARGETS as MACHINE
from opilio.people.privileges import Privilege
from opilio.people.queries.homes import agencies_where
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.forms.targets import NewTargetForm, TargetForm
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.target_list import TARGETS
from opilio.web.target_page import PATH, frame

if TYPE_CHECKING:
    from opilio.curation.models import Target
    from opilio.people.actor import Actor

_SHOWN = ("name", "reference", "description", "selection_type", "harvest_type", "selection_note", "evaluation_note",
          "request_to_archivists", "profile_note", "run_on_approval", "allow_early_start", "follow_reference",
          "prune_again")  # fmt: skip
_OPEN = (State.PENDING, State.REINSTATED, State.NOMINATED)


@section("targets")
def targets(request: PageRequest) -> HttpResponseBase:
    """The targets of the agencies in which the asker works."""
    return show(request, TARGETS)


@section("targets")
def new_target(request: PageRequest) -> HttpResponse:
    """Make a target; seeds come next."""
    agencies = agencies_where(request.actor, Privilege.CREATE_TARGET)

    def save(data: dict[str, Any]) -> str:
        made = create_target(request.actor, agency_id=data.pop("agency"), profile_id=data.pop("profile"), **data)
        messages.success(request, f"The target {made.name} is made. Say where its harvest starts.")
        return f"{PATH}/{made.pk}/seeds"

    profiles = [pair for number, _ in agencies for pair in profile_choices(request.actor, number)]
    form = NewTargetForm(request, agencies=agencies, profiles=profiles, initial={"agency": request.actor.agency})
    page = FormPage(
        title="New target", back=PATH, button="Make target",
        intro="Something worth collecting. It is pending until somebody nominates and approves it.",
    )  # fmt: skip
    return answer(request, form, page, save=save)


@section("targets")
def target(request: PageRequest, target_id: int) -> HttpResponse:
    """One target: its state with what can be done, what is missing, its details."""
    row = query.target(request.actor, target_id)

    def save(data: dict[str, Any]) -> str:
        known = {name: value for name, value in data.items() if name in FIELDS}
        update_target(request.actor, target_id=row.pk, version=data["version"], profile_id=data["profile"], **known)
        messages.success(request, "Saved.")
        return f"{PATH}/{row.pk}"

    values = {**{name: getattr(row, name) for name in _SHOWN}, "profile": row.profile_id}
    profiles = profile_choices(request.actor, row.agency_id)
    if row.profile is not None and row.profile_id not in dict(profiles):
        profiles.append((row.profile.pk, f"{row.profile.name} (kept)"))
    form = TargetForm(request, profiles=profiles, initial={**values, "version": row.version})
    page = FormPage(
        title=row.name, back=f"{PATH}/{row.pk}", template="web/targets/target.html",
        context={**frame(request.actor, row, ""), **_standing(request.actor, row)},
    )  # fmt: skip
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


def profile_choices(actor: "Actor", agency_id: int) -> list[tuple[int, str]]:
    """The profiles that the asker may give to targets of an agency."""
    return list(choosable(actor, agency_id).order_by("name").values_list("id", "name"))


def _standing(actor: "Actor", row: "Target") -> dict[str, Any]:
    state = State(row.state)
    return {
        "offers": query.offers(actor, row),
        "of_itself": [move for move in MACHINE.moves_from(state) if move.privilege is None],
        "problems": approval_problems(row.pk) if state in _OPEN else (),
        "is_open": state in _OPEN,
        "approvals": [] if state in _OPEN else list(query.approvals(row)[:5]),
        "is_owner": row.owner_id == actor.user,
    }
