"""The tables of people. Only this package imports them; others use `people.actions` and `people.queries`."""

from opilio.people.models.agency import Agency
from opilio.people.models.annotation import Annotation, AnnotationEdit
from opilio.people.models.audit import AuditEntry, AuditSeal
from opilio.people.models.intray import Notification, OutboxMessage, Task
from opilio.people.models.lists import ListEntry, Parameter
from opilio.people.models.role import Role, RolePrivilege, UserRole
from opilio.people.models.signin import PasswordRecord, SignInSession, SignInThrottle
from opilio.people.models.token import ApiToken
from opilio.people.models.user import User
from opilio.people.models.view import SavedView
from opilio.people.models.webhook import Delivery, Webhook, WebhookDelivery

__all__ = [
    "Agency",
    "Annotation",
    "AnnotationEdit",
    "ApiToken",
    "AuditEntry",
    "AuditSeal",
    "Delivery",
    "ListEntry",
    "Notification",
    "OutboxMessage",
    "Parameter",
    "PasswordRecord",
    "Role",
    "RolePrivilege",
    "SavedView",
    "SignInSession",
    "SignInThrottle",
    "Task",
    "User",
    "UserRole",
    "Webhook",
    "WebhookDelivery",
]
