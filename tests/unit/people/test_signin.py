"""Signing in: right and wrong passwords, waits after failures, barred accounts, directories, single sign-on."""

from dataclasses import replace

import pytest

from opilio.people.actions.account import change_own_password, reset_password
from opilio.people.actions.rows import delete_row
from opilio.people.actions.signin import Attempt, admit_external, attempt_sign_in
from opilio.people.actions.users import deactivate_user, set_roles
from opilio.people.directories import Verdict
from opilio.people.kinds import AGENCY
from opilio.people.models import AuditEntry, SignInThrottle, User
from opilio.people.throttle import Rules, delay, forget_old
from tests.people import PASSWORD, POLICY

RULES = Rules(free_failures=3, first_delay=2.0, max_delay=60.0)
NEW = "another set of long words"


def attempt(town, username, password=PASSWORD, *, address="192.0.2.1", directory=None):
    found = Attempt(username=username, password=password, address=address)
    return attempt_sign_in(replace(town.system, address=address), attempt=found, rules=RULES, directory=directory)


def fail(town, username, times):
    """Fail so often, waiting as told in between; the last outcome."""
    outcome = attempt(town, username, "wrong")
    for _ in range(times - 1):
        town.clock.advance(outcome.wait)
        outcome = attempt(town, username, "wrong")
    assert outcome.user is None
    return outcome


class Fixed:
    """A directory that always answers the same, and remembers what it was asked."""

    name = "ldap"

    def __init__(self, verdict):
        self.verdict, self.asked = verdict, []

    def check(self, username, password):
        self.asked.append((username, password))
        return self.verdict


# Name and password


def test_the_right_password_lets_in(town):
    """Whatever the case of the user name."""
    user = town.user("Curator")
    for name in ("Curator", "curator", "CURATOR"):
        outcome = attempt(town, name)
        assert (outcome.user, outcome.method, outcome.refusal, outcome.must_change) == (user.id, "password", "", False)


@pytest.mark.parametrize(
    "password", ["", "not these words", PASSWORD.upper(), PASSWORD + " ", "\x00", "x" * 100_000, "ü" * 5_000]
)
def test_a_wrong_password_does_not(town, password):
    """It is audited with the user and the address; the words do not say which of the two was wrong."""
    user = town.user("curator")
    outcome = attempt(town, "curator", password)
    assert (outcome.user, outcome.refusal) == (None, "User name or password is wrong")
    entry = AuditEntry.objects.get(action="signin.failure")
    assert (entry.subject_id, entry.subject_name, entry.address) == (user.id, "curator", "192.0.2.1")
    assert not password or password not in entry.message


def test_an_unknown_user_is_told_the_same_and_audited_apart(town):
    """The page does not tell who exists; the audit log does."""
    outcome = attempt(town, "nobody")
    assert outcome.refusal == "User name or password is wrong"
    entry = AuditEntry.objects.get(action="signin.failure_no_user")
    assert (entry.subject_name, entry.subject_id) == ("nobody", None)


def test_a_name_of_any_length_is_an_unknown_user(town):
    """What somebody pastes into the field is cut for the log, and refused."""
    assert attempt(town, "n" * 10_000).user is None
    assert len(AuditEntry.objects.get(action="signin.failure_no_user").subject_name) == 255


# Waits


def test_each_wait_doubles_up_to_a_limit():
    """A few failures are free."""
    assert [delay(n, RULES) for n in (0, 1, 2, 3, 4, 5, 8, 9, 10_000)] == [0, 0, 0, 2, 4, 8, 60, 60, 60]


def test_after_free_failures_the_user_must_wait(town):
    """Even the right password is not looked at until the wait is over."""
    town.user("curator")
    assert fail(town, "curator", 2).wait == 0
    assert fail(town, "curator", 1).wait == 2
    early = attempt(town, "curator")
    assert early.user is None
    assert early.refusal.startswith("Too many failures; try again in 2 seconds")
    town.clock.advance(1.9)
    assert attempt(town, "curator").user is None
    town.clock.advance(0.1)
    assert attempt(town, "curator").user is not None


def test_the_wait_follows_the_user_to_other_addresses(town):
    """Failures count by name wherever they come from, and whatever the case."""
    town.user("curator")
    for number in range(3):
        attempt(town, "curator" if number else "CURATOR", "wrong", address=f"192.0.2.{number}")
    assert attempt(town, "curator", address="198.51.100.7").wait == 2


def test_the_wait_follows_the_address_to_other_users(town):
    """Trying many names from one place is slowed down; other places are not."""
    town.user("curator")
    for number in range(3):
        attempt(town, f"guess{number}", "wrong")
    assert attempt(town, "curator").wait == 2
    assert attempt(town, "curator", address="198.51.100.7").user is not None


def test_waits_grow_with_further_failures(town):
    """2, 4, 8 … seconds, never more than the longest."""
    town.user("curator")
    fail(town, "curator", 3)
    waits = []
    for _ in range(7):
        town.clock.advance(60)
        waits.append(attempt(town, "curator", "wrong").wait)
    assert waits == [4, 8, 16, 32, 60, 60, 60]


def test_a_success_forgives_the_user_but_not_the_address(town):
    """Whoever owns one account cannot use it to guess at others without waiting."""
    town.user("curator")
    fail(town, "curator", 2)
    attempt(town, "curator")
    assert list(SignInThrottle.objects.values_list("kind", "failures")) == [("address", 2)]


def test_failures_are_forgotten_after_a_day(town):
    """An old slip does not count, and its row is dropped."""
    town.user("curator")
    fail(town, "curator", 3)
    town.clock.advance(25 * 3600)
    assert attempt(town, "curator", "wrong").wait == 0
    town.clock.advance(25 * 3600)
    assert forget_old(town.clock.now()) == 2
    assert not SignInThrottle.objects.exists()


def test_waiting_does_not_make_the_wait_longer(town):
    """An attempt that comes too early is not counted as a failure."""
    town.user("curator")
    fail(town, "curator", 3)
    for _ in range(10):
        assert attempt(town, "curator", "wrong").wait == 2
    assert set(SignInThrottle.objects.values_list("failures", flat=True)) == {3}


# Barred accounts


def test_a_deactivated_user_is_told_so_only_with_the_right_password(town):
    """A stranger learns nothing; the refusal is audited."""
    user = town.user("curator")
    deactivate_user(town.system, user_id=user.id)
    assert attempt(town, "curator", "wrong").refusal == "User name or password is wrong"
    assert "deactivated" in attempt(town, "curator").refusal
    assert AuditEntry.objects.get(action="signin.refuse").subject_id == user.id


def test_without_the_privilege_to_sign_in_nobody_gets_in(town):
    """No role, or a deleted agency, bars the account."""
    user = town.user("curator")
    set_roles(town.system, user_id=user.id, roles=[])
    assert "no role that lets it sign in" in attempt(town, "curator").refusal


def test_the_users_of_a_deleted_agency_are_barred(town):
    """Their roles there count no more."""
    town.user("curator", agency=town.museum)
    AGENCY.model.everything.filter(id=town.museum.id).update(deleted=True)
    assert "no role" in attempt(town, "curator").refusal


def test_a_deleted_user_is_unknown(town):
    """As if there had never been one."""
    user = town.user("curator")
    delete_row(town.system, kind_name="user", row_id=user.id, version=user.version)
    assert attempt(town, "curator").user is None
    assert AuditEntry.objects.filter(action="signin.failure_no_user").count() == 1


def test_a_password_set_by_somebody_else_must_be_changed(town):
    """The sign-in succeeds, and says that a new one is due; after the change it says so no more."""
    user = town.user("curator")
    reset_password(town.system, user_id=user.id, new=NEW, policy=POLICY)
    assert attempt(town, "curator", NEW).must_change
    change_own_password(town.actor(user), old=NEW, new="a third set of long words", policy=POLICY)
    assert not attempt(town, "curator", "a third set of long words").must_change


# Directories and single sign-on


def test_a_directory_decides_for_external_users_only(town):
    """Its word counts for them, and the others' passwords never reach it."""
    outside, inside = town.user("outside", external_auth=True), town.user("inside")
    right, wrong = Fixed(Verdict.RIGHT), Fixed(Verdict.WRONG)
    outcome = attempt(town, "OUTSIDE", "secret", directory=right)
    assert (outcome.user, outcome.method) == (outside.id, "ldap")
    assert right.asked == [("outside", "secret")]
    assert attempt(town, "outside", PASSWORD, directory=wrong).user is None
    assert attempt(town, "inside", directory=wrong).user == inside.id
    assert wrong.asked == [("outside", PASSWORD)]


def test_an_external_user_never_signs_in_by_the_password_kept_here(town):
    """Also when no directory is configured."""
    town.user("outside", external_auth=True)
    assert attempt(town, "outside", PASSWORD).user is None


def test_a_silent_directory_is_nobody_s_failure(town):
    """Nothing is counted or audited as a failure; the words name the directory."""
    town.user("outside", external_auth=True)
    for _ in range(10):
        outcome = attempt(town, "outside", directory=Fixed(Verdict.UNREACHABLE))
        assert "directory does not answer" in outcome.refusal
    assert not SignInThrottle.objects.exists()
    assert not AuditEntry.objects.filter(action="signin.failure").exists()


def test_single_sign_on_admits_known_external_users_only(town):
    """Nobody is made on the fly, and a user with a password of their own is not let in by it."""
    outside = town.user("outside", external_auth=True)
    town.user("inside")
    outcome = admit_external(town.system, username="Outside", address="192.0.2.1")
    assert (outcome.user, outcome.method, outcome.must_change) == (outside.id, "oidc", False)
    count = User.everything.count()
    for name in ("inside", "nobody"):
        assert "no account here" in admit_external(town.system, username=name, address="192.0.2.1").refusal
    deactivate_user(town.system, user_id=outside.id)
    assert "deactivated" in admit_external(town.system, username="outside", address="192.0.2.1").refusal
    assert AuditEntry.objects.filter(action="signin.refuse").count() == 3
    assert User.everything.count() == count
