"""Where the page of a row is, for links in lists, e-mail and messages to webhooks."""

#: Kind of row → path below the public address.
PAGES = {
    "centre": "/deliveries/centres/{}", "source": "/deliveries/sources/{}", "delivery": "/deliveries/{}",
    "harvest": "/harvests/{}", "result": "/results/{}", "takedown": "/takedowns/{}",
    "depository": "/admin/depositories/{}", "flag": "/admin/flags/{}", "indicator": "/admin/indicators/{}",
    "reading-room": "/admin/reading-rooms/{}", "agent-rule": "/agents", "webhook": "/admin/webhooks/{}",
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
    pattern = PAGES.get(kind_name)
    return pattern.format(identifier) if pattern and identifier is not None else ""
