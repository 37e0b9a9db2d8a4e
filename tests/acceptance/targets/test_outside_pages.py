"""What people outside do: they propose sites, and verify descriptions; and what curators make of it."""

import html
import re

import pytest

from opilio.curation.models import Invitation, Nomination, RejectionReason, State, Target
from opilio.people.models import AuditEntry, Notification, OutboxMessage
from opilio.people.privileges import Privilege, Scope

URL = "http://www.site.example/"


@pytest.fixture
def curator(enter):
    """May make and edit targets of the library."""
    held = {Privilege.CREATE_TARGET: Scope.AGENCY, Privilege.MODIFY_TARGET: Scope.AGENCY}
    return enter("curator", privileges=held)


@pytest.fixture
def open_form(town):
    """The nomination form is open."""
    town.parameter("nominations_open", "on")


def _sent(browser, path, status=302, **fields):
    if not browser.cookies:
        browser.get(path)
    answer = browser.send(path, fields)
    assert answer.status_code == status, answer.content.decode()
    return html.unescape(answer.content.decode()) if status != 302 else answer["Location"]


def test_the_form_is_closed_unless_it_was_opened(visitor, town):
    """Neither shown nor taken."""
    assert visitor.get("/nominate").status_code == 403
    assert _sent(visitor, "/nominate", 403, agency=town.library.id, url=URL)
    assert not Nomination.objects.exists()


def test_a_stranger_proposes_a_site(visitor, curator, town, open_form):
    """Without an account; those who make targets are told, and the entry of the audit log has no user."""
    where = _sent(visitor, "/nominate", agency=town.library.id, url="www.site.example", title="Site",
                  reason="It will vanish.", name="A reader", email="reader@reader.example")  # fmt: skip
    assert "Thank you" in visitor.see(where)
    row = Nomination.objects.get()
    assert (row.url, row.title, row.agency, row.state) == (URL, "Site", town.library, "waiting")
    assert row.received_from
    assert Notification.objects.get(user=curator.user).kind == "nomination-received"
    assert AuditEntry.objects.filter(action="nomination.receive", user_id=None).exists()
    assert "Site" in curator.see("/nominations")
    told = curator.see(f"/nominations/{row.pk}")
    assert '1<span class="visually-hidden"> waiting' in told  # in the in-tray, whatever else on the page waits


@pytest.mark.parametrize(
    "fields", [{"url": ""}, {"url": "ftp://x.example/"}, {"email": "nobody"}, {"agency": "99"}, {"title": "x" * 256},
               {"reason": "x" * 4_001}]
)  # fmt: skip
def test_a_faulty_proposal_is_shown_again(visitor, town, open_form, fields):
    """With what was typed, and nothing kept."""
    told = _sent(visitor, "/nominate", 422, **{"agency": town.library.id, "url": URL, "name": "A reader", **fields})
    assert "A reader" in told
    assert not Nomination.objects.exists()


def test_one_address_proposes_only_so_many(visitor, town, open_form):
    """The next one is asked to come back later."""
    town.parameter("nominations_per_hour", "2")
    for number in range(2):
        _sent(visitor, "/nominate", agency=town.library.id, url=f"http://site{number}.example/")
    assert "Too many" in _sent(visitor, "/nominate", 429, agency=town.library.id, url=URL)
    assert Nomination.objects.count() == 2


def _nomination(desk, **fields):
    now = desk.now
    given = {"agency": desk.town.library, "url": URL, "title": "Site", "created": now, "updated": now, **fields}
    return Nomination.objects.create(**given)


def test_accepting_makes_a_target_with_its_seed(curator, desk):
    """Linked with what matches; it cannot be decided twice."""
    desk.permission("http://www.site.example/*", domains=["www.site.example"])
    row = _nomination(desk, reason="It will vanish.")
    where = _sent(curator, f"/nominations/{row.id}/accept", name="Site", note="Good.")
    target = Target.objects.get(name="Site")
    assert where == f"/targets/{target.pk}"
    assert (target.state, target.owner_id, target.selection_note) == (
        State.PENDING, curator.user.id, "It will vanish.",
    )  # fmt: skip
    seed = target.seeds.get()
    assert (seed.url, seed.links.count()) == (URL, 1)
    row.refresh_from_db()
    assert (row.state, row.target) == ("accepted", target)
    assert "cannot be moved" in _sent(curator, f"/nominations/{row.id}/decline", 409)


def test_declining_keeps_the_nomination_with_why(curator, desk):
    """Also several at once."""
    first, second = _nomination(desk), _nomination(desk, title="<b>Other</b>")
    _sent(curator, f"/nominations/{first.id}/decline", note="Not ours.")
    assert "Not ours." in curator.see(f"/nominations/{first.id}")
    _sent(curator, "/nominations", action="decline", row=second.id, confirmed="yes")
    assert set(Nomination.objects.values_list("state", flat=True)) == {"declined"}
    assert "<b>Other" not in curator.see(f"/nominations/{second.id}")


def test_a_nomination_that_one_may_not_decide_says_why(enter, desk):
    """The page opens without buttons."""
    reader = enter("reader", privileges={Privilege.SYSTEM_REPORT_LEVEL_1: Scope.AGENCY})
    row = _nomination(desk)
    assert "needs the privilege CREATE_TARGET" in reader.see(f"/nominations/{row.id}")
    assert reader.send(f"/nominations/{row.id}/decline").status_code == 403


def _ask(curator, target):
    _sent(curator, f"/targets/{target.pk}/ask", email="owner@site.example", message="Dear owner,")
    letter = OutboxMessage.objects.get()
    assert letter.to == "owner@site.example"
    assert letter.body.startswith("Dear owner,")
    return re.search(r"/verify/[\w-]+", letter.body).group(0)


def test_the_originator_verifies_once(curator, visitor, desk):
    """Corrections and answer are kept beside the description, and change nothing until they are taken over."""
    target = desk.target(owner=curator.user, name="Site", description="An old site.")
    path = _ask(curator, target)
    assert path not in str(Invitation.objects.values().get())
    assert "An old site." in visitor.see(path)
    where = _sent(
        visitor, path, title="The Site", description="An old site.", comment="<i>Well</i> done.", name="Owner"
    )
    assert "Thank you" in visitor.see(where)
    answer = Invitation.objects.get().answer
    assert answer == {"right": False, "corrections": {"title": "The Site"}, "comment": "<i>Well</i> done.",
                      "name": "Owner"}  # fmt: skip
    assert Target.objects.get(pk=target.pk).dublin_core is None
    assert Notification.objects.filter(user=curator.user, kind="target-verified").count() == 1
    assert visitor.get(path).status_code == 404
    page = curator.see(f"/targets/{target.pk}/description")
    assert "The Site" in page
    assert "<i>Well" not in page
    invitation = Invitation.objects.get()
    _sent(curator, f"/targets/{target.pk}/verifications/{invitation.id}/take")
    assert Target.objects.get(pk=target.pk).dublin_core.title == "The Site"


def test_an_invitation_can_be_withdrawn(curator, visitor, desk):
    """So can the one before, by a new one."""
    target = desk.target(owner=curator.user)
    path = _ask(curator, target)
    invitation = Invitation.objects.get()
    _sent(curator, f"/targets/{target.pk}/verifications/{invitation.id}/revoke")
    assert visitor.get(path).status_code == 404
    _sent(curator, f"/targets/{target.pk}/ask", email="owner@site.example")
    _sent(curator, f"/targets/{target.pk}/ask", email="other@site.example")
    assert Invitation.objects.filter(revoked_at=None).get().email == "other@site.example"


@pytest.mark.parametrize("token", ["x", "x" * 500, "%F0%9F%95%B7", "..%2F"])
def test_a_link_that_nobody_sent_opens_nothing(visitor, db, token):
    """A calm page says so."""
    assert visitor.get(f"/verify/{token}").status_code == 404


@pytest.mark.parametrize("email", ["", "nobody", "a@b@c", "x" * 300 + "@site.example"])
def test_only_an_address_is_asked(curator, desk, email):
    """Nothing is sent elsewhere."""
    _sent(curator, f"/targets/{desk.target(owner=curator.user).pk}/ask", 422, email=email)
    assert not OutboxMessage.objects.exists()


def test_reasons_are_made_changed_and_deleted(enter, town):
    """By those who manage the reasons of an agency."""
    manager = enter("manager", privileges={Privilege.MANAGE_REASONS: Scope.AGENCY})
    assert "No reason yet" in manager.see("/admin/reasons")
    _sent(manager, "/admin/reasons/new", agency=town.library.id, name="Off topic", for_targets="on")
    row = RejectionReason.objects.get()
    assert (row.for_targets, row.for_harvests) == (True, False)
    assert "has this reason already" in _sent(
        manager, "/admin/reasons/new", 422, agency=town.library.id, name="Off topic"
    )
    _sent(manager, f"/admin/reasons/{row.id}", version=1, name="Out of scope", for_harvests="on")
    row.refresh_from_db()
    assert (row.name, row.for_targets, row.for_harvests) == ("Out of scope", False, True)
    _sent(manager, f"/rows/rejection-reason/{row.id}/delete")
    assert not RejectionReason.objects.exists()
