"""Every action keeps to the table of privilege, scope and object."""

import copy

import pytest

from opilio.people.acting import ACTIONS
from opilio.people.actions.user_import import BadRows
from opilio.people.errors import NotAllowed, NotFound
from opilio.people.privilege_list import BY_PRIVILEGE
from opilio.people.privileges import Scope
from tests.people import Town
from tests.permissions.rules import RULES, Place
from tests.shared_rows import uncommitted


def ours():
    """The actions of the product, without those that other tests of this process made."""
    return {name for name in ACTIONS if not name.startswith("test.")}


def _cases():
    for name, rule in RULES.items():
        for scope, reached in rule.reach.items():
            for where in rule.objects.split():
                allowed = where in reached.split()
                label = f"{name}-{scope.name.lower() if scope is not None else 'without'}-{where}"
                yield pytest.param(name, scope, where, allowed, id=label)


class Cast:
    """A town whose people are there for all tests of this module; what a test changes is undone."""

    def __init__(self):
        self._town = Town()
        self._others = {agency.id: self._town.user(agency=agency) for agency in (self._town.library, self._town.museum)}
        self._holders = {}

    def place(self, held, where):
        """Who holds that, as an actor, and the place where something is done."""
        key = tuple(held.items())
        if key not in self._holders:
            user = self._town.user(privileges=held)
            self._holders[key] = user, self._town.actor(user)
        town, (user, actor), others = copy.deepcopy((self._town, self._holders[key], self._others))
        agency = town.museum if where == "other" else town.library
        return actor, Place(town=town, agency=agency, user=user if where == "own" else others[agency.id])


@pytest.fixture(scope="module")
def cast(django_db_setup, django_db_blocker):
    """The people, in a transaction that is never committed."""
    with django_db_blocker.unblock(), uncommitted():
        yield Cast()


@pytest.mark.parametrize(("name", "scope", "where", "allowed"), list(_cases()))
def test_an_action_reaches_what_the_table_says(cast, name, scope, where, allowed):
    """Allowed where the scope reaches, refused with a message everywhere else."""
    rule = RULES[name]
    held = {rule.privilege: scope} if rule.privilege is not None and scope is not None else {}
    actor, place = cast.place(held, where)
    with uncommitted():
        if allowed:
            rule.call(actor, place)
        else:
            with pytest.raises((NotAllowed, NotFound, BadRows, PermissionError)):
                rule.call(actor, place)


def test_every_action_has_a_row():
    """An action that is added without a row here fails."""
    assert set(RULES) == ours()


def test_every_scope_of_a_privilege_is_in_the_table():
    """And so is its absence."""
    for name, rule in RULES.items():
        scopes = set(rule.reach) - {None}
        assert None in rule.reach, name
        assert scopes == (set(BY_PRIVILEGE[rule.privilege].scopes) if rule.privilege else set()), name


def test_the_table_names_the_privilege_that_the_action_declares():
    """What the reference says about an action is what is checked."""
    for name, listed in ((name, ACTIONS[name]) for name in sorted(ours())):
        if listed.privilege is not None and name not in ("row.delete", "row.restore"):
            assert RULES[name].privilege == listed.privilege, name
    assert Scope.NONE not in RULES["user.update"].reach
