"""Who may open the pages of targets, seeds and nominations."""

from typing import Any

from opilio.curation.models import Nomination, RejectionReason
from opilio.people.privileges import Privilege
from tests.curation import Desk
from tests.people import Town
from tests.permissions.page_table import Page

COLLECT = (Privilege.MODIFY_TARGET, Privilege.SYSTEM_REPORT_LEVEL_1)
CURATE = (Privilege.MODIFY_TARGET,)
REASONS = (Privilege.MANAGE_REASONS,)


def _target(town: Town, agency: Any) -> int:
    return Desk(town).target(agency=agency).pk


def _seed(town: Town, agency: Any) -> int:
    desk = Desk(town)
    return desk.seed(desk.target(agency=agency)).id


def _excluded(town: Town, agency: Any) -> int:
    desk = Desk(town)
    row = desk.target(agency=agency).excluded_urls.create(
        url="http://www.site.example/private", created=desk.now, updated=desk.now
    )
    return row.id


def _nomination(town: Town, agency: Any) -> int:
    now = town.clock.now()
    return Nomination.objects.create(agency=agency, url="http://a.example/", created=now, updated=now).id


def _reason(town: Town, agency: Any) -> int:
    now = town.clock.now()
    return RejectionReason.objects.create(agency=agency, name="Off topic", created=now, updated=now).id


#: Name of the address → who may open it.
PAGES: dict[str, Page] = {
    "targets": Page(opens_to=COLLECT),
    "target": Page(opens_to=COLLECT, object_of=_target),
    "target-seeds": Page(opens_to=COLLECT, object_of=_target),
    "import-seeds": Page(opens_to=CURATE, object_of=_target),
    "target-excluded": Page(opens_to=CURATE, object_of=_target),
    "target-description": Page(opens_to=CURATE, object_of=_target),
    "target-groups": Page(opens_to=CURATE, object_of=_target),
    "target-access": Page(opens_to=CURATE, object_of=_target),
    "target-notes": Page(opens_to=CURATE, object_of=_target),
    "target-planned": Page(opens_to=CURATE, object_of=_target),
    "target-changes": Page(opens_to=CURATE, object_of=_target),
    "target-history": Page(opens_to=CURATE, object_of=_target),
    "copy-target": Page(opens_to=CURATE, object_of=_target),
    "ask-originator": Page(opens_to=CURATE, object_of=_target),
    "seeds": Page(opens_to=COLLECT),
    "seed": Page(opens_to=CURATE, object_of=_seed),
    "excluded-url": Page(opens_to=CURATE, object_of=_excluded),
    "nominations": Page(opens_to=COLLECT),
    "nomination": Page(opens_to=CURATE, object_of=_nomination),
    "rejection-reasons": Page(opens_to=REASONS),
    "rejection-reason": Page(opens_to=REASONS, object_of=_reason),
}
#: Addresses that need no row: forms whose actions have their own table, or open to the world.
ELSEWHERE: set[str] = {
    "new-target", "target-move", "verification", "seed-link", "verified", "verify", "nominate", "nominated",
    "accept-nomination", "decline-nomination", "new-rejection-reason",
}  # fmt: skip
