"""The pages of depositories and deposits."""

from opilio.curation.actions.deposits import archive_harvest, give_up_deposit
from opilio.curation.models import Deposit, Depository, Harvest
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.deposits.conftest import ASKED

HOSTILE = "<script>alert(1)</script> \u202eabc 🦉"


def test_a_depository_is_made_changed_and_tried(archivist, home):
    """Its secret is never shown; the form of its deposits comes back as it was written."""
    empty = archivist.see("/admin/depositories")
    assert "No depository yet" in empty
    written = "series; Series; text; required\nkind; Kind; choice; ; web, blog"
    given = {"name": HOSTILE, "kind": "directory", "place": str(home / "depositories" / "a"), "form": "bag",
             "agency": "0", "timeout": "60", "active": "on", "questions": written,
             "secret": "reed-password"}  # fmt: skip
    made = archivist.send("/admin/depositories/new", given)
    row = Depository.objects.get()
    assert (made.status_code, made["Location"]) == (302, f"/admin/depositories/{row.pk}")
    assert [one["name"] for one in row.questions] == ["series", "kind"]
    page = archivist.see(made["Location"])
    assert "<script>alert" not in page
    assert "reed-password" not in page
    assert written in page.replace("&amp;", "&")
    tried = archivist.send(f"/admin/depositories/{row.pk}/try")
    assert "can be written to" in archivist.see(tried["Location"])
    changed = {**given, "name": "Cellar", "version": str(row.version), "secret": ""}
    assert archivist.send(f"/admin/depositories/{row.pk}", changed).status_code == 302
    stale = archivist.send(f"/admin/depositories/{row.pk}", {**changed, "name": "Loft"})
    assert stale.status_code == 409
    assert "Cellar" in archivist.see("/admin/depositories")
    assert b"Cellar" in b"".join(archivist.get("/admin/depositories", {"format": "csv"}))


def test_what_cannot_be_used_is_told_beside_its_field(archivist):
    """And nothing is made."""
    given = {"name": "Cellar", "kind": "directory", "place": "/etc", "form": "bag", "agency": "0", "timeout": "60"}
    refused = archivist.send("/admin/depositories/new", given)
    assert refused.status_code == 422
    assert "deposit_folders" in refused.content.decode()
    odd = archivist.send("/admin/depositories/new", {**given, "questions": "A B; ; odd"})
    assert "lower-case" in odd.content.decode()
    assert not Depository.objects.exists()


def test_a_depository_that_cannot_be_reached_says_so(archivist, desk, home):
    """On its page, whatever is wrong with it."""
    row = desk.depository(home, kind="http", place="https://archive.invalid/in")
    tried = archivist.send(f"/admin/depositories/{row.pk}/try")
    assert "It cannot be used" in archivist.see(tried["Location"])


def test_a_harvest_is_archived_from_its_page(archivist, desk, home):
    """The depository's questions are asked; wrong answers are told beside them."""
    harvest, result = desk.rows()
    row = desk.depository(home, questions=ASKED)
    desk.depository(home, name="Attic")
    page = archivist.see(f"/harvests/{harvest.pk}/archive", depository=row.pk)
    assert "Series" in page
    assert "Reference number" in page
    path = f"/harvests/{harvest.pk}/archive?depository={row.pk}"
    bad = archivist.send(path, {"version": str(harvest.version), "answer-kind": "web"})
    assert bad.status_code == 422
    assert Harvest.objects.get(pk=harvest.pk).state == "endorsed"
    good = {"version": str(harvest.version), "answer-series": HOSTILE, "answer-day": "2026-03-01", "answer-open": "yes",
            "reference": "REF-1"}  # fmt: skip
    done = archivist.send(path, good)
    assert done["Location"] == f"/results/{result.pk}/deposits"
    made = Deposit.objects.get()
    assert made.answers == {"series": HOSTILE, "day": "2026-03-01", "open": "yes"}
    page = archivist.see(done["Location"])
    assert "waiting" in page
    assert "<script>alert" not in page
    assert "An agent is at it." in archivist.see(f"/harvests/{harvest.pk}/archive")


def test_a_deposit_is_given_up_and_tried_again(archivist, desk):
    """From the page of the result, which tells what went wrong."""
    harvest, result = desk.rows()
    made = archive_harvest(desk.town.system, harvest_id=harvest.pk)
    archivist.send(f"/deposits/{made.pk}/give-up", {"reason": HOSTILE})
    page = archivist.see(f"/results/{result.pk}/deposits")
    assert "Try again" in page
    assert "gave it up: &lt;script&gt;" in page
    again = archivist.send(f"/deposits/{made.pk}/retry")
    assert again["Location"] == f"/results/{result.pk}/deposits"
    assert Harvest.objects.get(pk=harvest.pk).state == "archiving"


def test_a_receipt_is_shown(archivist, desk):
    """With what was read again."""
    harvest, result = desk.rows()
    made = archive_harvest(desk.town.system, harvest_id=harvest.pk)
    receipt = {"answer": {"where": "s3://owls/1"}, "needed": 7,
               "check": {"ok": True, "how": "Every object was read again.", "files": 12, "bytes": 99}}  # fmt: skip
    Deposit.objects.filter(pk=made.pk).update(state="done", archive_id="owls-1", receipt=receipt, size=99)
    page = archivist.see(f"/results/{result.pk}/deposits")
    for words in ("owls-1", "s3://owls/1", "Every object was read again.", "12 files", "7 captures need bodies"):
        assert words in page


def test_the_list_of_deposits_is_filtered(archivist, desk):
    """By state and words; with an empty state that says what to do."""
    assert "Nothing was archived yet" in archivist.see("/deposits")
    harvest, _ = desk.rows()
    made = archive_harvest(desk.town.system, harvest_id=harvest.pk)
    give_up_deposit(desk.town.system, deposit_id=made.pk)
    assert "Owls" in archivist.see("/deposits", state="failed", q="owls")
    assert "Owls" not in archivist.see("/deposits", state="done").partition("<main")[2].partition("<tbody")[2]


def test_without_the_privilege_nobody_archives(enter, desk):
    """The page says what is missing, and the form is refused."""
    harvest, result = desk.rows()
    reader = enter("reader", privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY})
    assert "ARCHIVE_HARVEST" in reader.see(f"/harvests/{harvest.pk}/archive")
    refused = reader.send(f"/harvests/{harvest.pk}/archive", {"version": str(harvest.version)})
    assert refused.status_code == 403
    assert "Archive …" not in reader.see(f"/results/{result.pk}/deposits")


def test_what_is_not_endorsed_says_what_to_do(archivist, desk):
    """First a result has to be endorsed."""
    harvest = desk.harvested()
    assert "endorse one of its results first" in archivist.see(f"/harvests/{harvest.pk}/archive")
