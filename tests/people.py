"""Builds agencies, roles and users through actions, for tests of whatever needs people."""

import itertools

from opilio.kernel.clock import ManualClock
from opilio.people.actions.agencies import create_agency
from opilio.people.actions.parameters import set_parameters
from opilio.people.actions.roles import create_role
from opilio.people.actions.users import create_user, set_roles
from opilio.people.actor import Actor, Via, system
from opilio.people.models import User, UserRole
from opilio.people.parameters import in_force
from opilio.people.passwords import Policy
from opilio.people.privilege_list import BY_PRIVILEGE
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries.account import actor_for

POLICY = Policy(min_length=12, history=3)
PASSWORD = "four unrelated words here"


class Town:
    """Two agencies, `library` and `museum`, on a clock that stands still; with the ready roles only if told so."""

    def __init__(self, *, with_roles: bool = False) -> None:
        self.clock = ManualClock()
        self.system = system(clock=self.clock)
        self.library = create_agency(self.system, name="Library", with_roles=with_roles)
        self.museum = create_agency(self.system, name="Museum", with_roles=with_roles)
        self._numbers = itertools.count(1)

    def role(self, privileges, *, agency=None, name=None):
        """A role that gives `{privilege: scope}`."""
        return create_role(
            self.system, agency_id=(agency or self.library).id, name=name or f"role {next(self._numbers)}",
            privileges={privilege.value: scope.value for privilege, scope in privileges.items()},
        )  # fmt: skip

    def user(self, username=None, *, agency=None, roles=(), privileges=None, **fields):
        """A user who may sign in, with these roles or one made of `{privilege: scope}` in the user's agency."""
        home = agency or self.library
        given = {Privilege.LOGIN: Scope.NONE, **(privileges or {})}
        made = self.role(given, agency=home)
        return create_user(
            self.system, username=username or f"user{next(self._numbers)}", agency_id=home.id, password=PASSWORD,
            policy=POLICY, roles=[made.id, *(role.id for role in roles)], **fields,
        )  # fmt: skip

    def actor(self, user=None, **made) -> Actor:
        """The user, or a new one, as an actor."""
        user = user or self.user(**made)
        actor = actor_for(user.id, via=Via.PAGE, clock=self.clock)
        assert actor is not None
        return actor

    def version_of(self, user) -> int:
        """The user's version now."""
        return User.objects.get(id=user.id).version

    def give(self, user, role) -> None:
        """Give the user one more role, as somebody else would."""
        held = [row.role_id for row in UserRole.objects.filter(user=user)]
        set_roles(self.system, user_id=user.id, roles=[*held, role.id])

    def parameter(self, name, text, *, actor=None):
        """Set a parameter of the installation."""
        version = in_force()[name].version
        return set_parameters(actor or self.system, texts={name: text}, versions={name: version})[name]

    def holder(self, privilege: Privilege, scope: Scope, *, agency=None) -> Actor:
        """Somebody who holds one privilege (and may sign in)."""
        assert scope in BY_PRIVILEGE[privilege].scopes
        return self.actor(agency=agency, privileges={privilege: scope})
