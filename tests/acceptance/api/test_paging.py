"""Long lists come in pages that follow each other without gap or repeat."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from opilio.people.audit import write
from opilio.people.privileges import Privilege, Scope


def walk(caller, path, **query):
    """All items of a list, page by page."""
    items, cursor = [], {}
    while True:
        answer = caller.get(path, **query, **cursor).json()
        items.extend(answer["items"])
        if answer["next"] is None:
            return items
        assert len(answer["items"]) == int(query["limit"])
        cursor = {"cursor": answer["next"]}


def test_every_entry_once(office):
    """Entries of the same moment are neither repeated nor skipped at the edge of a page."""
    for number in range(23):
        if number % 5 == 0:
            office.town.clock.advance(1)
        write(office.town.system, action="test.note", subject_name=str(number), agency_id=office.library.id)
    caller = office.manager(Privilege.VIEW_AUDIT)
    found = walk(caller, "/audit", limit="4", action="test.note")
    assert sorted(int(one["subject_name"]) for one in found) == list(range(23))
    assert [one["at"] for one in found] == sorted((one["at"] for one in found), reverse=True)


def test_by_name(office):
    """A list in the order of names is walked in that order."""
    for name in ("delta", "alpha", "charlie", "bravo"):
        office.user(name)
    caller = office.manager(Privilege.MANAGE_USERS)
    names = [one["username"] for one in walk(caller, "/users", limit="2")]
    assert names == sorted(names)
    assert {"alpha", "bravo", "charlie", "delta"} <= set(names)


def test_rows_that_come_meanwhile(office):
    """What is written while somebody pages does not shift the next page."""
    for number in range(4):
        office.town.clock.advance(1)
        write(office.town.system, action="test.note", subject_name=str(number), agency_id=office.library.id)
    caller = office.manager(Privilege.VIEW_AUDIT)
    first = caller.get("/audit", limit="2", action="test.note").json()
    office.town.clock.advance(1)
    write(office.town.system, action="test.note", subject_name="late", agency_id=office.library.id)
    second = caller.get("/audit", limit="2", action="test.note", cursor=first["next"]).json()
    assert [one["subject_name"] for one in first["items"] + second["items"]] == ["3", "2", "1", "0"]


def test_no_count(office):
    """A page costs the same few queries wherever it lies, and counts nothing."""
    caller = office.manager(Privilege.VIEW_AUDIT)
    with CaptureQueriesContext(connection) as queries:
        assert caller.get("/audit", limit="1").json()["next"]
    assert len(queries) <= 6
    assert not [one for one in queries if "COUNT(" in one["sql"]]


def test_users_in_few_queries(office):
    """Agencies and roles of users are fetched for the whole page at once."""
    for _ in range(5):
        office.user()
    caller = office.manager(Privilege.MANAGE_USERS)
    with CaptureQueriesContext(connection) as queries:
        assert len(caller.get("/users").json()["items"]) > 5
    assert len(queries) <= 8


@pytest.mark.parametrize("cursor", ["x", "WyJhdWRpdCJd:x:y", "a" * 1_999, "é", ":::"])
def test_cursors_that_are_none(office, fault, cursor):
    """A cursor that was not made here is refused."""
    assert fault(office.manager(Privilege.VIEW_AUDIT).get("/audit", cursor=cursor), 422)["code"] == "bad-cursor"


def test_changed_cursor(office, fault):
    """A cursor that somebody changed is refused."""
    caller = office.manager(Privilege.VIEW_AUDIT)
    cursor = caller.get("/audit", limit="1").json()["next"]
    changed = ("A" if cursor[0] != "A" else "B") + cursor[1:]
    assert fault(caller.get("/audit", cursor=changed), 422)["code"] == "bad-cursor"


def test_cursor_of_another_list(office, fault):
    """A cursor of one list is refused by another."""
    caller = office.caller(privileges={Privilege.VIEW_AUDIT: Scope.AGENCY, Privilege.MANAGE_USERS: Scope.AGENCY})
    cursor = caller.get("/audit", limit="1").json()["next"]
    assert "another list" in fault(caller.get("/users", cursor=cursor), 422)["message"]


def test_a_cursor_opens_nothing(office):
    """The cursor of somebody who sees more shows no more than the asker may see."""
    write(office.town.system, action="test.note", agency_id=office.museum.id)
    write(office.town.system, action="test.note", agency_id=office.museum.id)
    cursor = office.manager(Privilege.VIEW_AUDIT, Scope.ALL).get("/audit", limit="1").json()["next"]
    caller = office.manager(Privilege.VIEW_AUDIT)
    assert all(one["agency_name"] != "Museum" for one in caller.get("/audit", cursor=cursor).json()["items"])
