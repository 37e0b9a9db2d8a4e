"""Add and change the credentials of a target or group. A secret comes in, and never goes out again."""

from typing import Any

from opilio.crawl.logins.errors import BadCredentials
from opilio.curation import credentials
from opilio.curation.actions.overrides import holder_of, touched
from opilio.curation.credential_columns import WAYS
from opilio.curation.kinds import CREDENTIAL
from opilio.curation.models import AbstractTarget, Credential
from opilio.curation.overriding import overrides_for
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields, NotFound
from opilio.people.privileges import Privilege


@action("credential.create", "Add a credential to a target or group.", privilege=Privilege.MODIFY_TARGET)
def create_credential(act: Act, /, *, holder_id: int, kind: str, domain: str, secret: str, **fields: Any) -> Credential:
    """Credentials count from now on; seeds name the one that they show."""
    holder = holder_of(act, holder_id)
    overrides = overrides_for(act, holder)
    made = Credential(
        id=credentials.fresh_identifier(), overrides=overrides, kind=kind, domain=domain.strip().lower(),
        position=Credential.objects.filter(overrides=overrides).count(), **_known(fields),
    )  # fmt: skip
    _check(act, made, secret)
    made.secret = credentials.sealed(made.id, secret)
    act.insert(made)
    act.update(overrides, {"overrides_credentials": True})
    touched(act, holder)
    return made


@action("credential.update", "Change a credential of a target or group.", privilege=Privilege.MODIFY_TARGET)
def update_credential(act: Act, /, *, credential_id: int, version: int, secret: str = "", **fields: Any) -> Credential:
    """An empty secret stays as it is; whoever changes where or how it is sent must give it anew."""
    row: Credential = act.fetch(CREDENTIAL, credential_id)
    holder = _holder(act, row)
    changes = {name: value for name, value in _known(fields).items() if value != getattr(row, name)}
    if changes and not secret:
        told = "Enter it again: it may be sent elsewhere now, and only somebody who knows it may decide that."
        raise InvalidFields({"secret": [told]}, where=act.name)
    if secret:
        draft = Credential(id=row.id, **{name: changes.get(name, getattr(row, name)) for name in WAYS})
        _check(act, draft, secret)
        changes["secret"] = credentials.sealed(row.id, secret)
    if act.update(row, changes, version=version):
        touched(act, holder)
    return row


def _holder(act: Act, row: Credential) -> AbstractTarget:
    found: AbstractTarget | None = AbstractTarget.objects.filter(overrides_id=row.overrides_id).first()
    if found is None:
        raise NotFound(f"There is no credential {row.id}", where=act.name, remedy="Was its target deleted?")
    return holder_of(act, found.pk)


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value.strip() if isinstance(value, str) else value for name, value in fields.items() if name in WAYS}


def _check(act: Act, row: Credential, secret: str) -> None:
    if not secret:
        raise InvalidFields({"secret": ["Enter the password, the header's value, or the cookies."]}, where=act.name)
    try:
        credentials.checked(row, secret)
    except BadCredentials as error:
        raise InvalidFields({_field(error.what): [f"{error.what}. {error.remedy}"]}, where=act.name) from None


#: The columns behind the names that the crawl engine uses in its messages.
_FIELDS = {
    "hosts": "domain", "domain": "domain", "user": "username", "password": "secret", "page": "login_url",
    "headers": "header_name", "cookies": "secret", "realm": "realm", "user_field": "username_field",
    "password_field": "password_field", "kind": "kind",
}  # fmt: skip


def _field(what: str) -> str:
    name = what.partition("`")[2].partition("`")[0]
    return _FIELDS.get(name, "domain")
