"""After signing in: sessions and their ends, the password policy, API tokens."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from django.contrib.auth.hashers import check_password
from django.contrib.sessions.models import Session

from opilio.kernel.clock import ManualClock
from opilio.people.actions.account import change_own_password, create_token, reset_password, revoke_token
from opilio.people.actions.sessions import revoke_session
from opilio.people.actions.signin import close_session, open_session, see_session
from opilio.people.actions.users import deactivate_user
from opilio.people.errors import InvalidFields, NotAllowed, NotFound, TokenRefused, WeakPassword
from opilio.people.models import ApiToken, AuditEntry, SignInSession, User
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries.account import actor_for_token, own_sign_ins, sign_ins
from tests.people import PASSWORD, POLICY

NEW = "another set of long words"
OWN = {Privilege.MODIFY_OWN_CREDENTIALS: Scope.NONE}
YEAR = timedelta(days=365)


def opened(town, user, key="key-1", method="password"):
    actor = town.actor(user)
    return open_session(
        actor, user_id=user.id, session_key=key, method=method, address="192.0.2.1", user_agent="Browser/1"
    )


def test_a_session_is_listed_with_where_and_how(town):
    """The sign-in is audited, and the user's row says when they last came."""
    user = town.user("curator")
    row = opened(town, user, method="ldap")
    assert (row.method, row.address, row.user_agent, row.ended) == ("ldap", "192.0.2.1", "Browser/1", "")
    assert list(own_sign_ins(town.actor(user))) == [row]
    assert AuditEntry.objects.get(action="signin.success").message == "By ldap."
    assert User.objects.get(id=user.id).last_login == town.clock.now()


def test_signing_out_records_how_long_it_was(town):
    """The duration is from sign-in to sign-out."""
    user = town.user("curator")
    opened(town, user)
    town.clock.advance(3_725)
    close_session(town.actor(user), session_key="key-1")
    row = SignInSession.objects.get()
    assert (row.ended, row.duration_seconds, row.signed_out_at) == ("signed out", 3_725, town.clock.now())


def test_nobody_signs_another_out(town):
    """Knowing the key is not enough."""
    opened(town, town.user())
    with pytest.raises(NotAllowed):
        close_session(town.actor(), session_key="key-1")
    assert SignInSession.objects.get().ended == ""


def test_an_idle_session_ends_at_its_last_request(town):
    """The duration is an estimate: until the last request that was seen."""
    user = town.user()
    opened(town, user)
    actor, limits = town.actor(user), {"idle": timedelta(minutes=30), "longest": timedelta(hours=8)}
    town.clock.advance(600)
    assert see_session(actor, session_key="key-1", **limits)
    town.clock.advance(30 * 60 + 1)
    assert not see_session(actor, session_key="key-1", **limits)
    row = SignInSession.objects.get()
    assert (row.ended, row.duration_seconds) == ("expired", 600)
    assert not see_session(actor, session_key="key-1", **limits)


def test_a_session_in_constant_use_ends_too(town):
    """After the longest time somebody must sign in again."""
    user = town.user()
    opened(town, user)
    limits = {"idle": timedelta(minutes=30), "longest": timedelta(hours=2)}
    held = 0
    while see_session(town.actor(user), session_key="key-1", **limits):
        town.clock.advance(20 * 60)
        held += 20
    assert held == 140
    assert SignInSession.objects.get().duration_seconds == 120 * 60


def test_the_last_request_is_noted_once_a_minute(town):
    """Pages that are opened quickly one after another do not write each time."""
    user = town.user()
    opened(town, user)
    began, limits = town.clock.now(), {"idle": timedelta(minutes=30), "longest": timedelta(hours=2)}
    town.clock.advance(59)
    see_session(town.actor(user), session_key="key-1", **limits)
    assert SignInSession.objects.get().last_seen_at == began
    town.clock.advance(2)
    see_session(town.actor(user), session_key="key-1", **limits)
    assert SignInSession.objects.get().last_seen_at == town.clock.now()


def test_people_end_their_own_sessions_and_those_of_users_they_manage(town):
    """The browser's session is gone with it; others may not."""
    user = town.user()
    manager = town.holder(Privilege.MANAGE_USERS, Scope.AGENCY)
    elsewhere = town.holder(Privilege.MANAGE_USERS, Scope.AGENCY, agency=town.museum)
    rows = [opened(town, user, key=f"key-{number}") for number in range(3)]
    Session.objects.create(session_key="key-0", session_data="", expire_date=town.clock.now())
    with pytest.raises(NotAllowed):
        revoke_session(elsewhere, sign_in_id=rows[0].id)
    revoke_session(town.actor(user), sign_in_id=rows[0].id)
    revoke_session(manager, sign_in_id=rows[1].id)
    assert [row.ended for row in SignInSession.objects.order_by("id")] == ["revoked", "revoked", ""]
    assert not Session.objects.exists()
    assert sign_ins(elsewhere).count() == 0
    assert sign_ins(manager).count() == 3
    with pytest.raises(NotFound):
        revoke_session(manager, sign_in_id=-5)


def test_deactivation_ends_all_sessions(town):
    """At once, not at the next sign-in."""
    user = town.user()
    opened(town, user)
    deactivate_user(town.system, user_id=user.id)
    assert SignInSession.objects.get().ended == "barred"


def test_a_new_password_ends_the_other_sessions(town):
    """The one in which it was changed goes on."""
    user = town.user(privileges=OWN)
    opened(town, user, key="here")
    opened(town, user, key="there")
    change_own_password(town.actor(user), old=PASSWORD, new=NEW, policy=POLICY, keep_session="here")
    assert dict(SignInSession.objects.values_list("session_key", "ended")) == {"here": "", "there": "barred"}


# Passwords


@pytest.mark.parametrize(
    ("password", "fault"),
    [
        ("short", "fewer than 12"),
        ("a" * 1_025, "more than 1024"),
        ("abababababab", "same few characters"),
        ("xx-Curator-2026-xx", "contains the user name"),
        ("my mail is someone@archive.example", "contains the user name"),
        ("qwertyuiop123", "most common"),
    ],
)
def test_a_weak_password_is_refused_with_its_fault(town, password, fault):
    """The user keeps the present one."""
    user = town.user("curator", privileges=OWN, email="someone@archive.example")
    with pytest.raises(WeakPassword) as caught:
        change_own_password(town.actor(user), old=PASSWORD, new=password, policy=replace(POLICY, min_length=12))
    assert fault in caught.value.what
    assert caught.value.remedy
    assert check_password(PASSWORD, User.objects.get(id=user.id).password)


def test_the_last_passwords_cannot_be_used_again(town):
    """The present one and as many before it as the policy says; older ones can."""
    user = town.user("curator", privileges=OWN)
    words = [PASSWORD, *(f"{NEW} number {number}" for number in "abcd")]
    for old, new in pairwise(words):
        town.clock.advance(1)
        change_own_password(town.actor(user), old=old, new=new, policy=POLICY)
    for used in words[1:]:
        with pytest.raises(WeakPassword) as caught:
            change_own_password(town.actor(user), old=words[-1], new=used, policy=POLICY)
        assert "one of the last 4" in caught.value.what
    change_own_password(town.actor(user), old=words[-1], new=words[0], policy=POLICY)


def test_the_present_password_must_be_known(town):
    """An open browser is not enough to take an account over."""
    user = town.user("curator", privileges=OWN)
    with pytest.raises(InvalidFields) as caught:
        change_own_password(town.actor(user), old="guess", new=NEW, policy=POLICY)
    assert "old" in caught.value.messages


def test_an_external_user_changes_the_password_elsewhere(town):
    """The message says where."""
    user = town.user("curator", privileges=OWN, external_auth=True)
    with pytest.raises(InvalidFields) as caught:
        change_own_password(town.actor(user), old=PASSWORD, new=NEW, policy=POLICY)
    assert "directory" in caught.value.messages["new"][0]


def test_passwords_never_reach_the_audit_log(town):
    """Neither the words nor their hashes."""
    user = town.user("curator", privileges=OWN)
    change_own_password(town.actor(user), old=PASSWORD, new=NEW, policy=POLICY)
    reset_password(town.system, user_id=user.id, new="a third set of long words", policy=POLICY)
    for entry in AuditEntry.objects.all():
        text = f"{entry.before}{entry.after}{entry.message}"
        assert not any(secret in text for secret in (PASSWORD, NEW, "third set", "argon2"))


# Tokens


def token(town, user, *, scopes=(), days=30):
    made, secret = create_token(
        town.actor(user), name="sync", scopes=scopes, expires=town.clock.now() + timedelta(days=days), longest=YEAR
    )
    return made, secret


def test_a_token_speaks_for_its_user_within_its_scopes(town):
    """It is stored hashed, and may do no more than was chosen."""
    user = town.user(privileges=OWN | {Privilege.MANAGE_USERS: Scope.AGENCY, Privilege.VIEW_AUDIT: Scope.AGENCY})
    made, secret = token(town, user, scopes=["VIEW_AUDIT"])
    actor = actor_for_token(secret, clock=town.clock)
    assert actor.user == user.id
    assert actor.holds(Privilege.VIEW_AUDIT)
    assert not actor.holds(Privilege.MANAGE_USERS)
    row = ApiToken.objects.get()
    assert secret not in str(row.__dict__)
    assert (row.last_used_at, made.prefix in secret) == (town.clock.now(), True)


def test_a_password_set_by_somebody_else_ends_tokens(town):
    """Whoever knew the old password may have made some; tokens of others stay."""
    user, other = town.user("curator", privileges=OWN), town.user("other", privileges=OWN)
    (made, secret), (_, others) = token(town, user), token(town, other)
    reset_password(town.system, user_id=user.id, new=NEW, policy=POLICY)
    with pytest.raises(TokenRefused):
        actor_for_token(secret, clock=town.clock)
    assert actor_for_token(others, clock=town.clock).user == other.id
    assert AuditEntry.objects.filter(subject_id=made.id, message="Revoked the API token sync.").exists()


@pytest.mark.parametrize("secret", ["", "opilio_", "opilio_abc", "opilio_abc_def", "ü" * 100, "ü_" * 50_000])
def test_an_unknown_token_is_refused(town, secret):
    """Whatever its form."""
    with pytest.raises(TokenRefused):
        actor_for_token(secret, clock=town.clock)


def test_the_right_prefix_with_a_wrong_secret_is_refused(town):
    """The prefix is no secret."""
    _, secret = token(town, town.user(privileges=OWN))
    with pytest.raises(TokenRefused):
        actor_for_token(secret[:-1] + ("a" if secret[-1] != "a" else "b"), clock=town.clock)


def test_an_expired_token_is_refused_with_its_date(town):
    """From the very moment on."""
    _, secret = token(town, town.user(privileges=OWN), days=1)
    town.clock.advance(24 * 3600 - 1)
    assert actor_for_token(secret, clock=town.clock)
    town.clock.advance(1)
    with pytest.raises(TokenRefused) as caught:
        actor_for_token(secret, clock=town.clock)
    assert "expired on 2026-01-02" in caught.value.what


def test_a_revoked_token_is_refused(town):
    """By its owner or whoever manages the owner; nobody else."""
    user = town.user(privileges=OWN)
    made, secret = token(town, user)
    with pytest.raises(NotAllowed):
        revoke_token(town.actor(), token_id=made.id)
    revoke_token(town.holder(Privilege.MANAGE_USERS, Scope.AGENCY), token_id=made.id)
    with pytest.raises(TokenRefused) as caught:
        actor_for_token(secret, clock=town.clock)
    assert "revoked" in caught.value.what


def test_a_token_of_a_barred_user_is_refused(town):
    """It is worth no more than its user."""
    user = town.user(privileges=OWN)
    _, secret = token(town, user)
    deactivate_user(town.system, user_id=user.id)
    with pytest.raises(TokenRefused):
        actor_for_token(secret, clock=town.clock)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "n" * 101}, "name"),
        ({"scopes": ["MANAGE_USERS"]}, "scopes"),
        ({"scopes": ["NO_SUCH_THING" * 50]}, "scopes"),
        ({"expires": ManualClock().now()}, "expires"),
        ({"expires": ManualClock().now() + YEAR + timedelta(seconds=1)}, "expires"),
    ],
)
def test_a_token_that_cannot_be_is_refused_by_field(town, changes, field):
    """Without a name, with scopes one does not hold, without an end."""
    usual = {"name": "sync", "scopes": [], "expires": town.clock.now() + timedelta(days=1), "longest": YEAR}
    with pytest.raises(InvalidFields) as caught:
        create_token(town.actor(privileges=OWN), **(usual | changes))
    assert list(caught.value.messages) == [field]
    assert not ApiToken.objects.exists()
