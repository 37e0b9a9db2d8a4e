"""The pages of targets: a curator's main place."""

import csv
import html
import io

import pytest

from opilio.curation.actions.rejection_reasons import create_reason
from opilio.curation.actions.target_moves import approve_target, nominate_target
from opilio.curation.models import ExcludedUrl, State, Target
from opilio.people.privileges import Privilege, Scope

CURATOR = {
    Privilege.CREATE_TARGET: Scope.AGENCY, Privilege.MODIFY_TARGET: Scope.AGENCY, Privilege.DELETE_TARGET: Scope.AGENCY,
    Privilege.SET_HARVEST_PROFILE_LV1: Scope.AGENCY,
}  # fmt: skip
ARCHIVIST = {
    **CURATOR, Privilege.APPROVE_TARGET: Scope.AGENCY, Privilege.CANCEL_TARGET: Scope.AGENCY,
    Privilege.REINSTATE_TARGET: Scope.AGENCY, Privilege.VIEW_AUDIT: Scope.AGENCY,
}  # fmt: skip
PARTS = ("", "/seeds", "/excluded", "/description", "/groups", "/access", "/notes", "/planned", "/history")
HOSTILE = "<script>alert(1)</script>“\"'&amp; \u202eevil 🕷️"


@pytest.fixture
def curator(enter):
    """May make and edit targets of the library."""
    return enter("curator", privileges=CURATOR)


@pytest.fixture
def archivist(enter):
    """May decide about them too."""
    return enter("archivist", privileges=ARCHIVIST)


def _saved(browser, path, **fields):
    answer = browser.send(path, fields)
    assert answer.status_code == 302, answer.content.decode()
    return answer["Location"]


def _refused(browser, path, status, **fields):
    answer = browser.send(path, fields)
    assert answer.status_code == status, answer.status_code
    return html.unescape(answer.content.decode())


def test_a_new_target_leads_to_its_seeds(curator, town):
    """It is pending, its maker's, and asks where to start."""
    where = _saved(curator, "/targets/new", agency=town.library.id, name="Harbour news", display="on")
    target = Target.objects.get(name="Harbour news")
    assert where == f"/targets/{target.pk}/seeds"
    assert (target.state, target.owner_id, target.agency_id) == (State.PENDING, curator.user.id, town.library.id)
    assert "No seed yet" in curator.see(where)


def test_a_name_is_taken_once_in_an_agency(curator, desk, town):
    """The form says so and keeps what was typed."""
    desk.target(name="Harbour news")
    told = _refused(
        curator, "/targets/new", 422, agency=town.library.id, name="Harbour news", description="Ships and tides."
    )
    assert "one of this name already" in told
    assert "Ships and tides." in told


def test_the_list_narrows_by_words_state_owner_group_and_seed(curator, desk, town, django_assert_max_num_queries):
    """Each filter leaves what fits, in at most fifteen questions to the database."""
    ours = desk.target(name="Harbour news", owner=curator.user, seeds=["http://harbour.example/"], reference="H-1")
    desk.target(name="Tide tables", state=State.APPROVED, assigned_to=curator.user)
    desk.target(name="Foreign", agency=town.museum)
    group = desk.group(ours)
    for query in ({"q": "H-1"}, {"state": "1"}, {"owner": str(curator.user.id)}, {"group": str(group.pk)},
                  {"seed": "harbour.ex"}):  # fmt: skip
        page = curator.see("/targets", **query)
        assert "Harbour news" in page, query
        assert "Tide tables" not in page, query
    assert "Tide tables" in curator.see("/targets", assigned=str(curator.user.id))
    with django_assert_max_num_queries(15):
        page = curator.see("/targets")
    assert "http://harbour.example/" in page
    assert "Foreign" not in page


def test_a_bad_filter_is_told(curator):
    """Instead of showing everything."""
    assert "Choose one of the list." in curator.see("/targets", group="x")
    assert "Choose one of the list." in curator.see("/targets", state="99")


def test_the_list_sorts_and_exports(curator, desk):
    """The file holds what the list shows, and formulas are defused."""
    desk.target(name="=1+1", seeds=["http://a.example/"])
    desk.target(name="Zebra")
    answer = curator.get("/targets", {"format": "csv", "sort": "-name"})
    rows = list(csv.reader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))
    assert [row[0] for row in rows[1:]] == ["Zebra", "'=1+1"]


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_a_target_opens_quickly_and_runs_no_script(archivist, desk, part, django_assert_max_num_queries):
    """Whatever was written into its fields."""
    target = desk.target(name=HOSTILE[:200], description=HOSTILE, evaluation_note=HOSTILE, state=State.APPROVED,
                         owner=archivist.user)  # fmt: skip
    seed = desk.seed(target, "http://www.site.example/", append="<b>x</b>")
    desk.link(seed, desk.permission("http://www.site.example/*", display_name=HOSTILE[:32]))
    ExcludedUrl.objects.create(target=target, url="http://x.example/", reason=HOSTILE, created=desk.now,
                               updated=desk.now)  # fmt: skip
    desk.group(target, name=HOSTILE[:200])
    archivist.see(f"/targets/{target.pk}{part}")
    with django_assert_max_num_queries(15):
        page = archivist.see(f"/targets/{target.pk}{part}")
    assert "<script>alert(1)" not in page
    assert "<b>x</b>" not in page


def test_the_page_says_what_is_missing_for_approval(archivist, desk):
    """And refuses the approval with the same words."""
    target = desk.target(seeds=["http://one.example/"])
    page = html.unescape(archivist.see(f"/targets/{target.pk}"))
    problem = "http://one.example/ is linked to no permission"
    assert problem in page
    assert problem in _refused(archivist, f"/targets/{target.pk}/move/approve", 409)
    assert Target.objects.get(pk=target.pk).state == State.PENDING


def test_the_page_offers_just_the_moves_that_one_may_make(curator, archivist, desk):
    """Each with what follows; for the others it names the privilege."""
    target = desk.approvable()
    page = curator.see(f"/targets/{target.pk}")
    assert f'action="/targets/{target.pk}/move/nominate"' in page
    assert f'action="/targets/{target.pk}/move/approve"' not in page
    assert "It needs the privilege APPROVE_TARGET" in page
    assert "its schedules are planned" in page
    assert f'action="/targets/{target.pk}/move/approve"' in archivist.see(f"/targets/{target.pk}")


def test_a_refused_approval_leads_back_to_the_target(archivist, desk):
    """Its page is where it can be mended; another host's page is no way back."""
    target = desk.target()
    page, move = f"/targets/{target.pk}", f"/targets/{target.pk}/move/approve"
    told = archivist.send(move, headers={"referer": f"http://testserver{page}"}).content.decode()
    assert "This is not possible as things stand" in told
    assert f'<a class="button primary" href="{page}">' in told
    assert (
        "Back to the page before" not in archivist.send(move, headers={"referer": "http://x.example/"}).content.decode()
    )


def test_an_approved_target_leads_to_its_schedules(archivist, desk):
    """Approval plans nothing by itself: the page says what comes next, and only then."""
    later = "Say when it is harvested"
    approved, pending = desk.target(state=State.APPROVED), desk.target()
    assert later in archivist.see(f"/targets/{approved.pk}")
    assert later not in archivist.see(f"/targets/{pending.pk}")


def test_a_target_goes_its_way_by_buttons(curator, archivist, desk, town):
    """Nominated, approved, cancelled, reinstated, rejected."""
    target = desk.approvable(owner=curator.user)
    reason = create_reason(town.system, agency_id=town.library.id, name="Off topic")
    path = f"/targets/{target.pk}/move"
    steps = [(curator, "nominate", {}), (archivist, "approve", {}), (archivist, "cancel", {}),
             (archivist, "reinstate", {}), (archivist, "reject", {"reason": reason.id, "note": "Later."})]  # fmt: skip
    states = [State.NOMINATED, State.APPROVED, State.CANCELLED, State.REINSTATED, State.REJECTED]
    for (browser, verb, fields), state in zip(steps, states, strict=True):
        assert browser.get(f"{path}/{verb}").status_code == 200
        _saved(browser, f"{path}/{verb}", **fields)
        assert Target.objects.get(pk=target.pk).state == state
    page = archivist.see(f"/targets/{target.pk}")
    assert "Off topic" in page
    assert "Later." in page


def test_a_rejection_asks_for_its_reason(archivist, desk):
    """Without one the form comes back."""
    target = desk.target()
    assert "One field needs another look" in _refused(archivist, f"/targets/{target.pk}/move/reject", 422)


@pytest.mark.parametrize(("verb", "status"), [("complete", 404), ("fly", 404), ("cancel", 409)])
def test_a_move_that_is_not_there_is_refused(archivist, desk, verb, status):
    """Moves of the system, unknown ones, and those of another state."""
    assert archivist.send(f"/targets/{desk.target().pk}/move/{verb}").status_code == status


def test_an_edit_by_a_curator_sends_an_approved_target_back(curator, desk, town):
    """The page warns first."""
    target = desk.approvable(owner=curator.user)
    approve_target(town.system, target_id=target.pk)
    version = Target.objects.get(pk=target.pk).version
    assert "goes back to those who approve" in curator.see(f"/targets/{target.pk}")
    _saved(curator, f"/targets/{target.pk}", version=version, name="Renamed", description="")
    target.refresh_from_db()
    assert (target.state, target.name) == (State.NOMINATED, "Renamed")


def test_two_editors_are_shown_both_versions(curator, desk):
    """Nothing is overwritten unseen."""
    target = desk.target(owner=curator.user)
    _saved(curator, f"/targets/{target.pk}", version=1, name="First")
    told = _refused(curator, f"/targets/{target.pk}", 409, version=1, name="Second")
    assert "Two versions of" in told
    assert Target.objects.get(pk=target.pk).name == "First"


def test_access_and_description_are_saved(curator, desk):
    """Zone, display and the elements of Dublin Core with ISBN, ISSN, date and rights."""
    target = desk.target(owner=curator.user)
    _saved(curator, f"/targets/{target.pk}/access", version=1, access_zone=2, display_note="Asked for by the owner.")
    elements = {"title": "Harbour", "creator": "Harbour office", "identifier_isbn": "978-3", "identifier_issn": "1234",
                "date": "2020/2026", "rights": "All reserved", "type": "Text"}  # fmt: skip
    _saved(curator, f"/targets/{target.pk}/description", version=0, **elements)
    target.refresh_from_db()
    assert (target.access_zone, target.display, target.display_note) == (2, False, "Asked for by the owner.")
    assert {name: getattr(target.dublin_core, name) for name in elements} == elements
    told = _refused(curator, f"/targets/{target.pk}/description", 409, version=0, title="Other")
    assert "Two versions of" in told


@pytest.mark.parametrize("field", ["name", "description", "selection_note", "reference"])
def test_a_text_that_is_too_long_is_refused(curator, desk, field):
    """With the field named."""
    target = desk.target(owner=curator.user)
    fields = {"name": "Fine", "version": 1, field: "x" * 4_001}
    assert "at most" in _refused(curator, f"/targets/{target.pk}", 422, **fields)


def test_a_reader_sees_a_target_and_changes_nothing(enter, desk):
    """The page says which privilege is missing."""
    reader = enter("reader", privileges={Privilege.SYSTEM_REPORT_LEVEL_1: Scope.AGENCY})
    target = desk.target(seeds=["http://www.site.example/"])
    assert "needs the privilege MODIFY_TARGET" in reader.see(f"/targets/{target.pk}")
    assert "Add a seed" not in reader.see(f"/targets/{target.pk}/seeds")
    assert reader.send(f"/targets/{target.pk}", {"version": 1, "name": "Mine"}).status_code == 403


def test_a_copy_is_pending_and_its_makers(curator, desk):
    """With the seeds and permissions of the original."""
    target = desk.approvable(state=State.APPROVED)
    where = _saved(curator, f"/targets/{target.pk}/copy", name="Twin")
    twin = Target.objects.get(name="Twin")
    assert where == f"/targets/{twin.pk}"
    assert (twin.state, twin.owner_id) == (State.PENDING, curator.user.id)
    assert twin.seeds.get().links.count() == 1


def test_several_targets_are_decided_upon_at_once(archivist, desk):
    """What cannot be approved is told, the rest is."""
    good, bad = desk.approvable(name="Good"), desk.target(name="Bad")
    answer = archivist.send("/targets", {"action": "approve", "row": [good.pk, bad.pk], "confirmed": "yes"})
    assert answer.status_code == 302
    page = html.unescape(archivist.see("/targets"))
    assert "1 target approved." in page
    assert "Bad cannot be approved" in page


def test_a_pending_target_is_deleted_from_its_page(curator, desk, town):
    """A nominated one is not."""
    target = desk.target(name="Short-lived", owner=curator.user)
    assert curator.send(f"/rows/target/{target.pk}/delete").status_code == 302
    assert not Target.objects.filter(pk=target.pk).exists()
    other = desk.target(owner=curator.user)
    nominate_target(town.system, target_id=other.pk)
    assert curator.send(f"/rows/target/{other.pk}/delete").status_code == 409


def test_notes_are_pinned_by_those_who_edit_a_target(curator, enter, desk):
    """And read by them; others are told whom they are for."""
    target = desk.target(owner=curator.user)
    _saved(
        curator, f"/rows/target/{target.pk}/notes", note="The owner moved house.", next=f"/targets/{target.pk}/notes"
    )
    assert "The owner moved house." in curator.see(f"/targets/{target.pk}/notes")
    reader = enter("reader", privileges={Privilege.SYSTEM_REPORT_LEVEL_1: Scope.AGENCY})
    assert "for those who may change it" in reader.see(f"/targets/{target.pk}/notes")
    remover = enter("remover", privileges={Privilege.DELETE_TARGET: Scope.AGENCY})
    assert remover.send(f"/rows/target/{target.pk}/notes", {"note": "Mine"}).status_code == 403


def test_the_page_of_plans_offers_a_harvest_now(archivist, desk):
    """Once the target is approved."""
    pending, approved = desk.target(), desk.approvable(state=State.APPROVED)
    assert "Harvest now" not in archivist.see(f"/targets/{pending.pk}/planned")
    assert "Harvest now" in archivist.see(f"/targets/{approved.pk}/planned")


def test_targets_are_found_by_whom_they_are_assigned_to(curator, desk):
    """Somebody, anybody or nobody."""
    desk.target(name="Mine to see", assigned_to=curator.user)
    desk.target(name="Left alone")
    for value, shown, hidden in (("any", "Mine to see", "Left alone"), ("none", "Left alone", "Mine to see")):
        page = curator.see("/targets", assigned=value)
        assert shown in page
        assert hidden not in page
    assert "Choose one of the list." in curator.see("/targets", assigned="me")
    assert "Left alone" in curator.see("/targets", group="none")


def test_groups_of_another_agency_stay_hidden(curator, desk, town):
    """On the tab and in the list."""
    target = desk.target(owner=curator.user)
    desk.group(target, name="Ours together")
    desk.group(target, name="Theirs in secret", agency=town.museum)
    for page in (curator.see(f"/targets/{target.pk}/groups"), curator.see("/targets")):
        assert "Ours together" in page
        assert "Theirs in secret" not in page


def test_the_search_box_finds_targets_and_seeds(curator, desk):
    """By name and by URL."""
    desk.target(name="Harbour news", seeds=["http://tide.example/"])
    assert "Harbour news" in curator.see("/search", q="harbour")
    assert "http://tide.example/" in curator.see("/search", q="tide.example")


def test_the_task_of_a_nomination_leads_to_the_target(archivist, desk, town):
    """From the in-tray."""
    target = desk.target()
    nominate_target(town.system, target_id=target.pk)
    assert f'href="/targets/{target.pk}"' in archivist.see("/in-tray")
