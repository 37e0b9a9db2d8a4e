"""Import from the Web Curator Tool: upload a dump, look at a dry run, import, read the report."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from opilio.curation.actions.wct_import import ask, discard
from opilio.curation.queries.wct_imports import UNFINISHED, imports, report_file
from opilio.curation.wct import uploads
from opilio.curation.wct.dump import ENCODINGS
from opilio.people.errors import NotFound
from opilio.people.privileges import SYSTEM_WIDE, Privilege
from opilio.people.queries.visible import one
from opilio.people.zones import names
from opilio.web.forms.base import PageForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.requests import PageRequest
from opilio.web.sections import section
from opilio.web.streams import download, pieces_of

if TYPE_CHECKING:
    from opilio.curation.models import WctImport

PATH = "/admin/import"
_SHOWN = 50  # imports on the page
_WORDS = ("made", "changed", "unchanged", "refused", "not yet")


class ImportForm(PageForm):
    """What is imported, and how it is read."""

    upload = forms.FileField(
        required=False, label="Dump", widget=forms.ClearableFileInput(attrs={"accept": ",".join(uploads.ENDINGS)}),
        help_text="A zip of one CSV file for each table, or an SQL dump of MySQL, PostgreSQL or Oracle.",
    )  # fmt: skip
    lying = forms.ChoiceField(
        required=False, label="Or one that lies on the server",
        help_text="From the folder “imports” in the home of the installation; for dumps too large to upload.",
    )  # fmt: skip
    time_zone = forms.ChoiceField(label="Time zone", help_text="Zone of the server from which the dump came.")
    encoding = forms.ChoiceField(
        label="Encoding", choices=[(name, name) for name in ENCODINGS], help_text="How texts are written in it."
    )
    dry_run = forms.BooleanField(
        required=False, label="Dry run", help_text="Say what would happen, and change nothing. Do this first."
    )

    def __init__(self, request: PageRequest) -> None:
        super().__init__(request, initial={"dry_run": True, "time_zone": request.actor.time_zone})
        self.files = request.FILES
        self._choices("time_zone", [(name, name) for name in names()])
        self._choices("lying", [("", "–"), *((name, name) for name in uploads.listed())])

    def _choices(self, name: str, offered: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = offered

    def clean(self) -> dict[str, Any]:
        """One dump, not two and not none."""
        data = super().clean()
        if bool(data.get("upload")) == bool(data.get("lying")) and not self.errors:
            self.add_error("upload", "Choose a file to upload, or one that lies on the server.")
        return data


@section("imports")
def wct_import(request: PageRequest) -> HttpResponse:
    """The form, and the imports so far."""
    form = ImportForm(request)

    def save(data: dict[str, Any]) -> str:
        file = data["lying"]
        if data["upload"] and request.actor.may(Privilege.CONFIGURE_PARAMETERS, SYSTEM_WIDE):
            file = uploads.keep(data["upload"].name, data["upload"].chunks())
        row = ask(
            request.actor, file=file, dry_run=data["dry_run"], time_zone=data["time_zone"], encoding=data["encoding"]
        )
        messages.success(request, "An agent takes it up in a moment.")
        return f"{PATH}/{row.id}"

    page = FormPage(
        title="Import from the Web Curator Tool", back=PATH, button="Begin", template="web/wct/imports.html",
        intro="Takes over agencies, users, authorisations, permissions, profiles, targets, groups, schedules and the "
        "audit trail. The same dump twice changes nothing.",
        context={"imports": imports(request.actor)[:_SHOWN]},
    )  # fmt: skip
    return answer(request, form, page, save=save)


@section("imports")
@require_safe
def wct_report(request: PageRequest, import_id: int) -> HttpResponse:
    """One import: how far it is, what became of every table, what was not taken over."""
    row = one(imports(request.actor), "import", import_id)
    tables = [(name, [counts.get(word, 0) for word in _WORDS]) for name, counts in row.report.get("tables", {}).items()]
    context = {
        "row": row, "tables": tables, "words": _WORDS, "unfinished": row.state in UNFINISHED,
        "entries": row.report.get("entries", []), "told": row.report.get("told", 0),
        "failure": row.report.get("failure", ""), "whole": report_file(row.id) is not None,
    }  # fmt: skip
    return render(request, "web/wct/import.html", context)


@section("imports")
@require_safe
def wct_report_file(request: PageRequest, import_id: int) -> HttpResponseBase:
    """Every entry of the report, as CSV."""
    row = one(imports(request.actor), "import", import_id)
    path = report_file(row.id)
    if path is None:
        raise NotFound("The report is not on this machine", where=row.name, remedy="Import the dump again.")
    return download(request, pieces_of(path), name=f"import-{row.id}.csv", kind="text/csv; charset=utf-8")


@section("imports")
@require_POST
def wct_again(request: PageRequest, import_id: int) -> HttpResponse:
    """After a dry run: the same for good."""
    row: WctImport = one(imports(request.actor), "import", import_id)
    made = ask(request.actor, file=row.path, dry_run=False, time_zone=row.time_zone, encoding=row.encoding)
    messages.success(request, "An agent takes it up in a moment.")
    return HttpResponseRedirect(f"{PATH}/{made.id}")


@section("imports")
@require_POST
def wct_discard(request: PageRequest, import_id: int) -> HttpResponse:
    """Remove the dump, which holds personal data, from the server."""
    discard(request.actor, import_id=import_id)
    messages.success(request, "The dump was removed from the server; what was imported stays.")
    return HttpResponseRedirect(f"{PATH}/{import_id}")
