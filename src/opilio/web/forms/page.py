"""How a form is answered: shown, saved by an action, shown again with what was wrong, or set beside a newer version."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from opilio.kernel.errors import OpilioError
from opilio.people.errors import NotFound, Stale
from opilio.web.forms.base import PageForm
from opilio.web.forms.stale import Newer, compared

KEEP_EDITING = "keep-editing"


@dataclass(frozen=True, kw_only=True)
class FormPage:
    """The page around a form."""

    title: str
    back: str  # where "Cancel" and "Take theirs" lead
    button: str = "Save"
    intro: str = ""
    template: str = "web/forms/form.html"
    context: Mapping[str, Any] = field(default_factory=dict)


def answer(
    request: HttpRequest,
    form: PageForm,
    page: FormPage,
    *,
    save: Callable[[dict[str, Any]], str],
    newer: Callable[[], Newer] | None = None,
) -> HttpResponse:
    """Save by the action, which says where to go next; `newer` gives the row as somebody else left it."""
    posted = request.method == "POST"
    if posted and KEEP_EDITING not in request.POST and form.is_valid():
        try:
            return HttpResponseRedirect(save(dict(form.cleaned_data)))
        except Stale as error:
            if newer is None:
                raise
            return _stale(request, form, page, error, newer())
        except NotFound:
            raise
        except OpilioError as error:
            form.take(error)
    if posted and form.errors and form.status == 200:
        form.status = 422
    return render(request, page.template, {"form": form, "page": page, **page.context}, status=form.status)


def _stale(request: HttpRequest, form: PageForm, page: FormPage, error: Stale, newer: Newer) -> HttpResponse:
    typed = [
        (name, value)
        for name, values in request.POST.lists()
        if name not in ("csrfmiddlewaretoken", KEEP_EDITING, *newer.sent)
        for value in values
    ]
    return render(
        request, "web/forms/stale.html",
        {"page": page, "error": error, "typed": [*newer.sent.items(), *typed],
         "differences": compared(form, newer), "keep_editing": KEEP_EDITING},
        status=409,
    )  # fmt: skip
