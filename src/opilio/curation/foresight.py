"""Asks for many targets together what the approval of each would ask for alone; they are locked first.

What is found is kept for the transaction under way (`people/remembering`), and each piece is used up by the approval it
is for. So it may only tell what the approval of another target does not change.
"""

from collections.abc import Sequence

from opilio.curation import planning, rights_of
from opilio.curation.models import Target
from opilio.curation.targeting import APPROVE_TASK
from opilio.people import audit, intray, webhooks
from opilio.people.remembering import keep


def foresee_approvals(target_ids: Sequence[int]) -> None:
    """Before targets are approved one by one, within their transaction."""
    rows = list(Target.everything.select_for_update().filter(pk__in=target_ids, deleted=False).order_by("pk"))
    found = [row.pk for row in rows]
    approvable = rights_of.plainly_approvable(found)
    keep({("locked", "target", row.pk): row for row in rows})
    keep({("approvable", number): number in approvable for number in found})
    planning.keep_schedules(found)
    intray.keep_waiting(kind=APPROVE_TASK, resource="target", ids=found)
    intray.keep_active({row.owner_id for row in rows})
    audit.keep_names_of_agencies({row.agency_id for row in rows})
    webhooks.keep_hearers({row.agency_id for row in rows})
