"""Seeds: all of them in a list, and those of one target in a panel where they are added, changed and deleted."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_POST

from opilio.curation.actions import seeds as actions
from opilio.curation.actions.seeds import Link
from opilio.curation.queries import targets as query
from opilio.kernel.errors import InvalidInput
from opilio.people.errors import NotFound
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.seeds import NewSeedForm, SeedForm, SeedListForm
from opilio.web.forms.stale import Version
from opilio.web.lists.show import show
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.seed_list import SEEDS
from opilio.web.seed_panel import choices, offered, panel
from opilio.web.target_page import PATH, frame

if TYPE_CHECKING:
    from opilio.curation.models import Seed

_SHOWN = ("url", "primary", "active", "root", "depth_limit", "page_limit", "append", "position")


class NothingTaken(InvalidInput):
    """A list of seeds of which nothing was added."""


@section("targets")
def seeds(request: PageRequest) -> HttpResponseBase:
    """All seeds of the targets that the asker may see."""
    return show(request, SEEDS)


@section("targets")
def target_seeds(request: PageRequest, target_id: int) -> HttpResponse:
    """The panel: the seeds with their rights, and a form for another."""
    row = query.target(request.actor, target_id)

    def save(data: dict[str, Any]) -> str:
        made = actions.add_seed(request.actor, target_id=row.pk, **_fields(data), **_link(data))
        messages.success(request, f"{made.url} is a seed now.")
        return f"{PATH}/{row.pk}/seeds"

    shown = panel(request, row)
    form = NewSeedForm(
        request, credentials=query.credential_choices(row), permissions=choices(shown["picks"]),
        initial={"active": True, "primary": not shown["lines"]},
    )  # fmt: skip
    context = {**frame(request.actor, row, "seeds"), **shown}
    page = FormPage(
        title=f"Seeds of {row.name}", back=f"{PATH}/{row.pk}", button="Add seed", template="web/targets/seeds.html",
        context=context,
    )  # fmt: skip
    return answer(request, form, page, save=save)


@section("targets")
def seed(request: PageRequest, seed_id: int) -> HttpResponse:
    """One seed in the panel, open to be changed."""
    row = query.seed(request.actor, seed_id)
    target = query.target(request.actor, row.target_id)
    back = f"{PATH}/{target.pk}/seeds"

    def save(data: dict[str, Any]) -> str:
        actions.update_seed(request.actor, seed_id=row.id, version=data["version"], **_fields(data))
        messages.success(request, f"{row.url}: saved.")
        return back

    values = _values(row)
    form = SeedForm(
        request, credentials=query.credential_choices(target), initial={**values, "version": row.version}
    )  # fmt: skip
    context = {**frame(request.actor, target, "seeds"), **panel(request, target, edited=row)}
    page = FormPage(
        title=f"Seeds of {target.name}", back=back, button="Save seed", template="web/targets/seeds.html",
        context=context,
    )  # fmt: skip
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


@section("targets")
@require_POST
def seed_link(request: PageRequest, seed_id: int, verb: str) -> HttpResponse:
    """Link a seed with a permission, unlink it, or link it with all that match."""
    row = query.seed(request.actor, seed_id)
    number = request.POST.get("permission", "")
    permission = int(number) if number.isascii() and number.isdecimal() and len(number) < 19 else 0
    if verb == "match":
        found = actions.match_seed(request.actor, seed_id=row.id)
        words = f"{found} permissions match it." if found != 1 else "One permission matches it."
    elif verb == "link":
        actions.link_seed(request.actor, seed_id=row.id, permission_id=permission)
        words = "Linked."
    elif verb == "unlink":
        actions.unlink_seed(request.actor, seed_id=row.id, permission_id=permission)
        words = "Unlinked."
    else:
        raise NotFound("A seed has no such button", where=request.path, remedy="Use those of the target's page.")
    messages.success(request, f"{row.url}: {words}")
    return HttpResponseRedirect(f"{PATH}/{row.target_id}/seeds")


@section("targets")
def import_seeds(request: PageRequest, target_id: int) -> HttpResponse:
    """Add seeds from a list; bad lines are told with their numbers."""
    row = query.target(request.actor, target_id)
    form = SeedListForm(request, permissions=choices(offered(request, row)))
    context: dict[str, Any] = frame(request.actor, row, "seeds")

    def save(data: dict[str, Any]) -> str:
        taken = actions.import_seeds(
            request.actor, target_id=row.pk, text=data["text"], only_good=data["only_good"], **_link(data)
        )  # fmt: skip
        if not taken.done:
            context["taken"] = taken
            raise NothingTaken(f"{len(taken.faults)} lines cannot be used", remedy="They are told below.")
        messages.success(request, f"{len(taken.added)} seeds are added.")
        for fault in taken.faults[:5]:
            messages.error(request, f"Line {fault.line}: {fault.reason}")
        return f"{PATH}/{row.pk}/seeds"

    page = FormPage(
        title=f"Import seeds into {row.name}", back=f"{PATH}/{row.pk}/seeds", button="Add seeds", context=context,
        template="web/targets/import.html",
    )  # fmt: skip
    return answer(request, form, page, save=save)


def _fields(data: dict[str, Any]) -> dict[str, Any]:
    fields = {name: data[name] for name in _SHOWN if name in data}
    return {**fields, "credential_id": data.get("credential")}


def _link(data: dict[str, Any]) -> dict[str, Any]:
    return {"link": Link(data["link"]), "permission_id": data["permission"]}


def _values(row: "Seed") -> dict[str, Any]:
    return {**{name: getattr(row, name) for name in _SHOWN}, "credential": row.credential_id}
