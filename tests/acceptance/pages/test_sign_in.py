"""Signing in and out by the pages."""

import dataclasses

import pytest
from django.conf import settings

from opilio.people.actions.account import reset_password
from opilio.people.actions.users import deactivate_user
from opilio.people.privileges import Privilege, Scope
from tests.people import PASSWORD, POLICY


def test_a_success_leads_to_the_wanted_page(town, visitor):
    """Whoever wanted a page gets it after signing in."""
    town.user("curator")
    first = visitor.get("/in-tray/notifications?state=unread")
    assert first.headers["Location"] == "/sign-in?next=%2Fin-tray%2Fnotifications%3Fstate%3Dunread"
    done = visitor.sign_in("curator", next="/in-tray/notifications?state=unread")
    assert done.headers["Location"] == "/in-tray/notifications?state=unread"
    assert "Account of curator" in visitor.see("/in-tray")


def test_names_are_taken_in_any_case(town, visitor):
    """A user name may be typed in capitals."""
    town.user("curator")
    assert visitor.sign_in("CURATOR").status_code == 302


def test_a_wrong_password_keeps_the_name(town, visitor):
    """A refusal says so, keeps the user name and never the password."""
    town.user("curator")
    refused = visitor.sign_in("curator", "wrong password here")
    text = refused.content.decode()
    assert refused.status_code == 401
    assert "User name or password is wrong." in text
    assert 'value="curator"' in text
    assert "wrong password here" not in text


def test_too_many_failures_must_wait(town, visitor):
    """After some failures the page says how long to wait, also for the right password."""
    town.user("curator")
    for _ in range(settings.OPILIO.signin_free_failures + 1):
        refused = visitor.sign_in("curator", "wrong password here")
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) >= 1
    assert visitor.sign_in("curator").status_code == 429


@pytest.mark.parametrize(
    "bad",
    [
        "https://other.example/",
        "//other.example/",
        "/\\other.example",
        "javascript:alert(1)",
        "/" * 3000,
        "in-tray",
        "",
    ],
)
def test_next_never_leads_elsewhere(town, visitor, bad):
    """A forged way back leads to our own start page."""
    town.user("curator")
    assert visitor.sign_in("curator", next=bad).headers["Location"] == "/"


def test_a_new_session_key_is_made(town, visitor):
    """A session planted before the sign-in is worth nothing afterwards."""
    town.user("curator")
    visitor.get("/sign-in")
    session = visitor.session
    session["planted"] = True
    session.save()
    visitor.cookies["opilio"] = session.session_key
    visitor.sign_in("curator")
    assert visitor.cookies["opilio"].value != session.session_key
    assert "planted" not in visitor.session


def test_a_forced_change_comes_first(town, visitor):
    """Whose password was set by somebody else must choose one before anything else."""
    user = town.user("curator")
    reset_password(town.system, user_id=user.id, new="given by the office", policy=POLICY)
    assert visitor.sign_in("curator", "given by the office").headers["Location"] == "/account/password"
    assert visitor.get("/in-tray").headers["Location"] == "/account/password"
    assert "Choose a new password" in visitor.see("/account/password")
    form = {"old": "given by the office", "new": "chosen words of mine", "repeated": "chosen words of mine"}
    assert visitor.send("/account/password", form).status_code == 302
    assert visitor.get("/in-tray").status_code == 200


def test_signing_out_ends_the_session(enter):
    """After signing out the pages ask to sign in again."""
    browser = enter("curator")
    assert browser.send("/sign-out").headers["Location"] == "/sign-in"
    assert "You are signed out." in browser.see("/sign-in")
    assert browser.get("/in-tray").status_code == 302


def test_a_deactivated_user_is_out_at_once(town, enter):
    """The next request of a deactivated user is asked to sign in."""
    browser = enter("curator")
    deactivate_user(town.system, user_id=browser.user.id)
    assert browser.get("/in-tray").headers["Location"].startswith("/sign-in")


def test_htmx_moves_the_whole_page(visitor, db):
    """A part of a page that needs a sign-in sends the browser there as a whole."""
    answer = visitor.get("/admin/users?q=a", headers={"HX-Request": "true"})
    assert answer.status_code == 204
    assert answer.headers["HX-Redirect"] == "/sign-in?next=%2Fadmin%2Fusers"


def test_single_sign_on_is_offered_when_set_up(visitor, db, monkeypatch):
    """The button appears only where a provider is set up."""
    assert "/sign-in/oidc" not in visitor.see("/sign-in")
    changed = dataclasses.replace(settings.OPILIO, oidc_issuer="https://provider.example", oidc_label="House key")
    monkeypatch.setattr(settings, "OPILIO", changed)
    assert "House key" in visitor.see("/sign-in")


def test_whoever_is_signed_in_need_not_again(enter):
    """The sign-in page sends people on who are in already."""
    assert enter("curator").get("/sign-in").headers["Location"] == "/"


def test_the_own_password_can_be_changed(enter, visitor):
    """The new password works, a weak one is refused beside its field, other sessions end."""
    from_home = enter("curator", privileges={Privilege.MODIFY_OWN_CREDENTIALS: Scope.NONE})
    other = type(visitor)()
    other.sign_in("curator")
    weak = from_home.send("/account/password", {"old": PASSWORD, "new": "short", "repeated": "short"})
    assert weak.status_code == 422
    assert "fewer than" in weak.content.decode()
    differing = {"old": PASSWORD, "new": "entirely new words", "repeated": "entirely other words"}
    assert "differ" in from_home.send("/account/password", differing).content.decode()
    good = {"old": PASSWORD, "new": "entirely new words", "repeated": "entirely new words"}
    assert from_home.send("/account/password", good).status_code == 302
    assert from_home.get("/in-tray").status_code == 200
    assert other.get("/in-tray").status_code == 302
