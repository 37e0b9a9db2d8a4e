"""Name the pages that are left out when a target is harvested; deleting one is `row.delete`."""

from opilio.curation import targeting
from opilio.curation.kinds import EXCLUDED_URL, TARGET
from opilio.curation.models import ExcludedUrl, Target
from opilio.curation.seed_urls import page_url
from opilio.people.acting import Act, action
from opilio.people.privileges import Privilege


@action("excluded_url.add", "Leave a page out of a target's harvests.", privilege=Privilege.MODIFY_TARGET)
def add_excluded_url(act: Act, /, *, target_id: int, url: str, reason: str = "") -> ExcludedUrl:
    """The page is matched exactly, in its canonical form."""
    target: Target = act.fetch(TARGET, target_id)
    act.require(Privilege.MODIFY_TARGET, TARGET.subject(target), f"change the target {target.name}")
    row = act.insert(ExcludedUrl(target=target, url=page_url(url), reason=reason.strip()))
    targeting.touched(act, target)
    return row


@action("excluded_url.update", "Change a page that is left out.", privilege=Privilege.MODIFY_TARGET)
def update_excluded_url(act: Act, /, *, excluded_id: int, version: int, url: str, reason: str = "") -> ExcludedUrl:
    """From the next harvest on."""
    row: ExcludedUrl = act.fetch(EXCLUDED_URL, excluded_id)
    act.require(Privilege.MODIFY_TARGET, EXCLUDED_URL.subject(row), f"change the target {row.target.name}")
    if act.update(row, {"url": page_url(url), "reason": reason.strip()}, version=version):
        targeting.touched(act, row.target)
    return row
