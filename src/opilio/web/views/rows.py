"""Delete and restore any curated row; a deletion is asked about first, and can always be taken back."""

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from opilio.people.actions.rows import delete_row, restore_row
from opilio.people.kinds import kind_named
from opilio.people.queries.records import rows_of
from opilio.people.queries.visible import one
from opilio.web.links import list_of, path_of
from opilio.web.requests import PageRequest, asked_next


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: PageRequest, kind_name: str, row_id: int) -> HttpResponse:
    """Ask, then delete; htmx shows the question in a dialog."""
    kind = kind_named(kind_name)
    back = asked_next(request, list_of(kind_name))
    if request.method == "POST":
        row = delete_row(request.actor, kind_name=kind_name, row_id=row_id)
        messages.success(request, f"{kind.label} {row} is deleted. The page Deleted restores it.")
        return HttpResponseRedirect(back)
    row = one(rows_of(request.actor, kind), kind.label.lower(), row_id)
    context = {"kind": kind, "row": row, "next": back, "cancel": path_of(kind_name, row_id) or back}
    template = "web/rows/_delete.html" if request.htmx else "web/rows/delete.html"
    return render(request, template, context)


@require_POST
def restore(request: PageRequest, kind_name: str, row_id: int) -> HttpResponse:
    """Bring a deleted row back."""
    row = restore_row(request.actor, kind_name=kind_name, row_id=row_id)
    messages.success(request, f"{kind_named(kind_name).label} {row} is restored.")
    return HttpResponseRedirect(asked_next(request, path_of(kind_name, row_id) or "/admin/deleted"))
