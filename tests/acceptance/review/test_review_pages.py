"""The pages of review: the list of what waits, one result, the forms of decisions, the results of a harvest."""

import html

import pytest

from opilio.curation.models import (
    Advice,
    Assessment,
    Harvest,
    HarvestState,
    ModificationNote,
    Result,
    ResultState,
    Target,
)
from opilio.people.privileges import Privilege, Scope

HOSTILE = "<script>alert(1)</script> \u202eabc 🦉 " + "x" * 200


def result_of(harvest, number=1):
    return Result.objects.get(harvest=harvest, number=number)


def assessed(desk, row, advice=Advice.LOOK, headline="Look at 3 pages.", **fields):
    Assessment(
        result=row, made_at=desk.now, advice=advice, headline=headline, pages=9, completeness=0.97, **fields
    ).save()  # fmt: skip


def test_the_list_shows_what_waits_and_the_doubtful_first(desk, reviewer):
    """With what is recommended and why; what was decided stands under All results."""
    good, bad = desk.harvested(desk.ready(name="Owls")), desk.harvested(desk.ready(name="Herons"))
    done = desk.harvested(desk.ready(name="Foxes"), results=0, state=HarvestState.ENDORSED)
    desk.result(done, state=ResultState.ENDORSED)
    assessed(desk, result_of(good), Advice.ENDORSE, "As the last time.")
    assessed(desk, result_of(bad), Advice.REJECT, "Nearly nothing was captured.")
    page = reviewer.see("/review")
    assert page.index("Herons") < page.index("Owls")
    assert "Nearly nothing was captured." in page
    assert "97%" in page
    assert "Foxes" not in page
    assert "Foxes" in reviewer.see("/review/all")
    assert "Owls" not in reviewer.see("/review", advice="reject")


def test_the_list_asks_few_questions(desk, reviewer, django_assert_max_num_queries):
    """However many results there are."""
    for _ in range(4):
        assessed(desk, result_of(desk.harvested(results=2)))
    with django_assert_max_num_queries(22):
        reviewer.see("/review")


def test_an_empty_list_says_what_comes(desk, reviewer):
    """And what to do next."""
    assert "Nothing waits for review" in reviewer.see("/review")


def test_the_list_comes_as_csv(desk, reviewer):
    """For a spreadsheet; formulas in it are not run."""
    assessed(desk, result_of(desk.harvested(desk.ready(name="=1+1"))))
    answer = reviewer.get("/review", {"format": "csv"})
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert answer["Content-Type"].startswith("text/csv")
    assert b"'=1+1" in body
    assert b"Look at 3 pages." in body


def test_a_result_shows_where_it_came_from(desk, reviewer, django_assert_max_num_queries):
    """The recommendation, decisions, provenance, and the tree of results; hostile text is only text."""
    harvest = desk.harvested(desk.ready(name="Owls"), results=3, reason=HOSTILE)
    row = result_of(harvest, 2)
    Result.objects.filter(pk=row.pk).update(provenance_note=HOSTILE)
    ModificationNote(result=row, position=0, note=f"pruned {HOSTILE}").save()
    assessed(desk, row, headline=HOSTILE)
    with django_assert_max_num_queries(30):
        page = reviewer.see(f"/results/{row.pk}")
    assert "<script>alert(1)" not in page
    assert html.escape("<script>alert(1)</script>") in page
    assert all(f"Result {number}" in page for number in (1, 2, 3))
    for verb in ("endorse", "reject", "undo"):
        assert f"/results/{row.pk}/decide/{verb}" in page
    assert f"/results/{row.pk}/decide/undo" not in reviewer.see(f"/results/{result_of(harvest).pk}")


def test_a_result_is_endorsed_by_its_page(desk, reviewer):
    """The form carries the version that was seen."""
    row = result_of(desk.harvested())
    assert "It is good" in reviewer.see(f"/results/{row.pk}/decide/endorse")
    answer = reviewer.send(f"/results/{row.pk}/decide/endorse", {"note": "Good.", "version": row.version})
    assert answer.status_code == 302, answer.content
    page = reviewer.see(f"/results/{row.pk}")
    assert "Endorsed." in page
    assert f"/results/{row.pk}/decide/unendorse" in page


def test_the_second_reviewer_is_told_what_the_first_did(desk, reviewer, enter):
    """Nothing is changed; the form says how the result stands now."""
    row, reason = result_of(desk.harvested()), desk.reason()
    other = enter("archivist", privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY})
    form = {"reason": reason.pk, "note": "", "version": row.version}
    assert other.send(f"/results/{row.pk}/decide/reject", form).status_code == 302
    answer = reviewer.send(f"/results/{row.pk}/decide/endorse", {"note": "", "version": row.version})
    assert answer.status_code == 409
    assert "it is rejected now" in answer.content.decode()
    assert result_of(row.harvest).state == ResultState.REJECTED


def test_a_rejection_asks_for_its_reason(desk, reviewer):
    """From the list of the agency; without one the form comes back."""
    harvest = desk.harvested()
    row, reason = result_of(harvest), desk.reason(name="Mostly login pages")
    page = reviewer.see(f"/results/{row.pk}/decide/reject")
    assert "Mostly login pages" in page
    refused = reviewer.send(f"/results/{row.pk}/decide/reject", {"version": row.version})
    assert refused.status_code == 422
    done = reviewer.send(f"/results/{row.pk}/decide/reject", {"version": row.version, "reason": reason.pk})
    assert done.status_code == 302
    assert Harvest.objects.get(pk=harvest.pk).state == HarvestState.REJECTED


def test_an_endorsement_is_taken_back_and_a_derived_result_undone(desk, reviewer):
    """Each by its form."""
    harvest = desk.harvested(results=2)
    row = result_of(harvest, 2)
    reviewer.send(f"/results/{row.pk}/decide/endorse", {"version": row.version})
    row.refresh_from_db()
    reviewer.send(f"/results/{row.pk}/decide/unendorse", {"version": row.version, "note": "Look again."})
    row.refresh_from_db()
    assert row.state == ResultState.UNASSESSED
    done = reviewer.send(f"/results/{row.pk}/decide/undo", {"version": row.version, "why": "Too much is gone."})
    assert done.status_code == 302
    row.refresh_from_db()
    assert row.change["undo"]["why"] == "Too much is gone."
    assert "It is being undone." in reviewer.see(f"/results/{row.pk}")


def test_the_provenance_is_changed_and_events_are_shown(desk, reviewer):
    """Both sides of a conflict are kept."""
    row = result_of(desk.harvested())
    done = reviewer.send(f"/results/{row.pk}/provenance", {"version": row.version, "note": "From the second try."})
    assert done.status_code == 302
    stale = reviewer.send(f"/results/{row.pk}/provenance", {"version": row.version, "note": "Mine."})
    assert stale.status_code == 409
    assert "No event yet" in reviewer.see(f"/results/{row.pk}/events")
    row.refresh_from_db()
    reviewer.send(f"/results/{row.pk}/decide/endorse", {"version": row.version})
    assert "appraisal" in reviewer.see(f"/results/{row.pk}/events")


def test_a_harvest_shows_its_results_and_is_decided_whole(desk, reviewer):
    """The overview leads there; the newest is endorsed, or all are rejected."""
    harvest = desk.harvested(results=2)
    assert f"/harvests/{harvest.pk}/results" in reviewer.see(f"/harvests/{harvest.pk}")
    assert "Endorse the newest" in reviewer.see(f"/harvests/{harvest.pk}/results")
    assert reviewer.send(f"/harvests/{harvest.pk}/decide/endorse", {"note": "x"}).status_code == 302
    assert result_of(harvest, 2).state == ResultState.ENDORSED
    other, reason = desk.harvested(), desk.reason()
    assert reviewer.send(f"/harvests/{other.pk}/decide/reject", {"reason": reason.pk}).status_code == 302
    assert Harvest.objects.get(pk=other.pk).state == HarvestState.REJECTED
    assert reviewer.get(f"/harvests/{other.pk}/decide/eat").status_code == 404
    assert "No result yet" in reviewer.see(f"/harvests/{desk.harvest().pk}/results")


def test_the_reference_is_chosen_and_a_target_delisted(desk, reviewer):
    """From the page of a result."""
    harvest = desk.harvested()
    desk.schedule(harvest.abstract_target)
    reviewer.send(f"/harvests/{harvest.pk}/reference/set")
    assert Target.objects.get(pk=harvest.abstract_target_id).reference_harvest_id == harvest.pk
    assert "Not the reference" in reviewer.see(f"/results/{result_of(harvest).pk}")
    assert reviewer.send(f"/harvests/{harvest.pk}/delist", {"reason": ""}).status_code == 422
    assert reviewer.send(f"/harvests/{harvest.pk}/delist", {"reason": "It never changes."}).status_code == 302
    assert harvest.abstract_target.schedules.get().end is not None


def test_flags_are_made_and_put_on_harvests(desk, reviewer):
    """Colours are checked; lists are narrowed by them; a deleted flag is gone from harvests' pages."""
    library = desk.town.library.pk
    wrong = reviewer.send("/admin/flags/new", {"agency": library, "name": "Ask", "colour": "red; background:url(x)"})
    assert wrong.status_code == 422
    reviewer.send("/admin/flags/new", {"agency": library, "name": HOSTILE[:60], "colour": "#E65100"})
    flag = desk.town.library.flags.get()
    assert flag.colour == "#e65100"
    assert "<script>alert(1)" not in reviewer.see("/admin/flags")
    owls, herons = desk.harvested(desk.ready(name="Owls")), desk.harvested(desk.ready(name="Herons"))
    assert reviewer.send(f"/harvests/{owls.pk}/colour", {"flag": flag.pk}).status_code == 302
    for path in ("/harvests", "/review"):
        name = "colour" if path == "/harvests" else "flag"
        page = reviewer.see(path, **{name: flag.pk})
        assert "Owls" in page
        assert f'/{herons.pk}"' not in page
    assert reviewer.send(f"/harvests/{owls.pk}/colour", {"flag": ""}).status_code == 302
    assert Harvest.objects.get(pk=owls.pk).flag_id is None


def test_a_flag_is_renamed(desk, reviewer):
    """Somebody else's change in between is shown."""
    reviewer.send("/admin/flags/new", {"agency": desk.town.library.pk, "name": "Ask", "colour": "#123456"})
    flag = desk.town.library.flags.get()
    form = {"name": "Ask them", "colour": "#654321", "version": flag.version}
    assert reviewer.send(f"/admin/flags/{flag.pk}", form).status_code == 302
    assert reviewer.send(f"/admin/flags/{flag.pk}", form).status_code == 409


def test_others_results_are_hidden(desk, town, reviewer):
    """As if they did not exist."""
    harvest = desk.harvested(desk.ready(name="Foxes", agency=town.museum))
    row = result_of(harvest)
    assert "Foxes" not in reviewer.see("/review/all")
    for path in ("", "/events", "/decide/endorse", "/provenance"):
        assert reviewer.get(f"/results/{row.pk}{path}").status_code == 404
    assert reviewer.get(f"/harvests/{harvest.pk}/results").status_code == 404


@pytest.mark.parametrize("verb", ["endorse", "reject", "delist", "colour"])
def test_bulk_work_is_offered_on_both_lists(desk, reviewer, verb):
    """With its arguments asked for on the next page."""
    desk.harvested()
    for path in ("/review", "/harvests"):
        assert f'value="{verb}"' in reviewer.see(path), path
