"""Every page opens for the administrator, and every list asks the database only a few questions."""

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext

from opilio.people.actions.intray import announce, create_task
from opilio.people.actions.rows import delete_row
from opilio.people.privileges import Privilege

LISTS = (
    "/in-tray", "/in-tray/all", "/in-tray/notifications", "/account/sessions", "/admin/agencies", "/admin/users",
    "/admin/roles", "/admin/lists", "/admin/audit", "/admin/sessions", "/admin/outbox", "/admin/deleted",
    "/admin/webhooks",
    "/admin/deleted/agency", "/admin/deleted/user", "/admin/deleted/role", "/admin/deleted/list-entry",
    "/admin/deleted/parameter", "/admin/deleted/annotation", "/admin/deleted/saved-view", "/admin/deleted/webhook",
)  # fmt: skip
PAGES = (
    "/account", "/account/password", "/account/tokens", "/in-tray/new", "/in-tray/announce", "/search", "/help",
    "/admin/agencies/new", "/admin/users/new", "/admin/roles/new", "/admin/lists/new", "/admin/parameters",
    "/search/pages", "/index", "/admin/webhooks/new",
)  # fmt: skip
MOST_QUERIES = 15


def test_every_page_opens(administrator):
    """Each page opens, names the product and who is signed in."""
    for path in (*LISTS, *PAGES):
        text = administrator.see(path)
        assert "· Opilio</title>" in text, path
        assert "Account of administrator" in text, path
        assert re.search(r'<a class="brand" href="/[^"]*" aria-label="[^"]+">', text), path


def test_lists_ask_few_questions(administrator, town):
    """A list page needs at most fifteen queries, however many rows it shows."""
    for number in range(4):
        town.user(f"reader{number}")
        create_task(
            town.system, subject=f"task {number}", message="", privilege=Privilege.MANAGE_USERS,
            agency_id=town.library.id,
        )  # fmt: skip
    announce(town.system, agency_id=town.library.id, users=[administrator.user.id], subject="one", message="words")
    delete_row(town.system, kind_name="user", row_id=town.user("gone").id)
    for path in LISTS:
        with CaptureQueriesContext(connection) as asked:
            administrator.see(path)
        assert len(asked) <= MOST_QUERIES, [path, *(query["sql"][:200] for query in asked.captured_queries)]


def test_the_root_leads_to_the_in_tray(administrator):
    """A day begins in the in-tray, the first of all with the tour."""
    assert administrator.get("/").headers["Location"] == "/tour"
    assert administrator.get("/").headers["Location"] == "/in-tray"
