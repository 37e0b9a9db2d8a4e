"""The in-tray, the audit log, the navigation and the theme."""

import pytest

from opilio.people.actions.intray import announce, create_task
from opilio.people.privileges import Privilege, Scope
from opilio.people.queries.records import audit_entries

HOLDS = {Privilege.APPROVE_TARGET: Scope.AGENCY}


@pytest.fixture
def task(town):
    """A task for those who approve targets in the library."""
    return create_task(
        town.system, subject="Look at the harbour", message="It is <new>.", privilege=Privilege.APPROVE_TARGET,
        agency_id=town.library.id,
    )  # fmt: skip


def test_the_way_of_a_task(enter, task):
    """A claimed task disappears from others' in-trays, comes back when released, and goes when completed."""
    one, two = enter("one", privileges=HOLDS), enter("two", privileges=HOLDS)
    assert "Look at the harbour" in two.see("/in-tray")
    one.send(f"/in-tray/tasks/{task.id}/claim")
    assert "claimed by you" in one.see("/in-tray")
    assert "Look at the harbour" not in two.see("/in-tray")
    late = two.send(f"/in-tray/tasks/{task.id}/claim")
    assert late.status_code == 409
    assert "was claimed by one" in late.content.decode()
    one.send(f"/in-tray/tasks/{task.id}/release")
    assert "Look at the harbour" in two.see("/in-tray")
    two.send(f"/in-tray/tasks/{task.id}/claim")
    assert two.send(f"/in-tray/tasks/{task.id}/complete").headers["Location"] == "/in-tray"
    assert "Look at the harbour" not in two.see("/in-tray")


def test_tasks_of_others_are_not_shown(enter, town, task):
    """A task is shown to holders of its privilege in its agency only."""
    assert "Look at the harbour" not in enter("reader").see("/in-tray")
    assert "Look at the harbour" not in enter("other", agency=town.museum, privileges=HOLDS).see("/in-tray")


def test_deleting_tasks_needs_the_privilege(enter, task):
    """Only who may delete tasks has the button and the list of all tasks."""
    browser = enter("one", privileges=HOLDS)
    assert browser.send(f"/in-tray/tasks/{task.id}/delete").status_code == 403
    assert browser.get("/in-tray/all").status_code == 404
    tidy = enter("tidy", privileges={Privilege.DELETE_TASK: Scope.AGENCY})
    assert "Look at the harbour" in tidy.see("/in-tray/all")
    tidy.send(f"/in-tray/tasks/{task.id}/delete")
    assert "Look at the harbour" not in tidy.see("/in-tray/all")


def test_several_tasks_are_claimed_at_once(enter, town, task):
    """The bulk action of the in-tray claims what is ticked."""
    browser = enter("one", privileges=HOLDS)
    browser.send("/in-tray", {"action": "claim", "row": [str(task.id)], "confirmed": "yes"})
    assert "1 task claimed." in browser.see("/in-tray")


def test_notifications_are_read_and_removed(enter, town):
    """The count in the navigation falls as notifications are read."""
    browser = enter("cora")
    announce(town.system, agency_id=town.library.id, users=[browser.user.id], subject="Closed", message="On Friday.")
    text = browser.see("/in-tray/notifications")
    assert "Closed" in text
    assert '1<span class="visually-hidden"> waiting' in text
    number = text.split('value="', 1)[1] and text.split("/in-tray/notifications/")[1].split("/")[0]
    browser.send(f"/in-tray/notifications/{number}/read")
    assert "waiting</span>" not in browser.see("/in-tray/notifications")
    browser.send(f"/in-tray/notifications/{number}/delete")
    assert "Closed" not in browser.see("/in-tray/notifications")


def test_a_task_is_sent_by_hand(administrator, enter, town):
    """A task sent from the page reaches the holders of its privilege."""
    form = {"subject": "Ask the town", "message": "", "agency": town.library.id, "privilege": "APPROVE_TARGET"}
    assert administrator.send("/in-tray/new", form).status_code == 302
    assert "Ask the town" in enter("one", privileges=HOLDS).see("/in-tray")


def test_an_announcement_reaches_the_users_of_an_agency(administrator, enter, town):
    """All of them, and nobody else; markup in it stays text; without the privilege there is no agency to choose."""
    reader, stranger = enter("reader"), enter("stranger", agency=town.museum)
    form = {"subject": "<b>Closed</b>", "message": "On Friday.", "agency": town.library.id}
    answer = administrator.send("/in-tray/announce", form)
    assert (answer.status_code, answer["Location"]) == (302, "/in-tray/notifications")
    assert "&lt;b&gt;Closed&lt;/b&gt;" in reader.see("/in-tray/notifications")
    assert "Closed" not in stranger.see("/in-tray/notifications")
    assert "/in-tray/announce" in administrator.see("/in-tray/notifications")
    assert "/in-tray/announce" not in reader.see("/in-tray/notifications")
    assert reader.send("/in-tray/announce", form).status_code != 302
    assert administrator.send("/in-tray/announce", form | {"subject": "  "}).status_code != 302


def test_the_audit_log_is_filtered(administrator, town):
    """Each filter narrows the log."""
    town.user("cora")
    entry = audit_entries(town.system).filter(action="user.create", subject_name="cora")[0]

    def rows(**query):
        return administrator.see("/admin/audit", **query).split('id="results"')[1]

    assert "cora" in rows(action="user.create")
    assert "cora" in rows(subject="user", number=entry.subject_id)
    assert "cora" in rows(**{"from": "2026-01-01", "to": "2026-01-01"})
    assert "cora" not in rows(**{"from": "2027-01-01"})
    assert "cora" not in rows(user="administrator")
    assert "cora" not in rows(agency=town.museum.id)
    assert "cora" not in rows(correlation="0" * 16)


def test_an_entry_shows_before_and_after(administrator, town):
    """The page of an entry sets what was beside what became."""
    user = town.user("cora")
    administrator.send(f"/admin/users/{user.id}/deactivate")
    entry = audit_entries(town.system).get(action="user.deactivate")
    text = administrator.see(f"/admin/audit/{entry.id}")
    assert '<th scope="row">Active</th><td class="prewrap was">yes</td><td class="prewrap became">no</td>' in text
    assert entry.correlation in text
    assert "user.deactivate" in administrator.see(f"/admin/users/{user.id}/history")
    assert "user.deactivate" in administrator.see("/admin/audit", correlation=entry.correlation)


def test_the_log_of_another_agency_stays_closed(enter, town):
    """Who reads the log of one agency sees nothing of another."""
    town.user("dora", agency=town.museum)
    browser = enter("reader", privileges={Privilege.VIEW_AUDIT: Scope.AGENCY})
    entry = audit_entries(town.system).filter(action="user.create", subject_name="dora")[0]
    assert "dora" not in browser.see("/admin/audit")
    assert browser.get(f"/admin/audit/{entry.id}").status_code == 404


def test_the_navigation_of_one_reader_is_not_that_of_another(enter, administrator, town):
    """What is kept of it follows privileges, place, language and in-tray."""
    before, plain = administrator.see("/in-tray"), enter("plain")
    assert "/admin/users" not in plain.see("/in-tray")
    assert 'href="/in-tray" aria-current="page"' in plain.see("/in-tray")
    assert 'href="/in-tray" aria-current="page"' not in plain.see("/search/pages")
    plain.cookies["opilio-language"] = "de"
    assert "Posteingang" in plain.see("/in-tray")
    announce(town.system, agency_id=town.library.id, users=[plain.user.id], subject="News", message="")
    assert "/admin/users" not in plain.see("/in-tray")
    assert "1<span" in plain.see("/in-tray")
    assert "Posteingang" not in administrator.see("/in-tray")
    assert before.count('href="/admin/users"') == 2


def test_the_navigation_shows_what_is_open(enter, administrator):
    """Entries appear with the privilege that opens them, and the pages behind the others are refused."""
    browser = enter("reader")
    text = browser.see("/in-tray")
    assert 'href="/admin/users"' not in text
    assert 'href="/help"' in text
    for path in ("users", "agencies", "roles", "lists", "parameters", "audit", "sessions", "outbox"):
        refused = browser.get(f"/admin/{path}")
        assert refused.status_code == 403, path
        assert "needs the privilege" in refused.content.decode()
        assert f'href="/admin/{path}"' in administrator.see("/in-tray")


@pytest.mark.parametrize(("theme", "kept"), [("dark", "dark"), ("light", "light"), ("auto", ""), ("<script>", "")])
def test_the_theme_is_remembered(visitor, db, theme, kept):
    """The choice lies in a cookie and the page carries it, also without JavaScript."""
    visitor.get("/sign-in")
    moved = visitor.send("/theme", {"theme": theme, "next": "/sign-in"})
    assert moved.headers["Location"] == "/sign-in"
    assert (f'data-theme="{kept}"' in visitor.see("/sign-in")) == bool(kept)
