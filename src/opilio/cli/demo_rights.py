"""Sample rights for the demo: authorising agents, authorisations, permissions in every status, letters."""

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opilio.curation.actions.authorisations import create_authorisation
from opilio.curation.actions.authorising_agents import create_agent
from opilio.curation.actions.permission_requests import request_permission
from opilio.curation.actions.permission_templates import create_template
from opilio.curation.actions.permissions import approve_permission, create_permission, reject_permission
from opilio.curation.queries import permissions
from opilio.people.actor import Actor

if TYPE_CHECKING:
    from opilio.curation.models import Permission, PermissionTemplate

_LETTER = """Dear {contact_name},

{agency_name} would like to collect {site_name} and keep it for readers to come:

{urls_plain}

Please tell us here whether you agree, until {answer_until}:
{answer_url}

With kind regards
{user_name}"""


@dataclass(frozen=True, kw_only=True)
class _Right:
    """One authorisation with its permission."""

    title: str
    agent: str
    email: str
    pattern: str
    becomes: str  # pending, requested, approved or rejected
    days: int | None = None  # from today until it ends
    quick_pick: str = ""
    requirements: str = ""


RIGHTS = (
    _Right(title="Web sites of the harbour", agent="Harbour Authority", email="press@harbour.example",
           pattern="http://*.harbour.example/*", becomes="approved", quick_pick="Harbour, all sites"),
    _Right(title="Tide Weekly", agent="Tide Weekly", email="editor@weekly.example",
           pattern="http://weekly.example/*", becomes="approved", days=20, requirements="Name the issue."),
    _Right(title="Lighthouse Society", agent="Lighthouse Society", email="keeper@lights.example",
           pattern="http://lights.example/*", becomes="rejected"),
    _Right(title="Fish market", agent="Fish Market Hall", email="hall@market.example",
           pattern="http://market.example/*", becomes="requested"),
    _Right(title="Sailing club", agent="Sailing Club", email="office@sails.example",
           pattern="http://sails.example/*", becomes="pending"),
)  # fmt: skip


def rights(archivist: Actor, administrator: Actor, agency_id: int) -> None:
    """Every status that a permission can have, one that ends soon, and a letter that was sent."""
    template = create_template(
        administrator, agency_id=agency_id, name="Request by e-mail", kind="Email Template", text=_LETTER,
        subject="May we collect {site_name}?",
    )  # fmt: skip
    for right in RIGHTS:
        _right(archivist, agency_id, right, template)


def granted(me: Actor, agency_id: int, title: str, pattern: str) -> int:
    """A permission that was granted; its identifier."""
    right = _Right(title=title, agent=title, email="", pattern=pattern, becomes="approved")
    made = _asked(me, agency_id, right)
    approve_permission(me, permission_id=made.id, response="Gladly.")
    return int(made.id)


def _right(archivist: Actor, agency_id: int, right: _Right, template: "PermissionTemplate") -> None:
    _decide(archivist, right, _asked(archivist, agency_id, right), template)


def _asked(archivist: Actor, agency_id: int, right: _Right) -> "Permission":
    agent = create_agent(archivist, agency_id=agency_id, name=right.agent, contact="Press office", email=right.email)
    authorisation = create_authorisation(
        archivist, agency_id=agency_id, title=right.title, patterns=[right.pattern], agents=[agent.id]
    )
    chosen = [identifier for identifier, _ in permissions.pattern_choices(authorisation.id)]
    return create_permission(
        archivist, authorisation_id=authorisation.id, agent_id=agent.id, patterns=chosen,
        seek=right.becomes == "pending", **_details(archivist, right),
    )  # fmt: skip


def _details(archivist: Actor, right: _Right) -> dict[str, Any]:
    today = archivist.clock.now().date()
    return {
        "start_date": today - datetime.timedelta(days=30),
        "end_date": today + datetime.timedelta(days=right.days) if right.days else None,
        "access_status": "Open (unrestricted) access", "quick_pick": bool(right.quick_pick),
        "display_name": right.quick_pick, "special_requirements": right.requirements,
    }  # fmt: skip


def _decide(archivist: Actor, right: _Right, made: "Permission", template: "PermissionTemplate") -> None:
    if right.becomes == "requested":
        request_permission(archivist, permission_id=made.id, template_id=template.id, base_url="http://127.0.0.1:8000")
    elif right.becomes == "approved":
        approve_permission(archivist, permission_id=made.id, response="Gladly.")
    elif right.becomes == "rejected":
        reject_permission(archivist, permission_id=made.id, response="We keep our own archive.")
