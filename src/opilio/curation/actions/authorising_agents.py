"""Make and change authorising agents: whoever is asked for permission."""

from typing import Any

from opilio.curation.kinds import AUTHORISING_AGENT
from opilio.curation.models import AuthorisingAgent
from opilio.people.acting import Act, action
from opilio.people.privileges import Privilege, Subject

FIELDS = ("name", "description", "contact", "address", "email", "phone")


@action("authorising_agent.create", "Make an authorising agent.", privilege=Privilege.MODIFY_SITE)
def create_agent(act: Act, /, *, agency_id: int, name: str, **fields: Any) -> AuthorisingAgent:
    """All authorisations of the agency can name it."""
    act.require(Privilege.MODIFY_SITE, Subject(agency=agency_id), "make authorising agents for this agency")
    return act.insert(AuthorisingAgent(agency_id=agency_id, name=name.strip(), **_known(fields)))


@action("authorising_agent.update", "Change an authorising agent.", privilege=Privilege.MODIFY_SITE)
def update_agent(act: Act, /, *, agent_id: int, version: int, **fields: Any) -> AuthorisingAgent:
    """What it is called, and how it is reached."""
    row: AuthorisingAgent = act.fetch(AUTHORISING_AGENT, agent_id)
    act.require(Privilege.MODIFY_SITE, AUTHORISING_AGENT.subject(row), f"change the authorising agent {row.name}")
    act.update(row, _known(fields), version=version)
    return row


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: str(value).strip() for name, value in fields.items() if name in FIELDS}
