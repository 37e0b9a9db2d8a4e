"""The overrides of a target or group, tried on URLs before they are saved; and its credentials."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse

from opilio.crawl.errors import BadPlan
from opilio.curation.actions.credentials import create_credential, update_credential
from opilio.curation.actions.overrides import update_overrides
from opilio.curation.credential_columns import WAYS
from opilio.curation.override_columns import COLUMNS
from opilio.curation.queries import profiles as queries
from opilio.curation.queries.plans import barred_for
from opilio.curation.queries.profiles import ShownOverrides
from opilio.curation.trying import Tried, try_patterns
from opilio.curation.words import ObjectType
from opilio.web.forms.overrides import CredentialForm, EditCredentialForm, OverridesForm
from opilio.web.forms.page import KEEP_EDITING, FormPage, answer
from opilio.web.forms.stale import Version
from opilio.web.holder_page import frame
from opilio.web.requests import PageRequest
from opilio.web.sections import section

TRY = "try"


@section("targets")
def overrides(request: PageRequest, holder_id: int) -> HttpResponse:
    """The overrides of a target or group; “Try” answers without saving."""
    shown = queries.overrides_of(request.actor, holder_id)
    values = {
        **{name: getattr(shown.row, name) for name in COLUMNS},
        "exclusions": "\n".join(shown.exclusions), "inclusions": "\n".join(shown.inclusions),
    }  # fmt: skip
    form = OverridesForm(request, initial={**values, "version": shown.row.version})

    def save(data: dict[str, Any]) -> str:
        known = {name: data[name] for name in COLUMNS}
        update_overrides(
            request.actor, holder_id=holder_id, version=data["version"], exclusions=data["exclusions"].splitlines(),
            inclusions=data["inclusions"].splitlines(), **known,
        )  # fmt: skip
        messages.success(request, "Saved.")
        return f"/overrides/{holder_id}"

    page = FormPage(
        title=f"Overrides of {shown.holder.name}", back=home_of(shown), template="web/overrides/overrides.html",
        context={
            **frame(request.actor, shown.holder, "overrides"), "shown": shown, "tried": _tried(request, form, shown),
            "home": home_of(shown),
        },
    )  # fmt: skip
    newer = Version(number=shown.row.version, values=values)
    return answer(request, form, page, save=save, newer=lambda: newer)


@section("targets")
def new_credential(request: PageRequest, holder_id: int) -> HttpResponse:
    """Add a credential."""
    shown = queries.overrides_of(request.actor, holder_id)

    def save(data: dict[str, Any]) -> str:
        create_credential(request.actor, holder_id=holder_id, **data)
        messages.success(request, "The credential is kept, encrypted. Seeds can show it now.")
        return f"/overrides/{holder_id}"

    page = FormPage(title=f"New credential of {shown.holder.name}", back=f"/overrides/{holder_id}", button="Add")
    return answer(request, CredentialForm(request), page, save=save)


@section("targets")
def credential(request: PageRequest, credential_id: int) -> HttpResponse:
    """Change a credential."""
    row, holder = queries.credential(request.actor, credential_id)
    values = {name: getattr(row, name) for name in WAYS}

    def save(data: dict[str, Any]) -> str:
        update_credential(request.actor, credential_id=row.id, **data)
        messages.success(request, "Saved.")
        return f"/overrides/{holder.pk}"

    page = FormPage(
        title=f"Credential for {row.domain}", back=f"/overrides/{holder.pk}", template="web/overrides/credential.html",
        context={"row": holder, "credential": row},
    )  # fmt: skip
    form = EditCredentialForm(request, initial={**values, "version": row.version})
    return answer(request, form, page, save=save, newer=lambda: Version(number=row.version, values=values))


def home_of(shown: ShownOverrides) -> str:
    """The page of the target or group."""
    kind = "targets" if shown.holder.object_type == ObjectType.TARGET else "groups"
    return f"/{kind}/{shown.holder.pk}"


def _tried(request: PageRequest, form: OverridesForm, shown: ShownOverrides) -> tuple[Tried, ...] | None:
    """What becomes of the URLs in the box; None when nobody asked. A bad pattern is told beside its field."""
    if request.POST.get(KEEP_EDITING) != TRY or not form.is_valid():
        return None
    data = form.cleaned_data
    patterns = {
        name: data[name].splitlines() if data[f"overrides_{name}"] else [] for name in ("exclusions", "inclusions")
    }
    try:
        return try_patterns(
            data["urls"].splitlines(), exclude=_lines(patterns["exclusions"]), include=_lines(patterns["inclusions"]),
            barred=barred_for(request.actor, shown.holder.pk),
        )  # fmt: skip
    except BadPlan as error:
        form.add_error(error.where.rpartition(" ")[2], str(error))
        return None


def _lines(lines: list[str]) -> list[str]:
    return [line.strip() for line in lines if line.strip()]
