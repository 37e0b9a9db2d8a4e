"""Add to a result: a file that stands at a URL, a URL fetched now, or WARC files; each makes a new result."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse

from opilio.curation.actions.patches import import_url
from opilio.curation.queries import results
from opilio.curation.result_importing import Upload, Words, import_at_url, import_warcs
from opilio.people.errors import NotFound
from opilio.web.forms.base import PageForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.results_tools import ImportFileForm, ImportUrlForm, ImportWarcForm
from opilio.web.forms.stale import Version
from opilio.web.lists.declared import Tab
from opilio.web.requests import PageRequest
from opilio.web.result_page import PATH, frame
from opilio.web.sections import section

if TYPE_CHECKING:
    from opilio.curation.models import Result

_WAYS = (("file", "A file at a URL"), ("url", "A URL fetched now"), ("warc", "WARC files"))
_FORMS: dict[str, Callable[..., PageForm]] = {"file": ImportFileForm, "url": ImportUrlForm, "warc": ImportWarcForm}
_INTRO = "What is added makes a new result; this one stays as it is, and the record says who added what, and when."


@section("review")
def add(request: PageRequest, result_id: int, way: str = "file") -> HttpResponse:
    """The form of one way to add something."""
    row = results.result(request.actor, result_id)
    if way not in _FORMS:
        raise NotFound("There is no such way to add something", where=request.path, remedy="Use those of the page.")

    def save(data: dict[str, Any]) -> str:
        made = _TAKEN[way](request, row, data)
        messages.success(request, f"Result {made.number} is begun; it is ready in a moment.")
        return f"{PATH}/{made.pk}"

    form = _FORMS[way](request, initial=_start(request, row))
    page = _page(request, row, way)
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values={}))


def _start(request: PageRequest, row: "Result") -> dict[str, Any]:
    return {"version": row.version, "existing": "replace", "url": request.GET.get("url", "")[:8_000]}


def _words(data: dict[str, Any]) -> Words:
    return Words(note=data["note"], existing=data["existing"], version=data["version"])


def _file(request: PageRequest, row: "Result", data: dict[str, Any]) -> "Result":
    return import_at_url(
        request.actor, row, _upload(data["file"]), _words(data), url=data["url"], content_type=data["content_type"],
        at=data["at"],
    )  # fmt: skip


def _url(request: PageRequest, row: "Result", data: dict[str, Any]) -> "Result":
    return import_url(request.actor, result_id=row.pk, **data)


def _warc(request: PageRequest, row: "Result", data: dict[str, Any]) -> "Result":
    return import_warcs(request.actor, row, [_upload(one) for one in data["files_"]], _words(data))


_TAKEN: dict[str, Callable[[PageRequest, "Result", dict[str, Any]], "Result"]] = {
    "file": _file,
    "url": _url,
    "warc": _warc,
}


def _upload(found: Any) -> Upload:
    return Upload(name=str(found.name), size=int(found.size), stream=found.file)


def _page(request: PageRequest, row: "Result", way: str) -> FormPage:
    base = f"{PATH}/{row.pk}/import"
    ways = [Tab(label=label, path=f"{base}/{name}", here=name == way) for name, label in _WAYS]
    return FormPage(
        title=f"Import: {row.harvest.abstract_target.name}", back=f"{PATH}/{row.pk}", button="Add to a new result",
        template="web/results/tool_form.html",
        context={
            **frame(request.actor, row, ""), "title": "Import", "heading": "Import", "intro": _INTRO, "ways": ways,
        },
    )  # fmt: skip
