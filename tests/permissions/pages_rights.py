"""Who may open the pages of authorisations, permissions and templates."""

from opilio.curation.actions.permission_templates import create_template
from opilio.people.privileges import Privilege
from tests.curation import Desk
from tests.permissions.page_table import Page

_TELLING = (Privilege.MODIFY_SITE, Privilege.CREATE_TARGET, Privilege.CONFIRM_PERMISSION)
_TEMPLATES = (Privilege.PERMISSION_REQUEST_TEMPLATE,)


def _site(town, agency):
    return Desk(town).authorisation("http://site.example/*", agency=agency).id


def _agent(town, agency):
    return Desk(town).agent(agency=agency).id


def _permission(town, agency):
    return Desk(town).permission("http://site.example/*", agency=agency).id


def _template(town, agency):
    return create_template(town.system, agency_id=agency.id, name="Request", text="Dear {contact_name}").id


#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    "authorisations": Page(opens_to=_TELLING),
    "authorisation": Page(opens_to=_TELLING, object_of=_site),
    "edit-authorisation": Page(opens_to=_TELLING, object_of=_site),
    "authorisation-patterns": Page(opens_to=_TELLING, object_of=_site),
    "authorisation-agents": Page(opens_to=_TELLING, object_of=_site),
    "new-permission": Page(opens_to=_TELLING, object_of=_site),
    "authorising-agents": Page(opens_to=_TELLING),
    "authorising-agent": Page(opens_to=_TELLING, object_of=_agent),
    "permissions": Page(opens_to=_TELLING),
    "explain-permissions": Page(opens_to=_TELLING),
    "permission": Page(opens_to=_TELLING, object_of=_permission),
    "edit-permission": Page(opens_to=_TELLING, object_of=_permission),
    "permission-exclusions": Page(opens_to=_TELLING, object_of=_permission),
    "approve-permission": Page(opens_to=_TELLING, object_of=_permission),
    "reject-permission": Page(opens_to=_TELLING, object_of=_permission),
    "ask-permission": Page(opens_to=_TELLING, object_of=_permission),
    "log-permission": Page(opens_to=_TELLING, object_of=_permission),
    "transfer-permission": Page(opens_to=_TELLING, object_of=_permission),
    "templates": Page(opens_to=_TEMPLATES),
    "template": Page(opens_to=_TEMPLATES, object_of=_template),
}
#: Addresses that need no row: forms whose actions have their own table, or open to the world.
ELSEWHERE: set[str] = {
    "new-authorisation", "authorisation-switch", "new-authorising-agent", "permission-step", "said", "new-template",
    "answer", "answered",
}  # fmt: skip
