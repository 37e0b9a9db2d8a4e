"""The parts of the pages: for each its words, its place in the navigation, and the privileges that open it."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, ParamSpec

from django.http.response import HttpResponseBase

from opilio.curation.sight import READERS
from opilio.people.actor import Actor
from opilio.people.errors import NotAllowed
from opilio.people.kinds import kinds
from opilio.people.privileges import Privilege
from opilio.tracker.queries import sessions as delivery_sessions
from opilio.tracker.queries.deliveries import READERS as DELIVERY_READERS
from opilio.web.requests import PageRequest

P = ParamSpec("P")
View = Callable[Concatenate[PageRequest, P], HttpResponseBase]


@dataclass(frozen=True, kw_only=True)
class Section:
    """One entry of the navigation, and what lies behind it."""

    name: str
    label: str
    icon: str
    path: str
    group: str
    privileges: tuple[Privilege, ...] = ()  # one of them opens it; none: open to everybody who signed in

    def open_to(self, actor: Actor) -> bool:
        """Whether the actor may go there at all."""
        return not self.privileges or any(actor.holds(privilege) for privilege in self.privileges)


_PEOPLE = (Privilege.MANAGE_AGENCIES, Privilege.MANAGE_USERS, Privilege.MANAGE_ROLES)
_ROLES = (Privilege.MANAGE_ROLES, Privilege.MANAGE_USERS, Privilege.GRANT_CROSS_AGENCY_USER_ADMIN)
_SYSTEM = (Privilege.CONFIGURE_PARAMETERS,)
_COLLECT = tuple(sorted(READERS))
_DELIVER = tuple(sorted(DELIVERY_READERS))

SECTIONS: tuple[Section, ...] = (
    Section(name="in-tray", label="In-tray", icon="inbox", path="/in-tray", group="Work"),
    Section(name="targets", label="Targets", icon="target", path="/targets", group="Collect", privileges=_COLLECT),
    Section(name="groups", label="Groups", icon="folder-tree", path="/groups", group="Collect", privileges=_COLLECT),
    Section(name="nominations", label="Nominations", icon="lightbulb", path="/nominations", group="Collect",
            privileges=_COLLECT),
    Section(name="authorisations", label="Authorisations", icon="file-key", path="/authorisations", group="Collect",
            privileges=_COLLECT),
    Section(name="permissions", label="Permissions", icon="handshake", path="/permissions", group="Collect",
            privileges=_COLLECT),
    Section(name="authorising-agents", label="Authorising agents", icon="contact", path="/authorising-agents",
            group="Collect", privileges=_COLLECT),
    Section(name="schedule", label="Schedule", icon="calendar-days", path="/schedule", group="Collect",
            privileges=_COLLECT),
    Section(name="harvests", label="Harvests", icon="wheat", path="/harvests", group="Collect", privileges=_COLLECT),
    Section(name="review", label="Review", icon="clipboard-list", path="/review", group="Collect", privileges=_COLLECT),
    Section(name="deposits", label="Deposits", icon="archive", path="/deposits", group="Collect", privileges=_COLLECT),
    Section(name="takedowns", label="Takedowns", icon="eye-off", path="/takedowns", group="Collect",
            privileges=(Privilege.TAKEDOWN,)),
    Section(name="reports", label="Reports", icon="chart-column", path="/reports", group="Collect",
            privileges=(Privilege.SYSTEM_REPORT_LEVEL_1,)),
    Section(name="deliveries", label="Deliveries", icon="truck", path="/deliveries", group="Deliver",
            privileges=_DELIVER),
    Section(name="delivery-list", label="All deliveries", icon="file-archive", path="/deliveries/all", group="Deliver",
            privileges=_DELIVER),
    Section(name="delivery-findings", label="Findings", icon="triangle-alert", path="/deliveries/findings",
            group="Deliver", privileges=_DELIVER),
    Section(name="delivery-sessions", label="Delivery sessions", icon="history", path="/deliveries/sessions",
            group="Deliver", privileges=_DELIVER),
    Section(name="centres", label="Centres", icon="factory", path="/deliveries/centres", group="Deliver",
            privileges=_DELIVER),
    Section(name="delivery-sources", label="Sources", icon="hard-drive-download", path="/deliveries/sources",
            group="Deliver", privileges=_DELIVER),
    Section(name="search", label="Search", icon="search", path="/search/pages", group="Work"),
    Section(name="index", label="Index", icon="database", path="/index", group="Work",
            privileges=(Privilege.PUBLISH_INDEX,)),
    Section(name="publications", label="Publications", icon="send", path="/publications", group="Work",
            privileges=(Privilege.PUBLISH_INDEX,)),
    Section(name="agencies", label="Agencies", icon="building-2", path="/admin/agencies", group="Admin",
            privileges=_PEOPLE),
    Section(name="users", label="Users", icon="users", path="/admin/users", group="Admin",
            privileges=(Privilege.MANAGE_USERS,)),
    Section(name="roles", label="Roles", icon="shield-check", path="/admin/roles", group="Admin", privileges=_ROLES),
    Section(name="profiles", label="Profiles", icon="gauge", path="/admin/profiles", group="Admin",
            privileges=(Privilege.VIEW_PROFILES, Privilege.MANAGE_PROFILES)),
    Section(name="bandwidth", label="Bandwidth", icon="gauge", path="/admin/bandwidth", group="Admin",
            privileges=(Privilege.MANAGE_WEB_HARVESTER,)),
    Section(name="agents", label="Agents", icon="server", path="/agents", group="Admin",
            privileges=(Privilege.MANAGE_WEB_HARVESTER,)),
    Section(name="templates", label="Letters", icon="mail-plus", path="/admin/templates", group="Admin",
            privileges=(Privilege.PERMISSION_REQUEST_TEMPLATE,)),
    Section(name="rejection-reasons", label="Reasons", icon="circle-x", path="/admin/reasons", group="Admin",
            privileges=(Privilege.MANAGE_REASONS,)),
    Section(name="indicators", label="Indicators", icon="gauge", path="/admin/indicators", group="Admin",
            privileges=(Privilege.MANAGE_INDICATORS,)),
    Section(name="review-policy", label="Rules of review", icon="scale", path="/admin/review-policy", group="Admin",
            privileges=(Privilege.MANAGE_INDICATORS,)),
    Section(name="flags", label="Flags", icon="flag", path="/admin/flags", group="Admin",
            privileges=(Privilege.MANAGE_FLAGS,)),
    Section(name="reading-rooms", label="Reading rooms", icon="armchair", path="/admin/reading-rooms", group="Admin",
            privileges=(Privilege.MANAGE_AGENCIES,)),
    Section(name="schedule-patterns", label="Schedule patterns", icon="repeat", path="/admin/schedule-patterns",
            group="Admin", privileges=_SYSTEM),
    Section(name="imports", label="Import", icon="import", path="/admin/import", group="Admin", privileges=_SYSTEM),
    Section(name="depositories", label="Depositories", icon="package", path="/admin/depositories", group="Admin",
            privileges=_SYSTEM),
    Section(name="fixity", label="Fixity", icon="scan-search", path="/fixity", group="Admin", privileges=_COLLECT),
    Section(name="purge", label="Purge", icon="recycle", path="/admin/purge", group="Admin",
            privileges=(Privilege.PURGE,)),
    Section(name="sessions", label="Sign-in sessions", icon="monitor-smartphone", path="/admin/sessions", group="Admin",
            privileges=(Privilege.MANAGE_USERS,)),
    Section(name="audit", label="Audit log", icon="scroll-text", path="/admin/audit", group="Admin",
            privileges=(Privilege.VIEW_AUDIT,)),
    Section(name="lists", label="Lists", icon="list", path="/admin/lists", group="Admin", privileges=_SYSTEM),
    Section(name="parameters", label="Parameters", icon="sliders-horizontal", path="/admin/parameters",
            group="Admin", privileges=_SYSTEM),
    Section(name="webhooks", label="Webhooks", icon="webhook", path="/admin/webhooks", group="Admin",
            privileges=(Privilege.MANAGE_WEBHOOKS,)),
    Section(name="outbox", label="Outbox", icon="mail", path="/admin/outbox", group="Admin", privileges=_SYSTEM),
    Section(name="deleted", label="Deleted", icon="trash-2", path="/admin/deleted", group="Admin"),
    Section(name="api", label="API docs", icon="code", path="/api/v1/docs", group="Help"),
    Section(name="help", label="Help", icon="book-open", path="/help", group="Help"),
)  # fmt: skip
BY_NAME = {section.name: section for section in SECTIONS}


def navigation(actor: Actor) -> list[tuple[str, list[Section]]]:
    """The entries that the actor sees, by group."""
    groups: dict[str, list[Section]] = {}
    for section in SECTIONS:
        if section.open_to(actor) and _useful(section, actor):
            groups.setdefault(section.group, []).append(section)
    return list(groups.items())


def _useful(section: Section, actor: Actor) -> bool:
    """Whether the actor would find something there."""
    if section.name == "delivery-sessions":
        return delivery_sessions.may_see(actor)
    return section.name != "deleted" or _restores_others(actor)


def _restores_others(actor: Actor) -> bool:
    return any(actor.holds(privilege) for kind in kinds() for privilege in kind.privileges)


def section(name: str) -> Callable[[View[P]], View[P]]:
    """Make a view part of a section: it is refused to whom the section is not open."""
    found = BY_NAME[name]

    def declare(view: View[P]) -> View[P]:
        @functools.wraps(view)
        def shown(request: PageRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            request.section = name
            if not found.open_to(request.actor):
                raise NotAllowed(
                    f"{request.actor.username} may not open the page {found.label}", where=found.path,
                    remedy=f"It needs the privilege {' or '.join(found.privileges)}; ask an administrator.",
                )  # fmt: skip
            return view(request, *args, **kwargs)

        return shown

    return declare
