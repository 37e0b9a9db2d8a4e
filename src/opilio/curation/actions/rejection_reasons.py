"""Make and change the reasons for which targets and harvests are rejected; deleting one is `row.delete`."""

from opilio.curation.kinds import REJECTION_REASON
from opilio.curation.models import RejectionReason
from opilio.people.acting import Act, action
from opilio.people.privileges import Privilege, Subject


@action("rejection_reason.create", "Make a reason for rejections.", privilege=Privilege.MANAGE_REASONS)
def create_reason(
    act: Act, /, *, agency_id: int, name: str, for_targets: bool = True, for_harvests: bool = True
) -> RejectionReason:
    """One agency's reason."""
    act.require(Privilege.MANAGE_REASONS, Subject(agency=agency_id), "make reasons of this agency")
    row = RejectionReason(
        agency_id=agency_id, name=name.strip(), for_targets=for_targets, for_harvests=for_harvests
    )  # fmt: skip
    return act.insert(row)


@action("rejection_reason.update", "Change a reason for rejections.", privilege=Privilege.MANAGE_REASONS)
def update_reason(
    act: Act, /, *, reason_id: int, version: int, name: str | None = None, for_targets: bool | None = None,
    for_harvests: bool | None = None,
) -> RejectionReason:  # fmt: skip
    """What was rejected for it earlier shows its new wording."""
    row: RejectionReason = act.fetch(REJECTION_REASON, reason_id)
    act.require(Privilege.MANAGE_REASONS, REJECTION_REASON.subject(row), f"change the reason {row.name}")
    given = {"name": name.strip() if name is not None else None, "for_targets": for_targets,
             "for_harvests": for_harvests}  # fmt: skip
    act.update(row, {key: value for key, value in given.items() if value is not None}, version=version)
    return row
