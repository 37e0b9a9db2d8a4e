"""The table of who may do what with authorisations, permissions and templates."""

from datetime import date

from opilio.curation.actions import (
    authorisations,
    authorising_agents,
    permission_answers,
    permission_requests,
    permission_templates,
    permissions,
)
from opilio.curation.models import PermissionStatus, UrlPattern
from opilio.people.privileges import Privilege
from opilio.people.throttle import Rules
from tests.curation import Desk
from tests.permissions.table import Rule, agency_wide, open_to

_THROTTLE = Rules(free_failures=3, first_delay=1.0, max_delay=2.0)
PENDING, REQUESTED = PermissionStatus.PENDING, PermissionStatus.REQUESTED


def _desk(place):
    return Desk(place.town)


def _site(place):
    desk = _desk(place)
    return desk.authorisation("http://site.example/*", agency=place.agency, agents=[desk.agent(agency=place.agency)])


def _permission(place, **fields):
    desk = _desk(place)
    agent = desk.agent(agency=place.agency, email="rights@publisher.example")
    return desk.permission("http://site.example/*", agency=place.agency, agent=agent, **fields)


def _template(place):
    return permission_templates.create_template(
        place.town.system, agency_id=place.agency.id, name="Request", text="Dear {contact_name}"
    )


def _create(actor, place):
    site = _site(place)
    permissions.create_permission(
        actor, authorisation_id=site.id, agent_id=site.agent_links.get().agent_id, start_date=date(2026, 1, 1),
        patterns=list(UrlPattern.objects.filter(authorisation=site).values_list("id", flat=True)),
    )  # fmt: skip


def _remind(actor, place):
    permission_requests.remind_permission(actor, permission_id=_permission(place, status=REQUESTED).id)


def _answer(actor, place):
    reply = permission_answers.Reply(word=permission_answers.Word.GRANT, name="The editor")
    outcome = permission_answers.answer_permission(actor, token="no such token", reply=reply, rules=_THROTTLE)
    assert not outcome.taken


RULES: dict[str, Rule] = {
    "authorisation.create": agency_wide(
        Privilege.CREATE_SITE,
        lambda actor, place: authorisations.create_authorisation(actor, agency_id=place.agency.id, title="Site"),
    ),
    "authorisation.update": agency_wide(
        Privilege.MODIFY_SITE,
        lambda actor, place: authorisations.update_authorisation(
            actor, authorisation_id=_site(place).id, version=1, notes="Remember."
        ),
    ),
    "authorisation.set_patterns": agency_wide(
        Privilege.MODIFY_SITE,
        lambda actor, place: authorisations.set_patterns(
            actor, authorisation_id=_site(place).id, patterns=["http://other.example/"]
        ),
    ),
    "authorisation.set_agents": agency_wide(
        Privilege.MODIFY_SITE,
        lambda actor, place: authorisations.set_agents(actor, authorisation_id=_site(place).id, agents=[]),
    ),
    "authorisation.switch": agency_wide(
        Privilege.ENABLE_DISABLE_SITE,
        lambda actor, place: authorisations.switch_authorisation(actor, authorisation_id=_site(place).id, active=False),
    ),
    "authorising_agent.create": agency_wide(
        Privilege.MODIFY_SITE,
        lambda actor, place: authorising_agents.create_agent(actor, agency_id=place.agency.id, name="Publisher"),
    ),
    "authorising_agent.update": agency_wide(
        Privilege.MODIFY_SITE,
        lambda actor, place: authorising_agents.update_agent(
            actor, agent_id=_desk(place).agent(agency=place.agency).id, version=1, contact="The editor"
        ),
    ),
    "permission_template.create": agency_wide(
        Privilege.PERMISSION_REQUEST_TEMPLATE,
        lambda actor, place: permission_templates.create_template(
            actor, agency_id=place.agency.id, name="Letter", text="Dear {contact_name}"
        ),
    ),
    "permission_template.update": agency_wide(
        Privilege.PERMISSION_REQUEST_TEMPLATE,
        lambda actor, place: permission_templates.update_template(
            actor, template_id=_template(place).id, version=1, text="Dear all"
        ),
    ),
    "permission.create": agency_wide(Privilege.MODIFY_PERMISSION, _create),
    "permission.update": agency_wide(
        Privilege.MODIFY_PERMISSION,
        lambda actor, place: permissions.update_permission(
            actor, permission_id=_permission(place).id, version=1, notes="Remember."
        ),
    ),
    "permission.set_exclusions": agency_wide(
        Privilege.MODIFY_PERMISSION,
        lambda actor, place: permissions.set_exclusions(
            actor, permission_id=_permission(place).id, exclusions=[{"url": "http://site.example/a", "reason": ""}]
        ),
    ),
    "permission.seek": agency_wide(
        Privilege.MODIFY_PERMISSION,
        lambda actor, place: permissions.seek_permission(actor, permission_id=_permission(place, status=PENDING).id),
    ),
    "permission.log": agency_wide(
        Privilege.MODIFY_PERMISSION,
        lambda actor, place: permissions.log_communication(
            actor, permission_id=_permission(place).id, channel="phone", outgoing=True, text="Called."
        ),
    ),
    "permission.approve": agency_wide(
        Privilege.CONFIRM_PERMISSION,
        lambda actor, place: permissions.approve_permission(actor, permission_id=_permission(place, status=PENDING).id),
    ),
    "permission.reject": agency_wide(
        Privilege.CONFIRM_PERMISSION,
        lambda actor, place: permissions.reject_permission(actor, permission_id=_permission(place).id),
    ),
    "permission.transfer": agency_wide(
        Privilege.TRANSFER_LINKED_TARGETS,
        lambda actor, place: permissions.transfer_seeds(
            actor, permission_id=_permission(place).id, into_id=_permission(place).id
        ),
    ),
    "permission.request": agency_wide(
        Privilege.GENERATE_TEMPLATE,
        lambda actor, place: permission_requests.request_permission(
            actor, permission_id=_permission(place, status=PENDING).id, template_id=_template(place).id
        ),
    ),
    "permission.remind": agency_wide(Privilege.GENERATE_TEMPLATE, _remind),
    "permission.revoke_form": agency_wide(
        Privilege.GENERATE_TEMPLATE,
        lambda actor, place: permission_requests.revoke_forms(actor, permission_id=_permission(place).id),
    ),
    "permission.announce": agency_wide(
        Privilege.GENERATE_TEMPLATE,
        lambda actor, place: permission_requests.announce_permission(
            actor, permission_id=_permission(place, status=REQUESTED).id
        ),
    ),
    "permission.answer": open_to(_answer, "own", objects="own"),
}
