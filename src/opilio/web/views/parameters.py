"""The parameters of the installation."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse

from opilio.people.actions.parameters import set_parameters
from opilio.people.parameters import in_force
from opilio.web.forms.installation import ParametersForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.requests import PageRequest
from opilio.web.sections import section


@section("parameters")
def parameters(request: PageRequest) -> HttpResponse:
    """All of them on one page; only those that were changed on it are written."""
    now = in_force()
    form = ParametersForm(request, now=now)

    def save(data: dict[str, Any]) -> str:
        texts = {name: text for name, text in form.changed().items() if data[name] != now[name].value}
        set_parameters(request.actor, texts=texts, versions=form.versions())
        messages.success(request, f"{len(texts)} changed." if texts else "Nothing was changed.")
        return "/admin/parameters"

    page = FormPage(
        title="Parameters", back="/admin/parameters",
        intro="What this installation may set for itself while it runs. Settings of the machine are in opilio.toml.",
    )  # fmt: skip
    return answer(request, form, page, save=save, newer=lambda: form.newer(in_force()))
