"""Notes pinned to rows: add, reword, and what they said before."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.views.decorators.http import require_POST

from opilio.people.actions.annotations import add_annotation, edit_annotation
from opilio.people.queries.reachable import annotation
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.people import EditNoteForm, NoteForm
from opilio.web.forms.stale import Version
from opilio.web.links import path_of
from opilio.web.requests import PageRequest, asked_next


@require_POST
def add(request: PageRequest, kind_name: str, row_id: int) -> HttpResponse:
    """Pin a note to a row; a faulty one is shown again, with what was typed."""
    back = asked_next(request, path_of(kind_name, row_id) or "/")

    def save(data: dict[str, Any]) -> str:
        add_annotation(request.actor, kind_name=kind_name, row_id=row_id, **data)
        messages.success(request, "The note is pinned.")
        return back

    page = FormPage(title="New note", back=back, button="Pin note", context={"next": back})
    return answer(request, NoteForm(request), page, save=save)


def edit(request: PageRequest, annotation_id: int) -> HttpResponse:
    """Reword one's own note; the wording so far is kept."""
    row = annotation(request.actor, annotation_id)
    back = asked_next(request, path_of(row.subject_type, row.subject_id) or "/")

    def save(data: dict[str, Any]) -> str:
        edit_annotation(request.actor, annotation_id=annotation_id, **data)
        messages.success(request, "The note is reworded; its history keeps the former wording.")
        return back

    values = {"note": row.note, "alertable": row.alertable}
    form = EditNoteForm(request, initial={**values, "version": row.version})
    page = FormPage(title="Reword note", back=back, context={"next": back, "edits": list(row.edits.all())})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
