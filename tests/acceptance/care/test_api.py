"""Purge, fixity and takedowns for programs."""

import pytest

from opilio.curation.models import FixityCheck, HarvestState, Takedown
from opilio.jobs.models import Job
from opilio.people.privileges import Privilege, Scope
from tests.review_desk import at_home, crawled

NEW = {
    "level": "block", "reach": "url", "value": "http://example.org/a.html", "authority": "Court", "reason": "Order",
}  # fmt: skip


@pytest.fixture
def officer(office):
    return office.caller(privileges={Privilege.TAKEDOWN: Scope.AGENCY})


def _new(office, **changes):
    return {**NEW, "agency": str(office.library.pk), **changes}


def test_a_purge_is_shown_and_ordered(office, yard, settings, tmp_path):
    """What stands against it is told; an order is accepted."""
    home = at_home(settings, tmp_path)
    old = yard.sealed(home, state=HarvestState.REJECTED, archived_at=yard.now)
    caller = office.caller(privileges={Privilege.PURGE: Scope.AGENCY})
    told = caller.get(f"/harvests/{old.pk}/purge").json()
    assert (told["allowed"], told["why_not"], told["needed_by"]) == (True, "", [])
    assert told["bytes"] > 1_000
    assert caller.post(f"/harvests/{old.pk}/purge").status_code == 202
    assert Job.objects.filter(kind="curation.purge_harvest").count() == 1
    running = yard.harvested()
    assert caller.post(f"/harvests/{running.pk}/purge").status_code == 409
    assert office.caller(privileges={}).get(f"/harvests/{old.pk}/purge").status_code == 403


def test_readings_are_listed_shown_and_ordered(office, yard):
    """With their damaged files."""
    made = yard.harvested()
    damage = {"name": "warcs/a.warc.gz", "what": "The file is missing.", "repaired": False, "how": ""}
    row = FixityCheck(
        harvest=made, place="archive", begun_at=yard.now, ended_at=yard.now, files=3, bytes=9, damaged=1,
        details=[damage],
    )  # fmt: skip
    row.save()
    caller = office.caller(privileges={Privilege.ARCHIVE_HARVEST: Scope.AGENCY})
    (told,) = caller.get("/fixity", damaged="true").json()["items"]
    assert (told["harvest"], told["details"]) == (str(made.pk), [damage])
    assert caller.get(f"/fixity/{row.pk}").json()["files"] == 3
    assert caller.post("/fixity", {"harvest": str(made.pk)}).status_code == 202
    assert Job.objects.filter(kind="curation.check_fixity").count() == 1


def test_a_takedown_from_order_to_lifting(office, officer):
    """Ordered, listed, reviewed, proved and lifted by its version."""
    made = officer.post("/takedowns", _new(office, reference="C 12", review_on="2031-01-31"))
    assert made.status_code == 201, made.content
    row = made.json()
    assert (row["state"], row["review_on"]) == ("in-force", "2031-01-31")
    assert [one["id"] for one in officer.get("/takedowns").json()["items"]] == [row["id"]]
    base = f"/takedowns/{row['id']}"
    reviewed = officer.post(f"{base}/review", {"note": "Yes", "review_on": "2032-01-31", "version": row["version"]})
    assert reviewed.json()["review_on"] == "2032-01-31"
    assert officer.post(f"{base}/proofs", {"place": "backups", "what": "Wiped"}).status_code == 201
    assert [one["place"] for one in officer.get(f"{base}/proofs").json()] == ["review", "backups"]
    assert officer.post(f"{base}/lift", {"why": "Over", "version": row["version"]}).status_code == 409
    lifted = officer.post(f"{base}/lift", {"why": "Over", "version": reviewed.json()["version"]})
    assert lifted.json()["state"] == "lifted"


def test_a_destruction_waits_for_a_second_caller(office, officer):
    """The first cannot confirm."""
    row = officer.post("/takedowns", _new(office, level="destroy")).json()
    assert row["state"] == "proposed"
    assert officer.post(f"/takedowns/{row['id']}/confirm").status_code == 403
    second = office.caller(privileges={Privilege.TAKEDOWN: Scope.AGENCY})
    assert second.post(f"/takedowns/{row['id']}/confirm").json()["state"] == "in-force"


def test_a_preview_orders_nothing(office, officer, yard, settings, tmp_path):
    """It counts captures; other agencies are not looked into."""
    made = yard.sealed(at_home(settings, tmp_path))
    found = officer.post("/takedowns/preview", _new(office, value=crawled().url("/owls.html"))).json()
    assert (found["captures"], [one["harvest"] for one in found["harvests"]]) == (1, [str(made.pk)])
    assert not Takedown.objects.exists()
    assert officer.post("/takedowns/preview", _new(office, agency=str(office.museum.pk))).status_code == 403
    row = officer.post("/takedowns", _new(office, value=crawled().url("/owls.html"))).json()
    assert officer.get(f"/takedowns/{row['id']}/reach").json()["captures"] == 1


@pytest.mark.parametrize(
    "changes",
    [{"reach": "pattern", "value": "("}, {"level": "burn"}, {"value": 7}, {"reason": "x" * 4_001}, {"authority": ""},
     {"captured_from": "yesterday"}, {"agency": "-1"}, {"reach": "all"}],
)  # fmt: skip
def test_bad_orders_are_refused(office, officer, changes):
    """With the field that is wrong; nothing is kept."""
    assert officer.post("/takedowns", _new(office, **changes)).status_code in (400, 422)
    assert not Takedown.objects.exists()


def test_takedowns_of_another_agency_are_hidden(office, officer):
    """They cannot even be found."""
    other = office.caller(agency=office.museum, privileges={Privilege.TAKEDOWN: Scope.AGENCY})
    row = officer.post("/takedowns", _new(office)).json()
    assert other.get(f"/takedowns/{row['id']}").status_code == 404
    assert other.get("/takedowns").json()["items"] == []
