"""Users, roles, notes, tokens and sessions on their pages."""

import re

import pytest

from opilio.people.actions.rows import delete_row
from opilio.people.actions.users import update_user
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries import people
from tests.acceptance.pages.words import value_of
from tests.people import PASSWORD


@pytest.fixture
def ready_roles():
    """The agencies have the ready roles."""
    return True


def roles_of(town, user_id):
    """The names of the roles that a user holds."""
    return sorted(held.role.name for held in people.user(town.system, user_id).held_roles.all())


def test_a_user_is_made_and_signs_in(administrator, visitor, town):
    """A new user has roles at once and must choose a password of their own."""
    role = people.roles(town.system).get(agency=town.library, name="Curator")
    form = {"username": "cora", "agency": town.library.id, "password": PASSWORD, "roles": [role.id],
            "force_password_change": "on", "title": "Dr"}  # fmt: skip
    made = administrator.send("/admin/users/new", form)
    assert made.status_code == 302, made.content.decode()
    assert "Curator" in administrator.see("/admin/users", q="cora")
    assert visitor.sign_in("cora").headers["Location"] == "/account/password"


def test_faults_of_a_new_user(administrator, town):
    """A weak password, a taken name and a title that no list offers are told beside their fields."""
    base = {"username": "cora", "agency": town.library.id, "password": PASSWORD}
    for change, words in (
        ({"password": "short"}, "fewer than"), ({"username": "administrator"}, "already"),
        ({"title": "Baron"}, "not one of the available choices"), ({"password": ""}, "Write a first password"),
        ({"username": "two words"}, "letters, digits"), ({"agency": "1"}, "not one of the available choices"),
    ):  # fmt: skip
        answer = administrator.send("/admin/users/new", {**base, **change})
        assert answer.status_code == 422, change
        assert words in answer.content.decode(), change


def test_roles_in_several_agencies(enter, town):
    """Whoever manages one agency changes the roles there and leaves those of others alone."""
    here = people.roles(town.system).get(agency=town.library, name="Curator")
    there = people.roles(town.system).get(agency=town.museum, name="Reader")
    user = town.user("cora", roles=[there])
    own = [held.role_id for held in people.user(town.system, user.id).held_roles.all() if held.role_id != there.id]
    browser = enter("manager", privileges={Privilege.MANAGE_USERS: Scope.AGENCY})
    text = browser.see(f"/admin/users/{user.id}/roles")
    assert "Kept as they are, because you do not manage them: Reader (Museum)." in text
    browser.send(f"/admin/users/{user.id}/roles", {f"agency-{town.library.id}": [here.id, *own]})
    assert {"Curator", "Reader"} <= set(roles_of(town, user.id))
    browser.send(f"/admin/users/{user.id}/roles", {f"agency-{town.library.id}": own})
    assert "Curator" not in roles_of(town, user.id)
    assert "Reader" in roles_of(town, user.id)


def test_a_user_of_another_agency_is_not_there(enter, town):
    """The page of a user whom one does not manage is not found."""
    other = town.user("dora", agency=town.museum)
    browser = enter("manager", privileges={Privilege.MANAGE_USERS: Scope.AGENCY})
    for part in ("", "/roles", "/access", "/notes", "/history"):
        assert browser.get(f"/admin/users/{other.id}{part}").status_code == 404


def test_deactivate_and_activate(administrator, town):
    """A user is barred and let in again from their page."""
    user = town.user("cora")
    administrator.send(f"/admin/users/{user.id}/deactivate")
    assert "deactivated" in administrator.see(f"/admin/users/{user.id}")
    administrator.send(f"/admin/users/{user.id}/activate")
    assert "cora can sign in again." in administrator.see(f"/admin/users/{user.id}")


def test_sessions_are_seen_and_ended(administrator, enter):
    """An administrator sees a user's session and ends it; the browser must sign in again."""
    browser = enter("cora")
    text = administrator.see(f"/admin/users/{browser.user.id}/access")
    path = re.search(r'action="(/sessions/\d+/end)"', text).group(1)
    administrator.send(path, {"next": "/admin/sessions"})
    assert browser.get("/in-tray").status_code == 302
    assert "revoked" in administrator.see("/admin/sessions", q="cora")


def test_own_sessions(enter, visitor):
    """One sees where one is signed in, marks the browser at hand, and can end the others."""
    browser = enter("cora")
    visitor.sign_in("cora")
    text = browser.see("/account/sessions")
    assert "this browser" in text
    assert text.count('class="badge badge-good">open') == 1


def test_a_token_is_shown_once(enter):
    """The secret stands on the answer that made it, and nowhere afterwards; revoking is told."""
    browser = enter("cora", privileges={Privilege.MODIFY_OWN_CREDENTIALS: Scope.NONE})
    made = browser.send("/account/tokens", {"name": "nightly export", "days": "30", "scopes": ["LOGIN"]})
    secret = value_of(made.content.decode().split("secret-title")[1], "") or re.search(
        r'value="(opilio_[^"]+)"', made.content.decode()
    ).group(1)
    assert secret.startswith("opilio_")
    assert "no-store" in made.headers["Cache-Control"]
    later = browser.see("/account/tokens")
    assert secret not in later
    assert "nightly export" in later
    path = re.search(r'action="(/tokens/\d+/revoke)"', later).group(1)
    browser.send(path)
    assert "badge-bad" in browser.see("/account/tokens")


def test_faults_of_a_token(enter):
    """Too long a life, no name, or a scope that one lacks are told."""
    browser = enter("cora", privileges={Privilege.MODIFY_OWN_CREDENTIALS: Scope.NONE})
    good = {"name": "export", "days": "30"}
    for change in ({"days": "100000"}, {"name": ""}, {"scopes": ["PURGE"]}, {"days": "x"}):
        assert browser.send("/account/tokens", {**good, **change}).status_code == 422, change


def test_notes_are_pinned_reworded_deleted_and_restored(administrator, town):
    """A note keeps its author and every wording, and comes back from Deleted."""
    user = town.user("cora")
    page = f"/admin/users/{user.id}/notes"
    administrator.send(f"/rows/user/{user.id}/notes", {"note": "On <b>leave</b>.", "alertable": "on", "next": page})
    text = administrator.see(page)
    assert "On &lt;b&gt;leave&lt;/b&gt;." in text
    assert "note alert" in text
    path = re.search(r'href="(/notes/(\d+))\?', text)
    version = value_of(administrator.see(path.group(1)), "version")
    administrator.send(path.group(1), {"note": "Back again.", "version": version, "next": page})
    text = administrator.see(page)
    assert "Back again." in text
    assert "reworded 1×" in text
    stale = administrator.send(path.group(1), {"note": "Third.", "version": version, "next": page})
    assert stale.status_code == 409
    administrator.send(f"/rows/annotation/{path.group(2)}/delete", {"next": page})
    assert "<p>Back again.</p>" not in administrator.see(page)
    assert "Back again." in administrator.see("/admin/deleted/annotation")
    administrator.send(f"/rows/annotation/{path.group(2)}/restore", {"next": page})
    assert "Back again." in administrator.see(page)


def test_an_empty_note_is_shown_again(administrator, town):
    """A faulty note comes back as a form."""
    answer = administrator.send(f"/rows/agency/{town.library.id}/notes", {"note": " "})
    assert answer.status_code == 422


def test_deleting_is_asked_about(administrator, town):
    """A deletion is a question first, a dialog for htmx, and can be taken back."""
    user = town.user("cora")
    path = f"/rows/user/{user.id}/delete"
    assert "Delete user “cora”?" in administrator.see(path)
    dialog = administrator.get(path, headers={"HX-Request": "true"}).content.decode()
    assert "Delete user “cora”?" in dialog
    assert "<html" not in dialog
    assert administrator.send(path).headers["Location"] == "/admin/users"
    assert "cora</a>" not in administrator.see("/admin/users")
    bulk = {"action": "restore", "row": [str(user.id)], "confirmed": "yes"}
    administrator.send("/admin/deleted/user", bulk)
    assert "cora</a>" in administrator.see("/admin/users")


def test_what_is_needed_stays(administrator, town):
    """An agency that still has users is not deleted, and the page says why."""
    town.user("dora", agency=town.museum)
    answer = administrator.send(f"/rows/agency/{town.museum.id}/delete")
    assert answer.status_code == 409
    assert "still has 1 users" in answer.content.decode()


def test_deleted_rows_of_others_stay_hidden(enter, town):
    """Who may restore nothing of a kind is refused; one's own views are always there."""
    delete_row(town.system, kind_name="user", row_id=town.user("gone", agency=town.museum).id)
    browser = enter("cora")
    assert browser.get("/admin/deleted/user").status_code == 403
    assert browser.get("/admin/deleted/saved-view").status_code == 200
    manager = enter("manager", privileges={Privilege.MANAGE_USERS: Scope.AGENCY})
    assert "gone" not in manager.see("/admin/deleted/user")


def test_the_password_of_a_user_is_set(administrator, visitor, town):
    """A new password is given, must be changed at once, and all sessions end."""
    user = town.user("cora")
    form = {"new": "given by the office", "repeated": "given by the office", "force_change": "on"}
    assert administrator.send(f"/admin/users/{user.id}/access", form).status_code == 302
    assert visitor.sign_in("cora", "given by the office").headers["Location"] == "/account/password"


def test_own_details(enter):
    """One changes one's own details, also the time zone, and a stale save shows both versions."""
    browser = enter("cora", privileges={Privilege.MODIFY_OWN_CREDENTIALS: Scope.NONE})
    form = {"version": browser.user.version, "first_name": "Cora", "time_zone": "Europe/Paris"}
    assert browser.send("/account", form).status_code == 302
    assert "Account of cora" in browser.see("/account")
    assert browser.send("/account", {**form, "first_name": "Clara"}).status_code == 409


def test_a_stale_user_shows_only_what_differs(administrator, town):
    """Of two versions of a user only the fields that differ are marked; the agency is kept with what was typed."""
    user = town.user("cora", phone="1")
    update_user(town.system, user_id=user.id, version=user.version, phone="2")
    form = {"version": user.version, "agency": user.agency_id, "phone": "3", "notify_on_general": "on"}
    text = administrator.send(f"/admin/users/{user.id}", form).content.decode()
    assert text.count('<tr class="differs">') == 1
    assert f'name="agency" value="{user.agency_id}"' in text


def test_the_search_box(administrator, enter, town):
    """The search finds users, agencies and roles by parts of their names, each as far as the asker may see."""
    town.user("dora", agency=town.museum, last_name="Dormouse")
    text = administrator.see("/search", q="dormouse")
    assert ">dora</a>" in text
    assert ">Museum</a>" in administrator.see("/search", q="muse")
    assert "Nothing found" in administrator.see("/search", q="zzz")
    manager = enter("manager", privileges={Privilege.MANAGE_USERS: Scope.AGENCY})
    assert "Nothing found" in manager.see("/search", q="dormouse")
    assert "Nothing found" in enter("reader").see("/search", q="library")


def test_lists(administrator):
    """A value is added and retired."""
    administrator.send("/admin/lists/new", {"list_name": "user-title", "value": "Sir", "label": "", "position": "9"})
    text = administrator.see("/admin/lists", q="Sir")
    path = re.search(r'href="(/admin/lists/\d+)"', text).group(1)
    version = value_of(administrator.see(path), "version")
    administrator.send(path, {"label": "Sir", "position": "1", "version": version})
    assert "retired" in administrator.see("/admin/lists", q="Sir")
