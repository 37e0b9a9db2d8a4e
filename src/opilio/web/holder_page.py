"""The head and tabs of a target or group, for pages that both share."""

from typing import TYPE_CHECKING, Any

from opilio.curation.queries import groups, targets
from opilio.curation.words import ObjectType
from opilio.people.actor import Actor
from opilio.web import group_page, target_page

if TYPE_CHECKING:
    from opilio.curation.models import AbstractTarget


def frame(actor: Actor, row: "AbstractTarget", here: str) -> dict[str, Any]:
    """The context of the head; `here` is overrides or schedules. Targets call the first of them their profile."""
    if row.object_type == ObjectType.TARGET:
        tab = "profile" if here == "overrides" else here
        found = target_page.frame(actor, targets.target(actor, row.pk), tab)
        return {**found, "head": "web/targets/_head.html"}
    return {**group_page.frame(actor, groups.group(actor, row.pk), here), "head": "web/groups/_head.html"}
