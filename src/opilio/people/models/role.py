"""Roles: named sets of privileges of one agency, and who holds them (WCTROLE, ROLE_PRIVILEGE, USER_ROLE)."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified
from opilio.people.models.agency import Agency
from opilio.people.models.user import User
from opilio.people.privileges import Privilege, Scope


class Role(Curated):
    """A set of privileges that an agency hands out together."""

    name = models.CharField(max_length=100, help_text="Name of the role.")
    description = models.TextField(max_length=1000, blank=True, help_text="What somebody in this role does.")
    agency = models.ForeignKey(
        Agency,
        on_delete=models.PROTECT,
        related_name="roles",
        help_text="Agency whose things the role gives access to.",
    )

    class Meta:
        db_table = "role"
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["agency", "name"],
                condition=models.Q(deleted=False),
                name="role_name_unique",
                violation_error_message="The agency has a role of this name already; choose another.",
            )
        ]

    def __str__(self) -> str:
        return self.name


class RolePrivilege(Identified):
    """One privilege of a role, and how far it reaches. Part of its role, whose metacolumns speak for it."""

    role = models.ForeignKey(Role, on_delete=models.CASCADE, related_name="privileges")
    code = models.CharField(max_length=64, choices=[(code.value, code.value) for code in Privilege])
    scope = models.PositiveSmallIntegerField(choices=[(scope.value, scope.name.lower()) for scope in Scope])

    class Meta:
        db_table = "role_privilege"
        constraints = [models.UniqueConstraint(fields=["role", "code"], name="role_privilege_unique")]

    def __str__(self) -> str:
        return f"{self.code} ({Scope(self.scope).name.lower()})"


class UserRole(Identified):
    """That a user holds a role. Part of its user, whose metacolumns speak for it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="held_roles")
    role = models.ForeignKey(Role, on_delete=models.CASCADE, related_name="holders")

    class Meta:
        db_table = "user_role"
        constraints = [models.UniqueConstraint(fields=["user", "role"], name="user_role_unique")]

    def __str__(self) -> str:
        return f"{self.user} as {self.role}"
