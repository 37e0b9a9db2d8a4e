"""The audit log through the API."""

import datetime

from opilio.kernel.clock import SYSTEM
from opilio.people.audit import write
from opilio.people.models import AuditSeal
from opilio.people.privileges import Privilege, Scope
from opilio.people.seals import START, seal


def test_show_and_filter(office):
    """Entries are found by action, user, subject, agency and time, with what changed."""
    caller = office.caller(privileges={Privilege.VIEW_AUDIT: Scope.AGENCY, Privilege.MANAGE_USERS: Scope.AGENCY})
    user = office.user("reader")
    caller.patch(f"/users/{user.id}", {"version": user.version, "phone": "12"})
    (entry,) = caller.get("/audit", action="user.update").json()["items"]
    assert (entry["before"], entry["after"]) == ({"phone": ""}, {"phone": "12"})
    assert (entry["subject_id"], entry["username"], entry["via"]) == (str(user.id), caller.user.username, "api")
    assert caller.get(f"/audit/{entry['id']}").json() == entry
    for query in (
        {"username": caller.user.username, "action": "user.update"},
        {"subject_type": "user", "subject_id": str(user.id), "action": "user.update"},
        {"agency": str(office.library.id), "action": "user.update"},
        {"since": entry["at"], "until": "2999-01-01T00:00:00+02:00"},
        {"correlation": entry["correlation"]},
    ):
        assert caller.get("/audit", **query).json()["items"][0]["id"] == entry["id"]
    assert caller.get("/audit", action="user.update", until="2000-01-01T00:00:00Z").json()["items"] == []


def test_unusual_zones(office):
    """A time is understood whatever its distance from UTC."""
    caller = office.manager(Privilege.VIEW_AUDIT)
    assert caller.get("/audit", until="2824-06-27T14:51:11-23:24").json()["items"]
    assert caller.get("/audit", since="2824-06-27T14:51:11+23:24").json()["items"] == []


def test_identifiers_in_changes_are_strings(office):
    """References in what changed are strings like all identifiers."""
    user = office.user()
    caller = office.manager(Privilege.VIEW_AUDIT)
    entries = caller.get("/audit", action="user.create", subject_id=str(user.id)).json()["items"]
    entry = next(one for one in entries if "agency_id" in one["after"])
    assert entry["after"]["agency_id"] == str(office.library.id)


def test_other_agency_is_hidden(office, fault):
    """Entries of another agency are neither listed nor shown."""
    entry = write(office.town.system, action="test.note", agency_id=office.museum.id)
    caller = office.manager(Privilege.VIEW_AUDIT)
    assert caller.get("/audit", action="test.note").json()["items"] == []
    fault(caller.get(f"/audit/{entry.id}"), 404)
    assert office.manager(Privilege.VIEW_AUDIT, agency=office.museum).get(f"/audit/{entry.id}").status_code == 200


def test_denied(office, fault):
    """Without the privilege the log is closed."""
    caller = office.manager(Privilege.MANAGE_USERS)
    for path in ("/audit", "/audit/1", "/audit/chain"):
        fault(caller.get(path), 403)


def test_chain(office, fault):
    """Who reads the whole log sees that the end of the chain holds; an agency's reader does not."""
    caller = office.manager(Privilege.VIEW_AUDIT, Scope.ALL)
    assert caller.get("/audit/chain").json() == {**_summary(0), "unsealed": _unsealed(caller)}
    sealed = seal(SYSTEM.now(), limit=10)
    whole = caller.get("/audit/chain").json()
    assert (whole["sealed"], whole["checked"], whole["faults"]) == (sealed, sealed, [])
    part = caller.get("/audit/chain", last="3").json()
    assert (part["sealed"], part["checked"], part["head"], part["faults"]) == (sealed, 3, whole["head"], [])
    fault(office.manager(Privilege.VIEW_AUDIT).get("/audit/chain"), 403)


def test_changed_seal(office):
    """A seal that does not cover its entry is named."""
    caller = office.manager(Privilege.VIEW_AUDIT, Scope.ALL)
    entry = write(office.town.system, action="test.note", agency_id=office.museum.id)
    AuditSeal.objects.create(number=1, entry_id=entry.id, previous=START, digest="f" * 64, sealed_at=SYSTEM.now())
    (fault,) = [one for one in caller.get("/audit/chain").json()["faults"] if one["entry"] == str(entry.id)]
    assert "changed" in fault["what"]


def _summary(number):
    return {"sealed": number, "checked": number, "head": "0" * 64, "faults": []}


def _unsealed(caller):
    now = datetime.datetime.max.replace(year=2999, tzinfo=datetime.UTC).isoformat()
    return len(caller.get("/audit", until=now, limit="500").json()["items"])
