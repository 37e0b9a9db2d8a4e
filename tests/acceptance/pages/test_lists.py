"""The list pattern, shown by the list of users."""

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from opilio.people.models import User
from opilio.people.privileges import Privilege, Scope
from opilio.web.lists import paging
from opilio.web.lists.export import harmless

MANAGES = {Privilege.MANAGE_USERS: Scope.AGENCY}


def names(text):
    """The user names in the order in which a list shows them."""
    return [part.split("</a>")[0].split(">")[-1] for part in text.split('<td class="main-cell"')[1:]]


@pytest.fixture
def crowd(town):
    """Six users of two agencies."""
    return [
        town.user(name, agency=agency, last_name=name.title(), email=f"{name}@house.example")
        for name, agency in (
            ("anna", town.library), ("bela", town.library), ("cleo", town.library), ("dora", town.museum),
            ("emil", town.museum), ("finn", town.library),
        )
    ]  # fmt: skip


def test_only_what_the_asker_may_see(crowd, enter):
    """A list shows the users of the asker's agency, and counts only them."""
    text = enter("manager", privileges=MANAGES).see("/admin/users")
    assert names(text) == ["anna", "bela", "cleo", "finn", "manager"]
    assert "<strong>5</strong> users" in text


def test_filters_and_order(crowd, administrator):
    """Filters narrow, a click on a head sorts, a second click turns the order round."""
    assert names(administrator.see("/admin/users", q="an")) == ["anna"]
    assert names(administrator.see("/admin/users", q="house an")) == ["anna"]
    museum = crowd[3].agency_id
    assert names(administrator.see("/admin/users", agency=museum)) == ["dora", "emil"]
    assert names(administrator.see("/admin/users", agency=museum, sort="-username")) == ["emil", "dora"]
    text = administrator.see("/admin/users", sort="username")
    assert 'aria-sort="ascending"' in text
    assert "sort=-username" in text
    assert names(administrator.see("/admin/users", state="deactivated")) == []


def test_an_empty_answer_says_what_to_do(administrator):
    """No match offers to clear the filters; no rows at all says what comes next."""
    assert "Clear the filters" in administrator.see("/admin/users", q="nobody-like-this")
    assert "Nothing waits for you" in administrator.see("/in-tray")


def test_columns_can_be_chosen(crowd, administrator):
    """Chosen columns are shown, and only they."""
    text = administrator.see("/admin/users?col=username&col=created")
    head = text.split("<thead>")[1].split("</thead>")[0]
    assert "Made" in head
    assert "E-mail" not in head


def test_pages(crowd, administrator, town):
    """A list is cut into pages; a page beyond the last is the last."""
    town.parameter("rows_per_page", "10")
    for number in range(8):
        town.user(f"guest{number}")
    first = administrator.see("/admin/users")
    assert "Page 1 of 2" in first
    assert "page=2" in first
    assert names(administrator.see("/admin/users", page=2)) == names(administrator.see("/admin/users", page=99))


def test_the_keys_of_a_page_are_found_first(crowd):
    """With more rows than fit, the sorting question asks for keys alone; the order stays."""
    rows = User.objects.select_related("agency").order_by("-username")
    whole = list(rows)
    for number in (1, 2):
        cut = paging.page(paging.counted(rows), asked=number, size=4)
        with CaptureQueriesContext(connection) as asked:
            assert paging.cut_out(rows, cut) == whole[cut.start : cut.start + 4]
        sorting = [one["sql"] for one in asked.captured_queries if "ORDER BY" in one["sql"]]
        assert len(sorting) == 1
        assert "last_name" not in sorting[0]


def test_large_lists_are_counted_to_a_limit(crowd, administrator, monkeypatch):
    """Beyond the limit the count says so, and the pages end there."""
    monkeypatch.setattr(paging.counted, "__defaults__", (3,))
    assert "<strong>3+</strong> users" in administrator.see("/admin/users")


def test_htmx_gets_the_rows_alone(crowd, administrator):
    """The same address gives htmx the rows without the page around them, and the new count beside."""
    answer = administrator.get("/admin/users?q=anna", headers={"HX-Request": "true", "HX-Target": "results"})
    text = answer.content.decode()
    assert "<html" not in text
    assert names(text) == ["anna"]
    assert 'hx-swap-oob="true"' in text


def test_csv_has_all_rows_and_no_formula(crowd, administrator, town):
    """CSV holds every matching row, also beyond the page, and nothing that a spreadsheet would run."""
    town.parameter("rows_per_page", "10")
    town.user("zora", last_name="=cmd|' /C calc'!A0", first_name="")
    for number in range(12):
        town.user(f"guest{number}")
    answer = administrator.get("/admin/users?format=csv&col=username&col=name")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert 'filename="users.csv"' in answer.headers["Content-Disposition"]
    assert rows[0] == ["User", "Name"]
    assert len(rows) == 1 + 6 + 1 + 12 + 1  # head, crowd, zora, guests, administrator
    assert ["zora", "'=cmd|' /C calc'!A0"] in rows


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\n=1"])
def test_formulas_are_made_harmless(text):
    """What begins like a formula gets an apostrophe."""
    assert harmless(text) == f"'{text}"


def test_bulk_actions_are_confirmed(crowd, administrator):
    """Several rows are acted on at once, after a question that names them."""
    chosen = [str(crowd[0].id), str(crowd[1].id)]
    question = administrator.send("/admin/users", {"action": "deactivate", "row": chosen, "query": "q=a"})
    text = question.content.decode()
    assert "Deactivate 2 users?" in text
    assert "<li>anna</li><li>bela</li>" in text
    assert names(administrator.see("/admin/users", state="deactivated")) == []
    done = administrator.send(
        "/admin/users", {"action": "deactivate", "row": chosen, "query": "q=a", "confirmed": "yes"}
    )
    assert done.headers["Location"] == "/admin/users?q=a"
    text = administrator.see("/admin/users", state="deactivated")
    assert names(text) == ["anna", "bela"]
    assert "2 users deactivated." in text


def test_what_bulk_could_not_do_is_told(crowd, administrator):
    """A row that refuses does not keep the others from being done."""
    chosen = [str(crowd[0].id), str(administrator.user.id)]
    administrator.send("/admin/users", {"action": "deactivate", "row": chosen, "confirmed": "yes"})
    text = administrator.see("/admin/users")
    assert "1 user deactivated." in text
    assert "may not deactivate themselves" in text


def test_bulk_reaches_only_what_is_seen(crowd, enter):
    """Rows of another agency cannot be selected by a forged form."""
    browser = enter("manager", privileges=MANAGES)
    answer = browser.send("/admin/users", {"action": "delete", "row": [str(crowd[3].id)], "confirmed": "yes"})
    assert "Nothing is selected" in answer.content.decode()


def test_views_are_kept_shared_opened_and_deleted(crowd, enter, administrator):
    """A view comes back with its filters; a shared one is seen in the agency; a deleted one can be restored."""
    saved = administrator.send(
        "/views/save",
        {
            "page": "users",
            "name": "From A",
            "query": "q=anna&sort=-username",
            "shared": "on",
            "next": "/admin/users?q=anna",
        },
    )
    assert saved.headers["Location"] == "/admin/users?q=anna"
    text = administrator.see("/admin/users?q=anna&sort=-username")
    assert 'href="/admin/users?q=anna&amp;sort=-username" aria-current="true">From A' in text
    colleague = enter("manager", privileges=MANAGES)
    shared = colleague.see("/admin/users")
    assert "shared by administrator" in shared
    assert "Delete the view" not in shared
    path = text.split('action="/rows/saved-view/')[1].split('"')[0]
    administrator.send(f"/rows/saved-view/{path}", {"next": "/admin/users"})
    assert "From A</a>" not in administrator.see("/admin/users").replace(" <span", "</a>")
    deleted = administrator.see("/admin/deleted/saved-view")
    assert "From A" in deleted
    administrator.send(f"/rows/saved-view/{path.replace('delete', 'restore')}")
    assert "From A" in administrator.see("/admin/users")


def test_faulty_views_are_told(administrator):
    """A view without a name, or with endless filters, is told on the list."""
    administrator.send("/views/save", {"page": "users", "name": " ", "query": "", "next": "/admin/users"})
    assert "Give the view a name." in administrator.see("/admin/users")
    administrator.send(
        "/views/save", {"page": "users", "name": "x", "query": "q=" + "a" * 3_000, "next": "/admin/users"}
    )
    assert "too many filters" in administrator.see("/admin/users")


def test_the_agency_filter_can_be_switched_off(crowd, administrator, town):
    """The installation may leave out the filter by agency."""
    assert 'name="agency"' in administrator.see("/admin/users")
    town.parameter("offer_cross_agency_search", "no")
    assert 'name="agency"' not in administrator.see("/admin/users")


def test_times_are_shown_in_the_readers_zone(town, enter):
    """A time is shown in the reader's zone, with the UTC at hand."""
    browser = enter("manager", privileges=MANAGES, time_zone="Asia/Tokyo")
    text = browser.see("/admin/users?col=username&col=created")
    assert '<time datetime="2026-01-01T00:00:00Z" title="2026-01-01 00:00:00 UTC">1 Jan 2026, 09:00</time>' in text
