"""Somebody who may do everything with rights, for tests."""

from opilio.people.privileges import Privilege, Scope

RIGHTS = (
    Privilege.CREATE_SITE, Privilege.MODIFY_SITE, Privilege.CONFIRM_PERMISSION, Privilege.MODIFY_PERMISSION,
    Privilege.TRANSFER_LINKED_TARGETS, Privilege.ENABLE_DISABLE_SITE, Privilege.GENERATE_TEMPLATE,
    Privilege.PERMISSION_REQUEST_TEMPLATE,
)  # fmt: skip


def everything(scope=Scope.AGENCY):
    """All privileges about rights, over one's agency."""
    return dict.fromkeys(RIGHTS, scope)
