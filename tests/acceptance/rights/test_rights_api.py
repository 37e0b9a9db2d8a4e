"""Rights by the API: everything that the pages do."""

import pytest

from opilio.curation.models import Permission
from opilio.people.models import OutboxMessage
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import error
from tests.curation import Desk


@pytest.fixture
def site(caller, office):
    """An authorisation with a pattern and an agent, made by the API."""
    whose = {"agency": str(office.library.id)}
    agent = made(
        caller.post("/authorising-agents", {**whose, "name": "Publisher", "email": "rights@publisher.example"})
    )
    body = {**whose, "title": "Site", "patterns": ["*.site.example/*"], "agents": [agent["id"]]}
    return made(caller.post("/authorisations", body))


@pytest.fixture
def permission(caller, site):
    return made(caller.post("/permissions", body_for(site)))


def body_for(site, **more):
    return {
        "authorisation": site["id"], "agent": site["agents"][0]["id"], "start_date": "2026-01-01",
        "patterns": [each["id"] for each in site["patterns"]], **more,
    }  # fmt: skip


def made(response, status=201):
    assert response.status_code == status, response.content
    return response.json()


def test_authorisations(caller, site, office):
    """Listed, shown, changed, their patterns and agents set, switched and deleted."""
    path = f"/authorisations/{site['id']}"
    assert site["patterns"][0]["pattern"] == "http://*.site.example/*"
    changed = made(caller.patch(path, {"version": 1, "notes": "Note", "published": True}), 200)
    assert (changed["notes"], changed["published"], changed["version"]) == ("Note", True, 2)
    error(caller.patch(path, {"version": 1, "notes": "Late"}), 409)
    put = made(caller.put(f"{path}/patterns", {"patterns": ["site.example", "*.site.example/*"]}), 200)
    assert [each["pattern"] for each in put["patterns"]] == ["http://*.site.example/*", "http://site.example/"]
    fault = error(caller.put(f"{path}/patterns", {"patterns": ["http://a*b/"]}), 422)
    assert fault["fields"]["patterns"][0].startswith("Line 1: a star may not stand inside the host")
    assert made(caller.put(f"{path}/agents", {"agents": []}), 200)["agents"] == []
    assert made(caller.post(f"{path}/disable"), 200)["active"] is False
    assert made(caller.post(f"{path}/enable"), 200)["active"] is True
    listed = made(caller.get("/authorisations", q="sit", agency=str(office.library.id), active="true"), 200)
    assert [each["id"] for each in listed["items"]] == [site["id"]]
    assert caller.delete(path).status_code == 204
    error(caller.get(path), 404)


def test_authorising_agents(caller, site):
    """Listed, shown, changed; one that gave a permission cannot be deleted."""
    agent = site["agents"][0]["id"]
    changed = made(caller.patch(f"/authorising-agents/{agent}", {"version": 1, "contact": "The editor"}), 200)
    assert changed["contact"] == "The editor"
    assert made(caller.get("/authorising-agents", q="publ"), 200)["items"][0]["id"] == agent
    made(caller.post("/permissions", body_for(site)))
    assert "permissions name this" in error(caller.delete(f"/authorising-agents/{agent}"), 409)["message"]
    error(caller.patch(f"/authorising-agents/{agent}", {"version": 2, "email": "nonsense"}), 422)


def test_a_permission_is_asked_for_and_granted(caller, site, permission, office):
    """Made, changed, asked for, reminded of, talked about, granted, refused."""
    path = f"/permissions/{permission['id']}"
    assert permission["status"] == "Pending"
    changed = made(caller.patch(path, {"version": 1, "end_date": "2030-01-01", "notes": "n"}), 200)
    assert changed["end_date"] == "2030-01-01"
    assert made(caller.patch(path, {"version": 2, "end_date": None}), 200)["end_date"] is None
    put = made(caller.put(f"{path}/exclusions", {"exclusions": [{"url": "a.site.example/x*", "reason": "r"}]}), 200)
    assert put["exclusions"] == [{"url": "http://a.site.example/x*", "reason": "r"}]
    made(caller.post(f"{path}/seek"), 200)
    body = {"agency": str(office.library.id), "name": "Mail", "kind": "Email Template", "text": "Hello {answer_url}"}
    template = made(caller.post("/permission-templates", body))
    sent = made(caller.post(f"{path}/request", {"template": template["id"]}), 200)
    body = OutboxMessage.objects.get(to="rights@publisher.example").body
    assert "/answer/" in body
    assert "/answer/" not in sent["text"]
    made(caller.post(f"{path}/remind"), 200)
    assert made(caller.post(f"{path}/announce"), 200)["count"] == 1
    assert made(caller.post(f"{path}/revoke-form"), 200)["count"] == 1
    made(caller.post(f"{path}/communications", {"channel": "phone", "outgoing": False, "text": "Yes."}))
    said = made(caller.get(f"{path}/communications"), 200)["items"]
    assert sorted(each["channel"] for each in said) == ["email", "phone", "reminder"]
    assert made(caller.post(f"{path}/approve", {"response": "By telephone."}), 200)["status"] == "Approved"
    error(caller.post(f"{path}/approve", {}), 409)
    assert made(caller.post(f"{path}/reject", {}), 200)["status"] == "Rejected"


def test_letters_come_back_to_be_printed(caller, permission, office):
    """A letter is answered in full, with the address of the form."""
    body = {"agency": str(office.library.id), "name": "Letter", "kind": "Print Template", "text": "<b>{answer_url}"}
    template = made(caller.post("/permission-templates", body))
    sent = made(caller.post(f"/permissions/{permission['id']}/request", {"template": template["id"]}), 200)
    assert sent["printed"]
    assert "/answer/" in sent["text"]
    assert "&lt;b&gt;" in sent["html"]


def test_lists_and_filters(caller, site, permission):
    """Permissions are filtered by status, authorisation, quick pick and expiry."""
    soon = made(caller.post("/permissions", body_for(
        site, start_date="2020-01-01", end_date="2999-01-01", quick_pick=True, display_name="Pick")))  # fmt: skip
    made(caller.post(f"/permissions/{soon['id']}/approve", {}), 200)

    def found(**query):
        return {each["id"] for each in made(caller.get("/permissions", **query), 200)["items"]}

    assert found() == {permission["id"], soon["id"]}
    assert found(status=0) == {permission["id"]}
    assert found(quick_pick="true", authorisation=site["id"]) == {soon["id"]}
    assert found(expires_within=30) == set()
    assert found(q="pick") == {soon["id"]}
    error(caller.get("/permissions", status=9), 422)
    error(caller.get("/permissions", expires_within=-1), 422)


def test_explain_and_wider(caller, site, permission, office):
    """Why a URL may be collected, and which permission covers it already."""
    found = made(caller.get("/permissions/explain", url="https://a.site.example/", agency=str(office.library.id)), 200)
    assert (found["allowed"], found["candidates"][0]["matches"]) == (False, True)
    assert found["candidates"][0]["checks"][0]["ground"] == "pattern"
    error(caller.get("/permissions/explain", url="mailto:x", agency=str(office.library.id)), 422)
    error(caller.get("/permissions/explain", url="http://a.example/", agency=str(office.museum.id)), 404)
    narrow = made(caller.post("/authorisations", {
        "agency": str(office.library.id), "title": "Part", "patterns": ["a.site.example/x"],
        "agents": [site["agents"][0]["id"]]}))  # fmt: skip
    part = made(caller.post("/permissions", body_for(narrow)))
    (wider,) = made(caller.get(f"/permissions/{part['id']}/wider"), 200)
    assert wider["permission"]["id"] == permission["id"]


def test_transfer(caller, site, permission, office):
    """Seeds move from one permission to another."""
    desk = Desk(office.town)
    other = made(caller.post("/permissions", body_for(site)))
    target = desk.target(seeds=["http://a.site.example/"])
    desk.link(target.seeds.get(), Permission.objects.get(id=int(permission["id"])))
    moved = made(caller.post(f"/permissions/{permission['id']}/transfer", {"into": other["id"]}), 200)
    assert moved["count"] == 1
    assert made(caller.get(f"/permissions/{other['id']}"), 200)["seed_count"] == 1
    assert caller.delete(f"/permissions/{permission['id']}").status_code == 204
    assert "seeds rely on it" in error(caller.delete(f"/permissions/{other['id']}"), 409)["message"]


def test_templates(caller, office):
    """Made, listed, changed, deleted; unknown placeholders are refused; the known ones are listed."""
    known = made(caller.get("/permission-templates/placeholders"), 200)
    assert {"contact_name", "urls_html", "answer_url"} <= {each["name"] for each in known}
    body = {"agency": str(office.library.id), "name": "Mail", "text": "Dear {contact_name}"}
    template = made(caller.post("/permission-templates", body))
    path = f"/permission-templates/{template['id']}"
    assert "{nobody}" in error(caller.patch(path, {"version": 1, "text": "{nobody}"}), 422)["fields"]["text"][0]
    assert made(caller.patch(path, {"version": 1, "subject": "S"}), 200)["subject"] == "S"
    assert made(caller.get("/permission-templates", q="mai"), 200)["items"][0]["id"] == template["id"]
    assert caller.delete(path).status_code == 204


def test_others_are_refused(caller, site, permission, office):
    """People of another agency find nothing, people without a privilege are told so, readers cannot write."""
    stranger = office.caller(agency=office.museum, privileges={Privilege.MODIFY_PERMISSION: Scope.AGENCY})
    nobody = office.caller()
    reader = office.caller(privileges={Privilege.MODIFY_TARGET: Scope.OWNER})
    path = f"/permissions/{permission['id']}"
    error(stranger.get(path), 404)
    error(stranger.patch(path, {"version": 1, "notes": "x"}), 404)
    error(nobody.get(path), 403)
    assert reader.get(path).status_code == 200
    for method, tail, body in (
        ("post", "/approve", {}), ("post", "/seek", None), ("patch", "", {"version": 1, "notes": "x"}),
        ("put", "/exclusions", {"exclusions": []}), ("post", "/remind", None),
    ):  # fmt: skip
        error(getattr(reader, method)(f"{path}{tail}", body), 403)
