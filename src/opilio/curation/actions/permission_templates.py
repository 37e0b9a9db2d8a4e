"""Make and change the texts of permission requests."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from opilio.curation import placeholders
from opilio.curation.kinds import PERMISSION_TEMPLATE
from opilio.curation.letters import addresses
from opilio.curation.models import PermissionTemplate
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege, Subject

FIELDS = (
    "name", "description", "kind", "text", "subject", "override_from", "sender", "cc", "bcc", "reply_to",
)  # fmt: skip
_MANAGE = Privilege.PERMISSION_REQUEST_TEMPLATE


@action("permission_template.create", "Make a text of permission requests.", privilege=_MANAGE)
def create_template(act: Act, /, *, agency_id: int, **fields: Any) -> PermissionTemplate:
    """A text with a placeholder that is not known is refused."""
    act.require(_MANAGE, Subject(agency=agency_id), "make templates for this agency")
    known = _known(fields)
    row = PermissionTemplate(agency_id=agency_id, **known)
    _check(row)
    return act.insert(row)


@action("permission_template.update", "Change a text of permission requests.", privilege=_MANAGE)
def update_template(act: Act, /, *, template_id: int, version: int, **fields: Any) -> PermissionTemplate:
    """Requests that went out keep the text that they had."""
    row: PermissionTemplate = act.fetch(PERMISSION_TEMPLATE, template_id)
    act.require(_MANAGE, PERMISSION_TEMPLATE.subject(row), f"change the template {row.name}")
    changes = _known(fields)
    _check(PermissionTemplate(**{name: changes.get(name, getattr(row, name)) for name in FIELDS}))
    act.update(row, changes, version=version)
    return row


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.strip() if isinstance(value, str) and name != "text" else value
        for name, value in fields.items()
        if name in FIELDS
    }


def _check(row: PermissionTemplate) -> None:
    try:
        placeholders.check(row.text, row.subject)
    except placeholders.UnknownPlaceholder as error:
        raise InvalidFields({"text": [str(error)]}) from error
    if "answer_url" in placeholders.used(row.subject):
        raise InvalidFields({"subject": ["The address of the answer form belongs into the text."]})
    if row.override_from and not row.sender:
        raise InvalidFields({"sender": ["Give the address in whose name it is sent."]})
    for name in ("cc", "bcc"):
        for each in addresses(getattr(row, name)):
            _check_address(name, each)


def _check_address(name: str, address: str) -> None:
    try:
        validate_email(address)
    except ValidationError as error:
        raise InvalidFields({name: [f"{address[:80]!r} is no e-mail address."]}) from error
