"""In-tray tasks, notifications and sign-in sessions through the API."""

import pytest

from opilio.people.actions.intray import announce
from opilio.people.actions.signin import open_session
from opilio.people.privileges import Privilege, Scope


@pytest.fixture
def manager(office):
    """Sends tasks in the library."""
    return office.manager(Privilege.MANAGE_USERS)


def new(office, **changes):
    body = {"subject": "Look", "message": "Please.", "privilege": "VIEW_AUDIT", "agency": str(office.library.id)}
    return {**body, **changes}


def test_send_claim_complete(office, manager, fault):
    """A task is sent, claimed by one of those who could do it, hidden from the others, and completed."""
    one, other = office.manager(Privilege.VIEW_AUDIT), office.manager(Privilege.VIEW_AUDIT)
    sent = manager.post("/tasks", new(office, resource={"kind": "user", "id": str(one.user.id)}))
    assert (sent.status_code, sent.json()["resource"]) == (201, {"kind": "user", "id": str(one.user.id)})
    task = f"/tasks/{sent.json()['id']}"
    assert subjects(one) == subjects(other) == ["Look"]
    assert one.post(f"{task}/claim").json()["claimed_by"] == {"id": str(one.user.id), "username": one.user.username}
    assert (subjects(one, claimed="true"), subjects(one, claimed="false"), subjects(other)) == (["Look"], [], [])
    assert fault(other.post(f"{task}/claim"), 409)["code"] == "in-use"
    fault(other.post(f"{task}/complete"), 403)
    assert one.post(f"{task}/complete").status_code == 204
    fault(one.get(task), 404)


def subjects(caller, **query):
    return [one["subject"] for one in caller.get("/tasks", **query).json()["items"]]


def test_release(office, manager, fault):
    """A released task waits for everybody again; only who claimed it may release it."""
    one, other = office.manager(Privilege.VIEW_AUDIT), office.manager(Privilege.VIEW_AUDIT)
    task = f"/tasks/{manager.post('/tasks', new(office)).json()['id']}"
    one.post(f"{task}/claim")
    fault(other.post(f"{task}/release"), 403)
    assert one.post(f"{task}/release").json()["claimed_by"] is None
    assert other.post(f"{task}/claim").status_code == 200


def test_delete(office, manager, fault):
    """Who may delete tasks sees all of the agency, and deletes those that nobody else has claimed."""
    task = f"/tasks/{manager.post('/tasks', new(office)).json()['id']}"
    cleaner = office.manager(Privilege.DELETE_TASK)
    assert (subjects(cleaner), subjects(cleaner, whose="agency")) == ([], ["Look"])
    office.manager(Privilege.VIEW_AUDIT).post(f"{task}/claim")
    assert fault(cleaner.delete(task), 409)["code"] == "in-use"
    fault(office.manager(Privilege.DELETE_TASK, agency=office.museum).delete(task), 403)
    free = f"/tasks/{manager.post('/tasks', new(office)).json()['id']}"
    assert cleaner.delete(free).status_code == 204


def test_tasks_of_another_agency(office, manager, fault):
    """A task of another agency is neither seen nor claimed, nor sent there."""
    task = f"/tasks/{manager.post('/tasks', new(office)).json()['id']}"
    foreign = office.manager(Privilege.VIEW_AUDIT, agency=office.museum)
    assert subjects(foreign) == []
    fault(foreign.get(task), 404)
    fault(foreign.post(f"{task}/claim"), 403)
    fault(manager.post("/tasks", new(office, agency=str(office.museum.id))), 404)
    fault(foreign.post("/tasks", new(office)), 403)


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"subject": ""}, 422), ({"subject": "x" * 256}, 422), ({"privilege": "EVERYTHING"}, 422),
        ({"agency": "404"}, 404), ({"resource": {"kind": "nothing", "id": "1"}}, 404),
        ({"resource": {"kind": "user"}}, 422),
    ],
)  # fmt: skip
def test_bad_tasks(office, fault, changes, status):
    """A task needs a subject, a privilege, an agency, and a resource of a kind that there is."""
    fault(office.manager(Privilege.MANAGE_USERS, Scope.ALL).post("/tasks", new(office, **changes)), status)


def test_notifications(office):
    """Notifications are read and removed by their own user; those of others are left alone."""
    caller, other = office.caller(), office.caller()
    ids = [caller.user.id, other.user.id]
    announce(office.town.system, agency_id=office.library.id, users=ids, subject="News", message="All well.")
    (mine,), (theirs,) = caller.get("/notifications").json()["items"], other.get("/notifications").json()["items"]
    assert (mine["subject"], mine["category"], mine["read_at"]) == ("News", "general", None)
    both = {"ids": [mine["id"], theirs["id"]]}
    assert caller.post("/notifications/read", both).json() == {"count": 1}
    assert caller.get("/notifications", read="false").json()["items"] == []
    assert other.get("/notifications", read="false").json()["items"] == [theirs]
    assert caller.post("/notifications/delete", both).json() == {"count": 1}
    assert (caller.get("/notifications").json()["items"], len(other.get("/notifications").json()["items"])) == ([], 1)


@pytest.mark.parametrize("ids", [[], ["x"], [1], ["1"] * 501, "1"])
def test_bad_notification_choice(office, fault, ids):
    """A choice names 1 to 500 identifiers."""
    assert fault(office.caller().post("/notifications/read", {"ids": ids}), 422)["fields"]


def test_sessions(office, fault):
    """Sessions are seen and ended by their user and by the manager of the user, by nobody else."""
    owner = office.caller()
    row = open_session(
        office.town.system, user_id=owner.user.id, session_key="key", method="password", address="192.0.2.1",
        user_agent="browser",
    )  # fmt: skip
    path = f"/sessions/{row.id}/revoke"
    foreigner = office.manager(Privilege.MANAGE_USERS, agency=office.museum)
    for caller in (foreigner, office.caller()):
        assert caller.get("/sessions").json()["items"] == []
        fault(caller.post(path), 404)
    manager = office.manager(Privilege.MANAGE_USERS)
    (seen,) = manager.get("/sessions", user=str(owner.user.id), open="true").json()["items"]
    assert (seen["id"], seen["username"]) == (str(row.id), owner.user.username)
    assert "session_key" not in seen
    assert owner.post(path).json()["ended"] == "revoked"
    assert manager.get("/sessions", open="true").json()["items"] == []
    assert len(manager.get("/sessions", open="false").json()["items"]) == 1


def test_announcements(office, manager, fault):
    """To all users of an agency, or some; needs the privilege there."""
    one, other = office.caller(), office.caller()
    body = {"subject": "Closed", "message": "On Friday.", "agency": str(office.library.id)}
    sent = manager.post("/notifications", body | {"users": [str(one.user.id)]})
    assert (sent.status_code, sent.json()) == (201, {"count": 1})
    assert [row["subject"] for row in one.get("/notifications").json()["items"]] == ["Closed"]
    assert other.get("/notifications").json()["items"] == []
    assert manager.post("/notifications", body).json()["count"] >= 3
    assert len(other.get("/notifications").json()["items"]) == 1
    fault(manager.post("/notifications", body | {"subject": "  "}), 422)
    fault(one.post("/notifications", body), 403)
    foreign = office.manager(Privilege.MANAGE_USERS, agency=office.museum)
    assert foreign.post("/notifications", body).status_code in (403, 404)
