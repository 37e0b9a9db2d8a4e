"""Rights on the pages: from an authorisation to an answered request."""

import re

import pytest

from opilio.curation.actions.permission_templates import create_template
from opilio.curation.models import Authorisation, AuthorisingAgent, Permission, PermissionStatus, PermissionTemplate
from opilio.people.models import OutboxMessage
from tests.acceptance.pages.conftest import Visitor

HOSTILE = "<script>alert(1)</script>\"'> ‮مرحبا 😀"


def path(response):
    assert response.status_code == 302, response.content.decode()[:3000]
    return response["Location"]


def test_the_whole_way(archivist, town, desk):
    """Somebody makes an agent, an authorisation, a permission and a template, asks, and the agent answers."""
    library = town.library.id
    details = {"agency": library, "name": "Publisher", "email": "rights@publisher.example", "contact": "The editor"}
    agent = path(archivist.send("/authorising-agents/new", details))
    agent_id = AuthorisingAgent.objects.get().id
    assert agent == f"/authorising-agents/{agent_id}"
    details = {"agency": library, "title": "Site", "patterns": "site.example/*\n*.site.example/*", "agents": [agent_id]}
    site = path(archivist.send("/authorisations/new", details))
    assert "http://*.site.example/*" in archivist.see(site)
    form = archivist.see(f"{site}/permissions/new")
    patterns = re.findall(r'name="patterns" value="(\d+)"', form)
    details = {"agent": agent_id, "patterns": patterns, "start_date": "2026-01-01", "seek": "on"}
    made = path(archivist.send(f"{site}/permissions/new", {**details, "exclusions": "site.example/private/* asked"}))
    page = archivist.see(made)
    assert "Pending" in page
    assert "http://site.example/private/*" in page
    archivist.send("/admin/templates/new", {
        "agency": library, "name": "Request", "kind": "Email Template", "subject": "May we?",
        "text": "Dear {contact_name}, {answer_url}"})  # fmt: skip
    template = PermissionTemplate.objects.get().id
    assert path(archivist.send(f"{made}/ask", {"template": template})) == made
    assert "Requested" in archivist.see(made)
    address = re.search(r"https?://[^/]+(/answer/\S+)", OutboxMessage.objects.get(to="rights@publisher.example").body)[
        1
    ]
    publisher = Visitor()
    shown = publisher.see(address)
    assert "May Library collect Site?" in shown
    done = publisher.send(address, {"word": "grant", "name": "The editor", "text": "Gladly"})
    assert path(done) == "/answered"
    assert "Thank you" in publisher.see("/answered")
    page = archivist.see(made)
    assert "Approved" in page
    assert "Granted by The editor: Gladly" in page
    assert publisher.get(address).status_code == 404


@pytest.fixture
def asked(desk):
    """A permission of a publisher, pending."""
    agent = desk.agent(name="Publisher", email="rights@publisher.example")
    return desk.permission(
        "http://site.example/*", agent=agent, status=PermissionStatus.PENDING, domains=["site.example"]
    )


def test_details_patterns_and_agents_are_edited(archivist, asked, desk):
    """Each part of an authorisation has its form; a bad pattern is named with its line."""
    site = f"/authorisations/{asked.authorisation_id}"
    archivist.send(f"{site}/edit", {"title": "Renamed", "version": 1, "notes": "n"})
    assert Authorisation.objects.get(id=asked.authorisation_id).title == "Renamed"
    bad = archivist.send(f"{site}/patterns", {"patterns": "http://site.example/*\nhttp://a*b.example/"})
    assert bad.status_code == 422
    assert "Line 2: a star may not stand inside the host" in bad.content.decode()
    path(archivist.send(f"{site}/patterns", {"patterns": "http://site.example/*\nhttp://new.example/"}))
    other = desk.agent(name="Other")
    path(archivist.send(f"{site}/agents", {"agents": [asked.agent_id, other.id]}))
    shown = archivist.see(site)
    assert "Other" in shown
    assert "http://new.example/" in shown
    path(archivist.send(f"{site}/disable"))
    assert "disabled" in archivist.see(site)
    path(archivist.send(f"{site}/enable"))


def test_two_editors_see_both_versions(archivist, asked):
    """A save of an old version shows both."""
    site = f"/authorisations/{asked.authorisation_id}"
    archivist.send(f"{site}/edit", {"title": "First", "version": 1})
    stale = archivist.send(f"{site}/edit", {"title": "Second", "version": 1})
    assert stale.status_code == 409
    assert "First" in stale.content.decode()


def test_permission_forms(archivist, asked, desk):
    """A permission is edited, decided, talked about, its exclusions set and its seeds moved."""
    page = f"/permissions/{asked.id}"
    patterns = [link.pattern_id for link in asked.pattern_links.all()]
    base = {"agent": asked.agent_id, "patterns": patterns, "version": 1, "start_date": "2026-02-01"}
    refused = archivist.send(f"{page}/edit", {**base, "end_date": "2026-01-01"})
    assert refused.status_code == 422
    assert "The last day is before the first" in refused.content.decode()
    path(archivist.send(f"{page}/edit", {**base, "quick_pick": "on", "display_name": "Pick"}))
    path(archivist.send(f"{page}/exclusions", {"exclusions": "site.example/a*  because\nhttp://*.site.example/"}))
    shown = archivist.see(page)
    assert "Pick" in shown
    assert "because" in shown
    path(archivist.send(f"{page}/log", {"channel": "phone", "outgoing": "no", "text": "They called."}))
    assert "They called." in archivist.see(page)
    said = re.search(rf'href="({page}/said/\d+)"', archivist.see(page))[1]
    assert "They called." in archivist.see(said)
    path(archivist.send(f"{page}/do/seek"))
    path(archivist.send(f"{page}/approve", {"response": "Letter of today"}))
    assert "Letter of today" in archivist.see(page)
    other = desk.permission("http://other.example/*")
    target = desk.target(seeds=["http://site.example/"])
    desk.link(target.seeds.get(), asked)
    assert path(archivist.send(f"{page}/transfer", {"into": other.id})) == f"/permissions/{other.id}"
    assert target.name in archivist.see(f"/permissions/{other.id}")
    path(archivist.send(f"{page}/reject", {"response": ""}))
    assert "Rejected" in archivist.see(page)


def test_steps_that_cannot_be_taken_are_told(archivist, asked):
    """A step that the state does not allow leads back with a message."""
    response = archivist.send(f"/permissions/{asked.id}/do/remind", follow=True)
    assert "not Requested" in response.content.decode()
    assert archivist.send(f"/permissions/{asked.id}/do/dance").status_code == 404


def test_a_letter_is_shown_once(archivist, asked, town):
    """A printed letter shows the address of its form once; the log does not have it."""
    town.library.logo_url = "https://library.example/logo.png"
    town.library.save()
    template = create_template(
        town.system, agency_id=town.library.id, name="Letter", kind="Print Template",
        text=f"{{agency_logo_url}} {HOSTILE} {{answer_url}}",
    )  # fmt: skip
    response = archivist.send(f"/permissions/{asked.id}/ask", {"template": template.id})
    shown = response.content.decode()
    assert response.status_code == 200
    token = re.search(r"/answer/([\w-]+)", shown)[1]
    assert "<script>alert" not in shown
    assert "img-src 'self' data: https://library.example" in response["Content-Security-Policy"]
    assert token not in archivist.see(f"/permissions/{asked.id}")
    path(archivist.send(f"/permissions/{asked.id}/do/revoke-form"))
    assert Visitor().get(f"/answer/{token}").status_code == 404


def test_explain(archivist, asked, town):
    """The page tells of every candidate what holds and what does not."""
    page = archivist.see("/permissions/explain", url="https://site.example/a", agency=town.library.id)
    assert "the permission is Pending" in page
    assert "matches, does not allow it today" in page
    bad = archivist.get("/permissions/explain", {"url": "mailto:a@b", "agency": town.library.id})
    assert bad.status_code == 422
    assert archivist.see("/permissions/explain")


def test_wider_permissions_are_alerted(archivist, asked, desk, town):
    """The page of a permission says when another covers the same already."""
    wide = desk.permission("http://*.example/*", domains=["example"], display_name="Whole domain")
    assert "Whole domain" in archivist.see(f"/permissions/{asked.id}")
    assert wide.id


def test_hostile_texts_are_shown_not_obeyed(archivist, desk):
    """Markup in every text field stays text."""
    agent = desk.agent(name=HOSTILE, contact=HOSTILE, address=HOSTILE, description=HOSTILE)
    row = desk.permission(
        "http://site.example/*", agent=agent, authorisation=None, notes=HOSTILE, response=HOSTILE,
        special_requirements=HOSTILE, copyright_statement=HOSTILE, access_status=HOSTILE, file_reference=HOSTILE,
        display_name="<b>x</b>",
    )  # fmt: skip
    Authorisation.objects.filter(id=row.authorisation_id).update(title=HOSTILE, description=HOSTILE, notes=HOSTILE)
    for page in (
        "/authorisations", f"/authorisations/{row.authorisation_id}", "/permissions", f"/permissions/{row.id}",
        f"/permissions/{row.id}/edit", "/authorising-agents", f"/authorising-agents/{agent.id}",
        f"/permissions/{row.id}/ask", f"/permissions/{row.id}/approve",
        f"/authorisations/{row.authorisation_id}/patterns",
    ):  # fmt: skip
        shown = archivist.see(page)
        assert "<script>alert(1)" not in shown, page
        assert "<b>x</b>" not in shown, page


@pytest.mark.parametrize(
    "page", ["/authorisations", "/permissions", "/authorising-agents", "/admin/templates", "/permissions?status=5",
             "/permissions?expires=2026-12-31", "/permissions?expires=nonsense", "/permissions?status=x"]
)  # fmt: skip
def test_lists_ask_little(archivist, asked, django_assert_max_num_queries, page):
    """A list costs at most fifteen questions, and nonsense in a filter shows nothing rather than all."""
    archivist.get(page)
    with django_assert_max_num_queries(15):
        assert archivist.get(page).status_code == 200
    assert archivist.get(page, {"format": "csv"}).status_code == 200


def test_pages_ask_little(archivist, asked, django_assert_max_num_queries, desk):
    """The page of a permission costs no more for many seeds."""
    target = desk.target(seeds=[f"http://site.example/{number}" for number in range(20)])
    for seed in target.seeds.all():
        desk.link(seed, asked)
    for page, most in ((f"/permissions/{asked.id}", 25), (f"/authorisations/{asked.authorisation_id}", 15)):
        archivist.get(page)
        with django_assert_max_num_queries(most):
            assert archivist.get(page).status_code == 200


def test_bulk(archivist, asked, desk):
    """Several authorisations are disabled and deleted at once; those that are needed stay."""
    free = desk.authorisation("http://free.example/")
    target = desk.target(seeds=["http://site.example/"])
    desk.link(target.seeds.get(), asked)
    rows = [asked.authorisation_id, free.id]
    archivist.send("/authorisations", {"action": "disable", "row": rows, "confirmed": "yes"})
    assert not Authorisation.objects.filter(active=True).exists()
    response = archivist.send("/authorisations", {"action": "delete", "row": rows, "confirmed": "yes"}, follow=True)
    assert "seeds rely on it" in response.content.decode()
    assert list(Authorisation.objects.values_list("id", flat=True)) == [asked.authorisation_id]


def test_the_answer_form_refuses_nonsense(archivist, asked, town, visitor):
    """An unknown address shows nothing; a form that is not filled in is shown again."""
    closed = visitor.get("/answer/nonsense")
    assert closed.status_code == 404
    assert closed["Referrer-Policy"] == "same-origin"
    template = create_template(
        town.system, agency_id=town.library.id, name="Mail", kind="Email Template", text="{answer_url}"
    )
    archivist.send(f"/permissions/{asked.id}/ask", {"template": template.id})
    address = re.search(r"(/answer/\S+)", OutboxMessage.objects.get(to="rights@publisher.example").body)[1]
    visitor.see(address)
    for data in (
        {},
        {"word": "perhaps", "name": "x"},
        {"word": "conditions", "name": "x"},
        {"word": "grant", "name": ""},
    ):
        assert visitor.send(address, data).status_code == 422, data
    assert visitor.get(address).status_code == 200
    assert Permission.objects.get().status == PermissionStatus.REQUESTED
    answered = visitor.send(address, {"word": "refuse", "name": HOSTILE, "text": HOSTILE})
    assert answered.status_code == 302
    assert "<script>alert(1)" not in archivist.see(f"/permissions/{asked.id}")


def test_guessing_addresses_must_wait(db, visitor):
    """After many wrong addresses the answer is to wait."""
    statuses = [visitor.get(f"/answer/{number}").status_code for number in range(12)]
    assert statuses[0] == 404
    assert statuses[-1] == 429


def test_empty_states_say_what_to_do(archivist, desk):
    """Lists and forms without rows tell the next step."""
    assert "Make one for the site" in archivist.see("/authorisations")
    assert "Open an authorisation" in archivist.see("/permissions")
    assert "Add the publishers" in archivist.see("/authorising-agents")
    bare = desk.authorisation()
    assert "needs a URL pattern" in archivist.see(f"/authorisations/{bare.id}/permissions/new")
    row = desk.permission("http://a.example/", status=PermissionStatus.PENDING)
    assert "has no template yet" in archivist.see(f"/permissions/{row.id}/ask")
