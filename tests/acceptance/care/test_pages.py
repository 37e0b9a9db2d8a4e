"""The pages of purge, fixity and takedowns, as people use them."""

import json

import pytest

from opilio.curation.models import FixityCheck, HarvestState, Takedown, TakedownState
from opilio.jobs.models import Job
from opilio.people.privileges import Privilege, Scope
from tests.review_desk import crawled

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def officer(enter):
    return enter("officer", privileges={Privilege.TAKEDOWN: Scope.AGENCY})


def _form(town, **changes):
    return {
        "agency": town.library.pk, "level": "block", "reach": "url", "value": "http://example.org/a.html",
        "authority": "Court of the county", "reason": "Personal data", "reference": "C 12", **changes,
    }  # fmt: skip


def test_what_may_be_purged_is_listed_previewed_and_ordered(enter, desk, home):
    """The list says what may go and why not; the page of one shows its size; the button makes a job."""
    old = desk.sealed(home, state=HarvestState.REJECTED, archived_at=desk.now)
    young = desk.harvested(state=HarvestState.ARCHIVED, archived_at=desk.now)
    purger = enter("purger", privileges={Privilege.PURGE: Scope.AGENCY})
    listed = purger.see("/admin/purge")
    assert "may go" in listed
    assert "receipt" in listed
    page = purger.see(f"/admin/purge/{old.pk}")
    assert "WARC files, texts of pages" in page
    assert "danger" in page
    assert "danger" not in purger.see(f"/admin/purge/{young.pk}").split("</h1>")[1]
    assert purger.send(f"/admin/purge/{old.pk}").status_code == 302
    assert Job.objects.filter(kind="curation.purge_harvest").count() == 1
    refused = purger.send(f"/admin/purge/{young.pk}")
    assert refused.status_code == 409


def test_fixity_is_a_report_with_a_plot(enter, desk):
    """Numbers above, readings below, each with its damaged files; hostile names stay text; one can be read anew."""
    made = desk.harvested()
    archivist = enter("archivist", privileges={Privilege.ARCHIVE_HARVEST: Scope.AGENCY})
    assert "Nothing was read yet" in archivist.see("/fixity")
    row = FixityCheck(
        harvest=made, place="archive", begun_at=desk.now, ended_at=desk.now, files=3, bytes=12_345, damaged=1,
        details=[{"name": HOSTILE, "what": "The file is missing.", "repaired": False, "how": "No other copy."}],
    )  # fmt: skip
    row.save()
    page = archivist.see("/fixity")
    assert "1 has damage" in page
    assert "1 damaged" in page
    one = archivist.see(f"/fixity/{row.pk}")
    assert HOSTILE not in one
    assert "&lt;script&gt;" in one
    assert archivist.send(f"/harvests/{made.pk}/fixity").status_code == 302
    assert Job.objects.filter(kind="curation.check_fixity").count() == 1
    assert b",12345" in b"".join(archivist.get("/fixity", {"format": "csv"}).streaming_content)


def test_a_takedown_is_previewed_then_ordered(officer, town, desk, home):
    """The preview keeps what was typed and orders nothing; the order leads to its page."""
    made = desk.sealed(home)
    form = _form(town, value=crawled().url("/owls.html"), harvest=made.pk)
    seen = officer.send("/takedowns/new", {**form, "preview": "yes"})
    text = seen.content.decode()
    assert "1 capture in 1 of 1 harvest" in text
    assert "Personal data" in text
    assert not Takedown.objects.exists()
    ordered = officer.send("/takedowns/new", form)
    row = Takedown.objects.get()
    assert ordered["Location"] == f"/takedowns/{row.pk}"
    page = officer.see(f"/takedowns/{row.pk}")
    assert "in force" in page
    assert "Court of the county" in page
    assert "owls.html" in officer.see(f"/takedowns/{row.pk}/reach")
    assert "owls.html" in officer.see("/takedowns")


def test_faults_stand_beside_their_fields(officer, town):
    """Nothing typed is lost, and the status says that it was refused."""
    answered = officer.send("/takedowns/new", _form(town, reach="pattern", value="(", reason="Kept text"))
    text = answered.content.decode()
    assert answered.status_code in (400, 422)
    assert "pattern cannot be used" in text
    assert "Kept text" in text
    assert officer.send("/takedowns/new", _form(town, authority="")).status_code == 422
    assert not Takedown.objects.exists()


def test_a_destruction_is_confirmed_by_another_person(officer, enter, town, desk):
    """The proposer sees no button; the second person does; then jobs wait."""
    desk.harvested()
    officer.send("/takedowns/new", _form(town, level="destroy"))
    row = Takedown.objects.get()
    assert "Confirm: destroy it" not in officer.see(f"/takedowns/{row.pk}")
    assert officer.send(f"/takedowns/{row.pk}/confirm").status_code == 403
    second = enter("second", privileges={Privilege.TAKEDOWN: Scope.AGENCY})
    assert "Confirm: destroy it" in second.see(f"/takedowns/{row.pk}")
    assert second.send(f"/takedowns/{row.pk}/confirm").status_code == 302
    row.refresh_from_db()
    assert row.state == TakedownState.IN_FORCE
    assert "1 harvest still waits" in second.see(f"/takedowns/{row.pk}")


def test_a_takedown_is_reviewed_proved_and_lifted(officer, town):
    """Each step is written down and shown; the document of proof has them all; a stale form is compared."""
    officer.send("/takedowns/new", _form(town, reason=f"Data {HOSTILE}"))
    row = Takedown.objects.get()
    base = f"/takedowns/{row.pk}"
    officer.send(f"{base}/review", {"version": 1, "note": "Still needed", "review_on": "2031-01-31"})
    officer.send(f"{base}/prove", {"place": "backups", "what": "Tape 7 was wiped", "done": "on"})
    page = officer.see(base)
    assert all(words in page for words in ("Still needed", "Tape 7 was wiped", "2031-01-31"))
    assert HOSTILE not in page
    assert officer.send(f"{base}/lift", {"version": 1, "why": "Over"}).status_code == 409
    row.refresh_from_db()
    assert officer.send(f"{base}/lift", {"version": row.version, "why": "Over"}).status_code == 302
    assert "lifted" in officer.see(base)
    told = json.loads(officer.see(f"{base}/proof.json"))
    assert [proof["place"] for proof in told["proofs"]] == ["review", "backups"]
    assert told["lifted_why"] == "Over"


def test_a_damaged_harvest_says_so_on_the_pages_of_its_results(enter, desk):
    """Whoever reviews learns that files cannot be read."""
    made = desk.harvested()
    FixityCheck(
        harvest=made, place="harvest folder", begun_at=desk.now, ended_at=desk.now, files=1, damaged=1,
        details=[{"name": "warcs/a.warc.gz", "what": "The file is missing.", "repaired": False, "how": ""}],
    ).save()  # fmt: skip
    reviewer = enter("reviewer", privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY})
    assert "warcs/a.warc.gz" in reviewer.see(f"/results/{made.results.get().pk}")
