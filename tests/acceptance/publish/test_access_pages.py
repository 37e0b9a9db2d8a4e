"""The pages about publishing and who sees what: reading rooms, display of a harvest, publications, new fields."""

import pytest

from opilio.curation.models import Group, Harvest, HarvestEvent, Publication, ReadingRoom, Target
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.pages.conftest import Visitor, enter, ready_roles, town
from tests.review_desk import ReviewDesk

__all__ = ["Visitor", "enter", "ready_roles", "town"]

pytestmark = pytest.mark.only_on("sqlite")
HOSTILE = '<script>alert("x")</script>\u202e 🦉'
AGENCY = Scope.AGENCY


@pytest.fixture
def desk(town):
    return ReviewDesk(town)


@pytest.fixture
def manager(enter):
    """Somebody who looks after the agency."""
    return enter("manager", privileges={Privilege.MANAGE_AGENCIES: AGENCY})


@pytest.fixture
def reviewer(enter):
    return enter("reviewer", privileges={Privilege.ENDORSE_HARVEST: AGENCY, Privilege.MODIFY_TARGET: AGENCY,
                                         Privilege.MANAGE_GROUP: AGENCY})  # fmt: skip


@pytest.fixture
def publisher(enter):
    return enter("publisher", privileges={Privilege.PUBLISH_INDEX: AGENCY})


def test_a_reading_room_is_made_and_changed(manager, town):
    """Networks come into one form; what is none is told by its line; the list says what to do when it is empty."""
    assert "Make the first" in manager.see("/admin/reading-rooms")
    sent = {"agency": town.library.id, "name": HOSTILE, "networks": "192.0.2.7/24\n\n2001:db8::1", "active": "on"}
    answer = manager.send("/admin/reading-rooms/new", sent)
    assert answer.status_code == 302, answer.content.decode()
    row = ReadingRoom.objects.get()
    assert row.networks.split() == ["192.0.2.0/24", "2001:db8::1/128"]
    text = manager.see("/admin/reading-rooms")
    assert "<script>alert" not in text
    assert "192.0.2.0/24" in text
    answer = manager.send(f"/admin/reading-rooms/{row.pk}", {"name": "Hall", "networks": "10.0.0.0/8", "version": 1})
    assert answer.status_code == 302
    row.refresh_from_db()
    assert (row.name, row.networks, row.active) == ("Hall", "10.0.0.0/8", False)
    stale = manager.send(f"/admin/reading-rooms/{row.pk}", {"name": "Nave", "networks": "10.0.0.0/8", "version": 1})
    assert "Hall" in stale.content.decode()
    assert ReadingRoom.objects.get().name == "Hall"


@pytest.mark.parametrize("networks", ["", "reading room", "192.0.2.0/33", "0.0.0.0/0", "::/0", "1.2.3\n10.0.0.0/8",
                                      "10.0.0.0/8\x00", "x" * 9_000])  # fmt: skip
def test_networks_that_cannot_be_meant_are_refused(manager, town, networks):
    """With words beside the field, and without a room."""
    sent = {"agency": town.library.id, "name": "Hall", "networks": networks, "active": "on"}
    answer = manager.send("/admin/reading-rooms/new", sent)
    assert answer.status_code in (200, 422), answer.status_code
    assert not ReadingRoom.objects.exists()


def test_a_harvest_is_kept_from_readers(reviewer, desk):
    """Its page says so, its log says why, and the form tells of somebody else's change."""
    row = desk.harvested(desk.ready(agency=desk.town.library))
    base = f"/harvests/{row.pk}"
    assert "Display …" in reviewer.see(base)
    answer = reviewer.send(f"{base}/display", {"note": HOSTILE, "version": row.version})
    assert answer.status_code == 302, answer.content.decode()
    row = Harvest.objects.get(pk=row.pk)
    assert (row.display, row.display_note) == (False, HOSTILE)
    assert HarvestEvent.objects.filter(harvest=row, name="not displayed", reason=HOSTILE).exists()
    text = reviewer.see(base)
    assert "Readers are not shown it" in text
    assert "<script>alert" not in text
    reviewer.send(f"{base}/display", {"display": "on", "note": "", "version": 1})
    assert not Harvest.objects.get(pk=row.pk).display, "made from an older version"
    assert reviewer.send(f"{base}/display", {"note": "x" * 5_000, "version": row.version}).status_code != 302


def test_others_do_not_see_the_button(enter, desk):
    """Whoever may not review a harvest may not say who is shown it."""
    row = desk.harvested(desk.ready(agency=desk.town.library))
    other = enter("other", privileges={Privilege.MODIFY_TARGET: AGENCY})
    assert "Display …" not in other.see(f"/harvests/{row.pk}")
    assert other.send(f"/harvests/{row.pk}/display", {"note": "", "version": 1}).status_code == 403
    assert Harvest.objects.get(pk=row.pk).display


def test_publications_are_started_and_shown(publisher, desk):
    """The list tells what the next one would bring; one under way cannot be started twice."""
    assert "Nothing was published yet" in publisher.see("/publications")
    answer = publisher.send("/publications/start")
    row = Publication.objects.get()
    assert answer.headers["Location"] == f"/publications/{row.pk}"
    assert "is under way" in publisher.see("/publications")
    assert publisher.send("/publications/start").status_code == 409
    row.ended_at, row.state, row.generation, row.results = row.begun_at, "done", "g1", 1
    row.details = {
        "results": {"7": 2}, "documents": 1_234, "nodes": [
            {"node": "primary", "role": "primary", "outcome": "switched", "error": ""},
            {"node": "backup", "role": "backup", "outcome": "failed", "error": HOSTILE}],
        "left_out": [{"harvest": "8", "why": HOSTILE}],
    }  # fmt: skip
    row.save()
    text = publisher.see(f"/publications/{row.pk}")
    assert "1,234" in text
    assert "primary" in text
    assert "<script>alert" not in text
    Publication(begun_at=row.begun_at, ended_at=row.begun_at, state="done", by="x", details={"documents": 9}).save()
    assert "Pages that readers find" in publisher.see("/publications")
    assert "done" in publisher.see("/publications", state="done")
    assert publisher.get("/publications/999").status_code == 404


def test_targets_and_groups_say_more(reviewer, desk):
    """Days of embargo stand under Access; what is compared and pruned again stands among the details."""
    target = desk.target(agency=desk.town.library)
    sent = {"version": target.version, "access_zone": 0, "embargo_days": 30, "display": "on"}
    assert reviewer.send(f"/targets/{target.pk}/access", sent).status_code == 302
    assert Target.objects.get(pk=target.pk).embargo_days == 30
    sent = {"version": target.version + 1, "name": target.name, "follow_reference": "on", "prune_again": "on"}
    assert reviewer.send(f"/targets/{target.pk}", sent).status_code == 302
    assert Target.objects.filter(pk=target.pk, follow_reference=True, prune_again=True, embargo_days=30).exists()
    group = desk.group(agency=desk.town.library)
    sent = {"version": group.version, "access_zone": 0, "embargo_days": "-1", "display": "on"}
    assert reviewer.send(f"/groups/{group.pk}/access", sent).status_code != 302
    assert reviewer.send(f"/groups/{group.pk}/access", {**sent, "embargo_days": ""}).status_code == 302
    assert Group.objects.get(pk=group.pk).embargo_days is None
