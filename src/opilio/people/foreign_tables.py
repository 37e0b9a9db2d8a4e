"""The tables of people as an import from another system fills them: the action `wct.import`, and nothing else."""

from opilio.people.models import (
    Agency,
    Annotation,
    AuditEntry,
    ListEntry,
    Notification,
    Role,
    RolePrivilege,
    SignInSession,
    Task,
    User,
    UserRole,
)
from opilio.people.models.intray import Category
from opilio.people.models.signin import Ended

__all__ = [
    "Agency",
    "Annotation",
    "AuditEntry",
    "Category",
    "Ended",
    "ListEntry",
    "Notification",
    "Role",
    "RolePrivilege",
    "SignInSession",
    "Task",
    "User",
    "UserRole",
]
