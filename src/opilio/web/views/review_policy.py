"""What agencies leave to rules when results are reviewed."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from opilio.curation.actions.review_policies import set_policy
from opilio.curation.queries import assessments as query
from opilio.web.forms.page import FormPage, answer
from opilio.web.forms.quality import RULES, PolicyForm
from opilio.web.forms.stale import Version
from opilio.web.requests import PageRequest
from opilio.web.sections import section

PATH = "/admin/review-policy"


@section("review-policy")
@require_safe
def policies(request: PageRequest) -> HttpResponse:
    """The rules of each agency that the asker manages."""
    rows = [(one, query.policy(one)) for one in query.agencies(request.actor)]
    return render(request, "web/quality/policies.html", {"rows": rows, "title": "Rules of review", "path": PATH})


@section("review-policy")
def policy(request: PageRequest, agency_id: int) -> HttpResponse:
    """The rules of one agency."""
    agency = query.agency(request.actor, agency_id)
    row = query.policy(agency)

    def save(data: dict[str, Any]) -> str:
        set_policy(request.actor, agency_id=agency.pk, version=data.pop("version"), changes=data)
        messages.success(request, f"The rules of {agency.name} are saved.")
        return PATH

    values = {name: getattr(row, name) for name in RULES}
    form = PolicyForm(request, initial={**values, "version": row.version})
    page = FormPage(
        title=f"Rules of review of {agency.name}", back=PATH,
        intro="Results that were decided stay decided; what comes from now on is reviewed by these rules.",
    )  # fmt: skip
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))
