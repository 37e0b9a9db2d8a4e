"""The pure decision: who may act on what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.people.privilege_list import BY_PRIVILEGE, PRIVILEGES
from opilio.people.privileges import SYSTEM_WIDE, Grant, Grants, Privilege, Scope, Subject
from opilio.people.ready_roles import READY_ROLES

HOME, OTHER, THIRD = 1, 2, 3
ME, COLLEAGUE = 10, 11
USE = Privilege.MODIFY_TARGET

OWN = Subject(agency=HOME, owner=ME)
SAME_AGENCY = Subject(agency=HOME, owner=COLLEAGUE)
OTHER_AGENCY = Subject(agency=OTHER, owner=COLLEAGUE)
AGENCYS = Subject(agency=HOME)


def grants(*triples):
    return Grants(Grant(privilege=p, scope=s, agency=a) for p, s, a in triples)


@pytest.mark.parametrize(
    ("scope", "own", "same", "other", "agencys", "system"),
    [
        (Scope.ALL, True, True, True, True, True),
        (Scope.AGENCY, True, True, False, True, False),
        (Scope.OWNER, True, False, False, False, False),
        (Scope.NONE, False, False, False, False, True),
    ],
)
def test_each_scope_reaches_as_far_as_it_says(scope, own, same, other, agencys, system):
    """All reaches everything, agency the role's agency, owner one's own, none what belongs to nobody."""
    held = grants((USE, scope, HOME))
    subjects = (OWN, SAME_AGENCY, OTHER_AGENCY, AGENCYS, SYSTEM_WIDE)
    assert [held.allows(USE, subject, user=ME) for subject in subjects] == [own, same, other, agencys, system]


def test_no_grant_allows_nothing():
    """Without the privilege not even one's own things can be touched."""
    held = grants((Privilege.CREATE_TARGET, Scope.ALL, HOME))
    assert not held.allows(USE, OWN, user=ME)
    assert not held.holds(USE)


def test_the_broadest_grant_of_an_agency_wins():
    """Two roles of one agency: the broader scope counts."""
    held = grants((USE, Scope.OWNER, HOME), (USE, Scope.AGENCY, HOME))
    assert held.allows(USE, SAME_AGENCY, user=ME)


def test_a_grant_of_one_agency_does_not_widen_that_of_another():
    """Owner scope in one agency and agency scope in another stay apart."""
    held = grants((USE, Scope.OWNER, HOME), (USE, Scope.AGENCY, OTHER))
    assert not held.allows(USE, SAME_AGENCY, user=ME)
    assert held.allows(USE, OTHER_AGENCY, user=ME)
    assert held.agencies(USE) == {OTHER}
    assert held.owned_agencies(USE) == {HOME, OTHER}


def test_owning_a_thing_of_another_agency_is_not_enough():
    """An owner grant of one's home agency does not reach one's own thing in another agency."""
    held = grants((USE, Scope.OWNER, HOME))
    assert not held.allows(USE, Subject(agency=OTHER, owner=ME), user=ME)


def test_a_token_cuts_grants_down():
    """Of the grants only the chosen privileges are left."""
    held = grants((USE, Scope.ALL, HOME), (Privilege.LOGIN, Scope.NONE, HOME)).only(frozenset({Privilege.LOGIN}))
    assert [grant.privilege for grant in held] == [Privilege.LOGIN]


triples = st.tuples(
    st.sampled_from([USE, Privilege.LOGIN]), st.sampled_from(Scope), st.sampled_from([HOME, OTHER, THIRD])
)
subjects = st.builds(
    Subject, agency=st.sampled_from([None, HOME, OTHER, THIRD]), owner=st.sampled_from([None, ME, COLLEAGUE])
)


@given(st.lists(triples, max_size=6), triples, subjects)
def test_a_further_grant_never_takes_anything_away(held, more, subject):
    """Decisions grow with grants, whatever their order."""
    if grants(*held).allows(USE, subject, user=ME):
        assert grants(more, *held).allows(USE, subject, user=ME)


@given(st.lists(triples, max_size=6), subjects)
def test_agency_grants_stay_in_their_agency(held, subject):
    """What is allowed without an all-grant belongs to an agency that granted it, or to nobody."""
    found = grants(*held)
    if found.allows(USE, subject, user=ME) and not found.everywhere(USE):
        assert subject.agency in {agency for p, _, agency in held if p == USE} or subject == SYSTEM_WIDE


def test_every_privilege_has_words_and_scopes():
    """The list for people and the list for code are the same."""
    assert {listed.privilege for listed in PRIVILEGES} == set(Privilege)
    assert len(PRIVILEGES) == len(Privilege) == 54
    assert all(listed.sentence.endswith(".") and listed.scopes for listed in PRIVILEGES)


def test_ready_roles_choose_only_scopes_that_exist():
    """Each ready role can be saved as it is, and can sign in."""
    assert [role.name for role in READY_ROLES] == [
        "Administrator", "Archivist", "Curator", "Reviewer", "Harvester operator", "Data wrangler", "Reader",
    ]  # fmt: skip
    for role in READY_ROLES:
        assert Privilege.LOGIN in role.privileges
        assert all(scope in BY_PRIVILEGE[privilege].scopes for privilege, scope in role.privileges.items())
