"""Make and change depositories: where endorsed results are handed to; deleting one is `row.delete`."""

from typing import Any

from opilio.curation import deposit_addresses, deposit_questions
from opilio.curation.kinds import DEPOSITORY
from opilio.curation.models import Depository
from opilio.kernel.errors import InvalidInput, OpilioError
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import SYSTEM_WIDE, Privilege
from opilio.people.queries.homes import agency_names

FIELDS = (
    "name", "kind", "place", "username", "form", "self_contained", "questions", "timeout", "active", "preferred",
)  # fmt: skip
_WHERE = ("kind", "place", "username")  # what decides where a secret is sent
_LONGEST_WAIT = 86_400  # seconds
_MANAGE = Privilege.CONFIGURE_PARAMETERS
_KEPT = "kept"  # stands for a secret that stays as it is


@action("depository.create", "Make a depository.", privilege=_MANAGE)
def create_depository(act: Act, /, *, agency_id: int | None = None, secret: str = "", **fields: Any) -> Depository:
    """One agency's, or without one everybody's; the secret goes in and never comes out again."""
    act.require(_MANAGE, SYSTEM_WIDE, "make depositories")
    if agency_id is not None and not agency_names(frozenset({agency_id})):
        raise InvalidFields({"agency": [f"There is no agency {agency_id}."]}, where=act.name)
    row = Depository(id=deposit_addresses.fresh_identifier(), agency_id=agency_id, **_known(fields))
    _check(act, row, secret)
    row.secret = deposit_addresses.sealed_secret(row.pk, secret) or None
    act.insert(row)
    _only_one_preferred(act, row)
    return row


@action("depository.update", "Change a depository.", privilege=_MANAGE)
def update_depository(act: Act, /, *, depository_id: int, version: int, secret: str = "", **fields: Any) -> Depository:
    """An empty secret stays as it is; whoever changes where it is sent must give it anew."""
    row: Depository = act.fetch(DEPOSITORY, depository_id)
    act.require(_MANAGE, DEPOSITORY.subject(row), f"change the depository {row.name}")
    changes = {name: value for name, value in _known(fields).items() if value != getattr(row, name)}
    if row.secret and not secret and any(name in changes for name in _WHERE):
        told = "Enter it again: it may be sent elsewhere now, and only somebody who knows it may decide that."
        raise InvalidFields({"secret": [told]}, where=act.name)
    draft = Depository(id=row.pk, **{name: changes.get(name, getattr(row, name)) for name in FIELDS})
    _check(act, draft, secret or (_KEPT if row.secret else ""))
    if secret:
        changes["secret"] = deposit_addresses.sealed_secret(row.pk, secret)
    act.update(row, changes, version=version)
    _only_one_preferred(act, row)
    return row


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.strip() if isinstance(value, str) else value for name, value in fields.items() if name in FIELDS
    }


def _check(act: Act, row: Depository, secret: str) -> None:
    faults = {}
    if row.form not in deposit_addresses.FORMS:
        faults["form"] = [f"Choose one of {', '.join(deposit_addresses.FORMS)}."]
    if not isinstance(row.timeout, int) or not 1 <= row.timeout <= _LONGEST_WAIT:
        faults["timeout"] = [f"Write a number of seconds from 1 to {_LONGEST_WAIT}."]
    wrong = deposit_questions.faults_of(row.questions)
    if wrong:
        faults["questions"] = wrong[:10]
    if not faults:
        faults = _place_faults(row, secret)
    if faults:
        raise InvalidFields(faults, where=act.name)


def _place_faults(row: Depository, secret: str) -> dict[str, list[str]]:
    try:
        deposit_addresses.require_usable(deposit_addresses.address_of(row, secret))
    except InvalidInput as error:
        return {"place": [_sentence(error)]}
    return {}


def _sentence(error: OpilioError) -> str:
    what = error.what[:1].upper() + error.what[1:]
    return f"{what}. {error.remedy}".strip()


def _only_one_preferred(act: Act, row: Depository) -> None:
    """Of those of an agency, or of those of everybody, one is proposed first."""
    if row.preferred:
        for other in Depository.objects.filter(agency_id=row.agency_id, preferred=True).exclude(pk=row.pk):
            act.update(other, {"preferred": False}, message=f"{row.name} is proposed first now.")
