"""Where the page of a row is."""

from opilio.people.kinds import kind_named, kinds

_PAGES = {
    "harvest": "/harvests/{}", "agent-rule": "/agents",
    "agency": "/admin/agencies/{}", "user": "/admin/users/{}", "role": "/admin/roles/{}",
    "list-entry": "/admin/lists/{}", "authorisation": "/authorisations/{}", "permission": "/permissions/{}",
    "authorising-agent": "/authorising-agents/{}", "permission-template": "/admin/templates/{}",
    "group": "/groups/{}", "target": "/targets/{}", "seed": "/seeds/{}", "excluded-url": "/excluded-urls/{}",
    "nomination": "/nominations/{}", "rejection-reason": "/admin/reasons/{}",
    "profile": "/admin/profiles/{}", "schedule": "/schedule/schedules/{}",
    "schedule-pattern": "/admin/schedule-patterns/{}", "credential": "/overrides/credentials/{}",
}  # fmt: skip


def path_of(kind_name: str, identifier: int | None) -> str:
    """The address of a row's page; empty when its kind has none."""
    pattern = _PAGES.get(kind_name)
    return pattern.format(identifier) if pattern and identifier is not None else ""


def list_of(kind_name: str) -> str:
    """The address of the list in which rows of the kind stand; the in-tray for kinds without one."""
    pattern = _PAGES.get(kind_name)
    return pattern.removesuffix("/{}") if pattern else "/"


def spoken(kind_name: str) -> str:
    """The name of a kind, as people read it."""
    return kind_named(kind_name).label if kind_name in {kind.name for kind in kinds()} else kind_name.replace("_", " ")
