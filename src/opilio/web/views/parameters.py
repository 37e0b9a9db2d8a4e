"""The parameters of the installation."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse

from opilio.people import parameters as declared
from opilio.people.actions.lists import set_parameter
from opilio.web.forms.installation import ParametersForm
from opilio.web.forms.page import FormPage, answer
from opilio.web.requests import PageRequest
from opilio.web.sections import section


@section("parameters")
def parameters(request: PageRequest) -> HttpResponse:
    """All of them on one page; only those that differ are written."""
    now = declared.values()

    def save(data: dict[str, Any]) -> str:
        changed = [name for name, value in data.items() if value != now[name]]
        for name in changed:
            set_parameter(request.actor, name=name, text=str(data[name]))
        messages.success(request, f"{len(changed)} changed." if changed else "Nothing was changed.")
        return "/admin/parameters"

    page = FormPage(
        title="Parameters", back="/admin/parameters",
        intro="What this installation may set for itself while it runs. Settings of the machine are in opilio.toml.",
    )  # fmt: skip
    return answer(request, ParametersForm(request, values=now), page, save=save)
