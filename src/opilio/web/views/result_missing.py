"""What a result lacks: the list, further URLs, looking for gaps, and the patch that fetches them."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_POST

from opilio.curation.actions.missing_urls import Taken, add_missing
from opilio.curation.actions.patches import begin_patch, end_patch
from opilio.curation.missing_finding import find_missing
from opilio.curation.queries import missing_urls, results
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.results_tools import MissingForm, PatchForm
from opilio.web.forms.stale import Version
from opilio.web.lists.show import show
from opilio.web.missing_list import missing_list
from opilio.web.requests import PageRequest
from opilio.web.result_page import PATH, frame
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Result

_TOLD = 5  # faults that a message repeats
_PATCH = (
    "An agent fetches these URLs and nothing else, with the manners, credentials and rights of the harvest, into a new "
    "result. This result stays as it is."
)


@section("review")
def missing(request: PageRequest, result_id: int) -> HttpResponseBase:
    """The list."""
    row = results.result(request.actor, result_id)
    return show(request, missing_list(request, row))


@section("review")
def add(request: PageRequest, result_id: int) -> HttpResponse:
    """Name further URLs."""
    row = results.result(request.actor, result_id)

    def save(data: dict[str, Any]) -> str:
        text = "\n".join(part for part in (data["text"], data["file"]) if part and part.strip())
        _tell(request, add_missing(request.actor, result_id=row.pk, text=text))
        return f"{PATH}/{row.pk}/missing"

    page = _page(request, row, "Add missing URLs", "URLs that this result should have and has not.", "Add")
    return answer(request, MissingForm(request), page, save=save)


@section("review")
@require_POST
def find(request: PageRequest, result_id: int) -> HttpResponse:
    """Look for gaps of one kind."""
    row = results.result(request.actor, result_id)
    found = find_missing(request.actor, row, request.POST.get("what", "")[:40])
    words = f"{_number(found.pages, 'page was', 'pages were')} looked at"
    _tell(request, found.taken, words if found.whole else f"{words}, then the look ended so that it stays quick")
    return HttpResponseRedirect(f"{PATH}/{row.pk}/missing")


@section("review")
def patch(request: PageRequest, result_id: int) -> HttpResponse:
    """Fetch what waits on the list."""
    row = results.result(request.actor, result_id)
    offered = missing_urls.waiting(request.actor, row)

    def save(data: dict[str, Any]) -> str:
        chosen = missing_urls.waiting_ids(request.actor, row, data.pop("noticed"))
        made = begin_patch(request.actor, result_id=row.pk, missing_ids=chosen, **data)
        fetched = _number(len(chosen), "URL", "URLs")
        messages.success(request, f"Result {made.number} is begun: an agent fetches {fetched}.")
        return f"{PATH}/{row.pk}/missing"

    start = {"noticed": list(offered), "embeds": True, "existing": "if-failed", "version": row.version}
    form = PatchForm(request, offered=offered, initial=start)
    page = _page(request, row, "Patch", _PATCH, "Begin the patch")
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values={}))


@section("review")
@require_POST
def end(request: PageRequest, result_id: int) -> HttpResponse:
    """Give a patch up."""
    row = results.result(request.actor, result_id)
    end_patch(request.actor, result_id=row.pk)
    messages.success(request, "The patch is given up; its URLs wait again.")
    parent = results.results(request.actor).filter(harvest=row.harvest_id, number=row.derived_from or 1).first()
    return HttpResponseRedirect(f"{PATH}/{parent.pk if parent is not None else row.pk}/missing")


def _tell(request: PageRequest, taken: Taken, words: str = "") -> None:
    known = f"; {taken.known:,} stood there already" if taken.known else ""
    added = _number(taken.added, "URL is", "URLs are")
    messages.success(request, f"{added} on the list now{known}.{f' {words}.' if words else ''}")
    if taken.faults:
        told = " ".join(f"Line {one.line}: {one.reason}" for one in taken.faults[:_TOLD])
        messages.warning(request, f"{_number(len(taken.faults), 'line names', 'lines name')} no URL. {told}")


def _number(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"


def _page(request: PageRequest, row: "Result", title: str, intro: str, button: str) -> FormPage:
    return FormPage(
        title=f"{title}: {row.harvest.abstract_target.name}", back=f"{PATH}/{row.pk}/missing", button=button,
        template="web/results/tool_form.html",
        context={**frame(request.actor, row, "missing"), "title": title, "heading": title, "intro": intro},
    )  # fmt: skip
