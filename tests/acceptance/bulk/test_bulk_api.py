"""Bulk work by programs."""

import pytest

from opilio.curation.models import BulkRun, State, Target
from opilio.people.privileges import Privilege
from tests.acceptance.bulk.conftest import CURATES
from tests.curation import Desk


@pytest.fixture
def desk(office):
    return Desk(office.town)


@pytest.fixture
def program(office):
    return office.caller(privileges=CURATES)


def answered(response, status=200):
    assert response.status_code == status, response.content
    return response.json()


def test_verbs_are_listed(program):
    """With their arguments, as far as the caller holds a privilege for them."""
    found = {(one["noun"], one["name"]): one for one in answered(program.get("/bulk/verbs"))}
    assert ("target", "approve") in found
    assert ("target", "delete") not in found
    assert [one["name"] for one in found["target", "reject"]["arguments"]] == ["reason", "note"]


def test_rows_by_filter_and_what_became_of_them(program, desk):
    """A trial changes nothing; then it is started for good, and refused rows are listed with reasons."""
    desk.approvable(state=State.NOMINATED, name="Good")
    desk.target(state=State.NOMINATED, name="Bad")
    body = {"noun": "target", "verb": "approve", "filter": {"state": "nominated"}, "dry_run": True}
    run = answered(program.post("/bulk", body))
    assert (run["state"], run["dry_run"], run["counts"]["changed"], run["counts"]["refused"]) == ("done", True, 1, 1)
    assert not Target.objects.filter(state=State.APPROVED).exists()
    run = answered(program.post(f"/bulk/{run['id']}/start", {}))
    assert Target.objects.get(state=State.APPROVED).name == "Good"
    (row,) = answered(program.get(f"/bulk/{run['id']}/rows", outcome="refused"))["items"]
    assert row["name"] == "Bad"
    assert "seed" in row["told"]
    assert answered(program.get("/bulk"))["items"][0]["id"] == run["id"]
    assert answered(program.get(f"/bulk/{run['id']}"))["total"] == 2


def test_many_rows_are_accepted_and_can_be_stopped(program, desk):
    """202 says that a job does it."""
    owner = desk.town.user()
    ids = [str(desk.target(owner=owner).pk) for _ in range(101)]
    run = answered(program.post("/bulk", {"noun": "target", "verb": "nominate", "ids": ids}), 202)
    assert run["state"] == "waiting"
    assert answered(program.post(f"/bulk/{run['id']}/stop"))["state"] == "stopped"


def test_a_token_with_fewer_scopes_does_less(office, desk):
    """What the token may not do, its bulk work may not do either."""
    user = office.user(privileges=CURATES)
    narrow = office.caller(user, scopes=[Privilege.CREATE_TARGET])
    target = desk.target()
    body = {"noun": "target", "verb": "nominate", "ids": [str(target.pk)]}
    assert narrow.post("/bulk", body).status_code == 403


def test_tables(program, desk, office):
    """Rows are imported with a word on each bad one, and exported so that they can be imported again."""
    body = {"noun": "target", "rows": [{"agency": "Library", "name": "A", "seeds": ["http://a.example/"]},
                                       {"agency": "Nowhere", "name": "B"}, {"colour": "red"}]}  # fmt: skip
    tried = answered(program.post("/bulk/imports", {**body, "dry_run": True}))
    assert tried["counts"] == {"waiting": 0, "changed": 1, "unchanged": 0, "refused": 0, "unreadable": 2}
    assert not Target.objects.exists()
    run = answered(program.post("/bulk/imports", body))
    bad = answered(program.get(f"/bulk/{run['id']}/rows", outcome="unreadable"))["items"]
    assert [one["place"] for one in bad] == [2, 3]
    cells = [one["cells"] for one in answered(program.get("/bulk/tables/target"))["items"]]
    assert cells[0]["seeds"] == ["http://a.example/"]
    again = answered(program.post("/bulk/imports", {"noun": "target", "rows": cells, "update": True}))
    assert again["counts"]["unchanged"] == 1
    file = program.get("/bulk/tables/target/csv")
    assert file["Content-Type"] == "text/csv; charset=utf-8"
    sheet = file.content.decode("utf-8-sig")
    again = answered(program.post("/bulk/imports", {"noun": "target", "csv": sheet, "update": True}))
    assert again["counts"]["unchanged"] == 1
    text = "agency,name\nLibrary,C\n"
    assert answered(program.post("/bulk/imports", {"noun": "target", "csv": text}))["counts"]["changed"] == 1


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/bulk", {"noun": "target", "verb": "approve"}, 422),
        ("/bulk", {"noun": "target", "verb": "explode", "filter": {}}, 404),
        ("/bulk", {"noun": "planet", "verb": "approve", "filter": {}}, 422),
        ("/bulk", {"noun": "target", "verb": "approve", "filter": {"colour": "red"}}, 404),
        ("/bulk", {"noun": "target", "verb": "approve", "filter": {"state": "red"}}, 422),
        ("/bulk", {"noun": "target", "verb": "approve", "ids": ["1"]}, 422),
        ("/bulk", {"noun": "target", "verb": "approve", "ids": [str(2**63 - 1)]}, 422),
        ("/bulk/imports", {"noun": "target"}, 422),
        ("/bulk/imports", {"noun": "target", "csv": "a,b\n"}, 422),
        ("/bulk/imports", {"noun": "target", "csv": ""}, 422),
        ("/bulk/imports", {"noun": "user", "rows": []}, 422),
        ("/bulk/7/start", {}, 404),
        ("/bulk/7/stop", None, 404),
    ],
)
def test_odd_requests_are_refused(program, path, body, status, fault):
    """In the shape of every error, and nothing is kept."""
    fault(program.post(path, body), status)
    assert not BulkRun.objects.exists()
