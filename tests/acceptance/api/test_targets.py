"""Targets, seeds, nominations and reasons by the API: the same actions and queries as the pages."""

import pytest

from opilio.curation.actions.target_verification import answer_verification
from opilio.curation.models import Nomination, Seed, State, Target
from opilio.people.privileges import Privilege, Scope
from tests.curation import Desk

CURATOR = {Privilege.CREATE_TARGET: Scope.AGENCY, Privilege.MODIFY_TARGET: Scope.AGENCY,
           Privilege.DELETE_TARGET: Scope.AGENCY}  # fmt: skip
ARCHIVIST = {**CURATOR, Privilege.APPROVE_TARGET: Scope.AGENCY, Privilege.CANCEL_TARGET: Scope.AGENCY,
             Privilege.REINSTATE_TARGET: Scope.AGENCY, Privilege.MANAGE_REASONS: Scope.AGENCY}  # fmt: skip
URL = "http://www.site.example/"


@pytest.fixture
def desk(office):
    """Makes rows of curation."""
    return Desk(office.town)


@pytest.fixture
def curator(office):
    """A program of a curator."""
    return office.caller(privileges=CURATOR)


@pytest.fixture
def archivist(office):
    """A program of somebody who decides too."""
    return office.caller(privileges=ARCHIVIST)


def _ok(answer, status=200):
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


def test_a_target_is_made_changed_and_deleted(curator, office, fault):
    """The version guards every change."""
    made = _ok(curator.post("/targets", {"name": "Harbour", "agency": str(office.library.id), "access_zone": "on-site",
                                         "run_on_approval": True}), 201)  # fmt: skip
    assert (made["state"], made["access_zone"], made["owner"]["username"]) == (
        "pending", "on-site", curator.user.username,
    )  # fmt: skip
    path = f"/targets/{made['id']}"
    changed = _ok(curator.patch(path, {"version": 1, "reference": "H-1", "profile": ""}))
    assert (changed["reference"], changed["run_on_approval"], changed["version"]) == ("H-1", True, 2)
    assert "Harbour" in fault(curator.patch(path, {"version": 1, "reference": "H-2"}), 409)["message"]
    assert curator.delete(path).status_code == 204
    assert curator.get(path).status_code == 404


def test_the_list_filters_and_hides(curator, desk, office):
    """By words, state, owner, group and seed; another agency's are not there."""
    ours = desk.target(name="Harbour", owner=curator.user, seeds=[URL], reference="H-1")
    desk.target(name="Tides", state=State.APPROVED)
    desk.target(name="Foreign", agency=office.museum)
    group = desk.group(ours)
    names = [one["name"] for one in _ok(curator.get("/targets"))["items"]]
    assert names == ["Harbour", "Tides"]
    for query in ({"q": "H-1"}, {"state": "pending"}, {"owner": str(curator.user.id)}, {"group": str(group.pk)},
                  {"seed": "site.ex"}):  # fmt: skip
        assert [one["name"] for one in _ok(curator.get("/targets", **query))["items"]] == ["Harbour"], query
    assert curator.get("/targets", state="flying").status_code == 422


def test_moves_follow_the_machine(archivist, desk, fault):
    """The standing tells them, with what is missing."""
    target = desk.target(seeds=[URL])
    standing = _ok(archivist.get(f"/targets/{target.pk}/standing"))
    assert [one["verb"] for one in standing["moves"] if one["allowed"]] == ["nominate", "approve", "reject"]
    assert URL in standing["problems"][0]
    assert URL in fault(archivist.post(f"/targets/{target.pk}/approve"), 409)["message"]
    desk.link(target.seeds.get(), desk.permission("http://www.site.example/*"))
    for verb, state in (("nominate", "nominated"), ("approve", "approved"), ("cancel", "cancelled"),
                        ("reinstate", "reinstated")):  # fmt: skip
        assert _ok(archivist.post(f"/targets/{target.pk}/{verb}"))["state"] == state
    assert fault(archivist.post(f"/targets/{target.pk}/cancel"), 409)["code"] == "no-such-move"
    reason = _ok(archivist.post("/rejection-reasons", {"agency": str(target.agency_id), "name": "Off topic"}), 201)
    rejected = _ok(archivist.post(f"/targets/{target.pk}/reject", {"reason": reason["id"], "note": "Later"}))
    assert (rejected["state"], rejected["rejection_reason"]["name"]) == ("rejected", "Off topic")


def test_who_may_not_is_refused(curator, office, desk, fault):
    """By privilege, and as if it were not there."""
    target = desk.approvable()
    assert fault(curator.post(f"/targets/{target.pk}/approve"), 403)["code"] == "not-allowed"
    foreign = desk.target(agency=office.museum)
    for path in (f"/targets/{foreign.pk}", f"/targets/{foreign.pk}/standing", f"/targets/{foreign.pk}/description"):
        assert curator.get(path).status_code == 404
    assert curator.post(f"/targets/{foreign.pk}/nominate").status_code == 404
    assert office.caller().get("/targets").status_code == 403


def test_seeds_are_added_changed_linked_and_deleted(curator, desk, office, fault):
    """Each answer tells the right in a sentence."""
    target = desk.target()
    permission = desk.permission("http://www.site.example/*", domains=["www.site.example"])
    body = {"target": str(target.pk), "url": "www.site.example", "depth_limit": 3, "root": URL}
    seed = _ok(curator.post("/seeds", body), 201)
    assert (seed["url"], seed["allowed"], seed["depth_limit"]) == (URL, True, 3)
    assert seed["links"][0]["permission"] == str(permission.id)
    path = f"/seeds/{seed['id']}"
    changed = _ok(curator.patch(path, {"version": 1, "depth_limit": "", "page_limit": 5, "active": False}))
    assert (changed["depth_limit"], changed["page_limit"], changed["active"]) == (None, 5, False)
    assert _ok(curator.post(f"{path}/unlink", {"permission": str(permission.id)}))["allowed"] is False
    assert _ok(curator.post(f"{path}/link", {"permission": str(permission.id)}))["allowed"] is True
    assert _ok(curator.post(f"{path}/match"))["count"] == 1
    foreign = desk.permission("http://b.example/*", agency=office.museum)
    assert "another agency" in fault(curator.post(f"{path}/link", {"permission": str(foreign.id)}), 422)["message"]
    bad = fault(curator.post("/seeds", {**body, "url": "ftp://b.example/"}), 422)
    assert "url" in bad["fields"]
    assert [one["url"] for one in _ok(curator.get("/seeds", target=str(target.pk), active="false"))["items"]] == [URL]
    assert curator.delete(path).status_code == 204
    assert not Seed.objects.exists()


def test_a_list_of_seeds_tells_its_bad_lines(curator, desk):
    """And adds the good ones when asked."""
    target = desk.target()
    path, body = f"/targets/{target.pk}/seeds/import", {"text": "http://a.example/\nx://\n", "link": "later"}
    refused = _ok(curator.post(path, body))
    assert (refused["done"], refused["good"], refused["faults"][0]["line"]) == (False, 1, 2)
    assert len(_ok(curator.post(path, {**body, "only_good": True}))["added"]) == 1


def test_parts_of_a_target_are_changed(curator, desk, fault):
    """Excluded URLs, description, a copy."""
    target = desk.target(name="Site", seeds=[URL])
    base = f"/targets/{target.pk}"
    row = _ok(curator.post(f"{base}/excluded-urls", {"url": f"{URL}private", "reason": "Personal"}), 201)
    changed = _ok(curator.put(f"{base}/excluded-urls/{row['id']}", {"version": 1, "url": f"{URL}old"}))
    assert (changed["url"], changed["reason"]) == (f"{URL}old", "")
    assert len(_ok(curator.get(f"{base}/excluded-urls"))) == 1
    assert curator.delete(f"{base}/excluded-urls/{row['id']}").status_code == 204
    assert _ok(curator.get(f"{base}/description"))["version"] == 0
    described = _ok(curator.patch(f"{base}/description", {"version": 0, "title": "The Site"}))
    assert (described["version"], described["elements"]["title"]) == (1, "The Site")
    assert fault(curator.patch(f"{base}/description", {"version": 0, "title": "X"}), 409)["code"] == "stale"
    twin = _ok(curator.post(f"{base}/copy", {}), 201)
    assert (twin["name"], twin["state"]) == ("Copy of Site", "pending")
    assert Target.objects.get(pk=twin["id"]).dublin_core.title == "The Site"


def test_the_originator_is_asked_and_the_answer_taken_over(curator, desk, office):
    """Or the invitation is withdrawn."""
    target = desk.target()
    base = f"/targets/{target.pk}/verifications"
    asked = _ok(curator.post(base, {"email": "owner@site.example"}), 201)
    token = asked["path"].rpartition("/")[2]
    answer_verification(office.town.system, token=token, right=False, corrections={"title": "Mine"})
    assert _ok(curator.get(base))[0]["answer"]["corrections"] == {"title": "Mine"}
    assert _ok(curator.post(f"{base}/{asked['id']}/take"))["elements"]["title"] == "Mine"
    second = _ok(curator.post(base, {"email": "owner@site.example"}), 201)
    assert curator.post(f"{base}/{second['id']}/revoke").status_code == 204
    assert _ok(curator.get(base))[0]["revoked_at"]
    assert curator.post(f"{base}/99/revoke").status_code == 404


def test_nominations_are_accepted_declined_and_deleted(archivist, desk, office):
    """Once each."""
    rows = [Nomination.objects.create(agency=office.library, url=f"http://s{number}.example/", title=f"Site {number}",
                                      created=desk.now, updated=desk.now) for number in range(2)]  # fmt: skip
    made = _ok(archivist.post(f"/nominations/{rows[0].id}/accept", {}), 201)
    assert (made["name"], made["owner"]["username"]) == ("Site 0", archivist.user.username)
    assert archivist.post(f"/nominations/{rows[0].id}/accept", {}).status_code == 409
    assert _ok(archivist.post(f"/nominations/{rows[1].id}/decline", {"note": "No"}))["state"] == "declined"
    assert [one["title"] for one in _ok(archivist.get("/nominations", state="accepted"))["items"]] == ["Site 0"]
    assert _ok(archivist.get(f"/nominations/{rows[0].id}"))["target"]["name"] == "Site 0"
    assert archivist.delete(f"/nominations/{rows[1].id}").status_code == 204


def test_reasons_are_made_changed_and_deleted(archivist, office):
    """In the agencies whose reasons one manages."""
    made = _ok(archivist.post("/rejection-reasons", {"agency": str(office.library.id), "name": "Empty"}), 201)
    path = f"/rejection-reasons/{made['id']}"
    changed = _ok(archivist.patch(path, {"version": 1, "for_harvests": False}))
    assert (changed["name"], changed["for_targets"], changed["for_harvests"]) == ("Empty", True, False)
    assert len(_ok(archivist.get("/rejection-reasons", q="emp"))["items"]) == 1
    assert archivist.delete(path).status_code == 204
    foreign = archivist.post("/rejection-reasons", {"agency": str(office.museum.id), "name": "Theirs"})
    assert foreign.status_code == 403


@pytest.mark.parametrize("body", [{}, {"name": ""}, {"name": "x" * 256}, {"name": 7}, {"name": "A", "colour": "red"}])
def test_a_bad_body_is_refused(curator, office, body, fault):
    """With the field named."""
    assert fault(curator.post("/targets", {"agency": str(office.library.id), **body}), 422)["fields"]
