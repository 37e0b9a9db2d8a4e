"""The pages about the schedule, side by side."""

from opilio.web.lists.declared import Tab

_PAGES = (
    ("calendar", "Calendar", "/schedule"),
    ("schedules", "Schedules", "/schedule/schedules"),
    ("planned", "Planned harvests", "/schedule/planned"),
)


def tabs(here: str) -> tuple[Tab, ...]:
    """The siblings, with the one that is open."""
    return tuple(Tab(label=label, path=path, here=name == here) for name, label, path in _PAGES)
