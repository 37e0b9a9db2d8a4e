"""Bulk work at the pages: a filter is chosen, looked at, run, and its refused rows are told."""

import csv
import io

import pytest

from opilio.agents.bulk import run_bulk
from opilio.agents.context import RunContext
from opilio.curation.bulk.running import RunBulk
from opilio.curation.models import BulkRun, BulkState, State, Target
from opilio.jobs import claims
from opilio.kernel.clock import SYSTEM
from opilio.people.models import User
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.bulk.conftest import CURATES


@pytest.fixture
def curator(town, enter):
    return enter("curator", privileges={**CURATES, Privilege.ADD_TARGET_TO_GROUP: Scope.AGENCY})


@pytest.fixture
def many(desk, curator):
    """Sixty targets of one owner: more than a page shows."""
    return [desk.target(name=f"Site {number:03}", owner=curator.user) for number in range(60)]


def text_of(answer):
    assert answer.status_code == 200, answer.content[:1000]
    return answer.content.decode()


def choose(browser, action, *, path="/targets", **form):
    """Send the form below a list; the page of bulk work that follows."""
    answer = browser.send(path, {"action": action, **form})
    assert answer.status_code == 302, answer.content[:2000]
    assert answer["Location"].startswith("/bulk/"), answer["Location"]
    return answer["Location"]


def test_all_rows_of_a_filter_are_chosen(many, desk, curator):
    """Also those on other pages, and only those that the filter shows."""
    desk.target(name="Other", owner=curator.user)
    assert "all 60 targets of this filter" in curator.see("/targets", q="Site")
    place = choose(curator, "nominate", all="yes", query="q=Site")
    text = curator.see(place)
    assert "Nominate: 60 targets" in text
    assert "state: Pending → Nominated" in text
    assert "25 of 60 rows were tried" in text
    assert not Target.objects.filter(state=State.NOMINATED).exists()
    assert curator.send(place, {"do": "run"})["Location"] == place
    text = curator.see(place)
    assert "<dd>60</dd>" in text
    assert Target.objects.filter(state=State.NOMINATED).count() == 60
    assert Target.objects.get(name="Other").state == State.PENDING


def test_a_wrong_filter_chooses_nothing(many, curator):
    """Rather than everything."""
    answer = curator.send("/targets", {"action": "nominate", "all": "yes", "query": "since=yesterday"})
    assert answer["Location"] == "/targets?since=yesterday"
    assert "Nothing is selected" in curator.see("/targets")


def test_arguments_are_asked_for_and_checked(many, desk, curator):
    """A verb with arguments shows a form; a fault is told beside its field, and nothing is started."""
    group = desk.group(name="Sites", owner=curator.user)
    place = choose(curator, "add-to-group", row=[str(row.pk) for row in many[:3]])
    assert "Sites (Library)" in curator.see(place)
    bad = curator.send(place, {"do": "run"})
    assert bad.status_code == 422
    assert "field needs another look" in bad.content.decode()
    shown = text_of(curator.send(place, {"do": "preview", "group": str(group.pk)}))
    assert "3 of 3 rows were tried" in shown
    assert group.members.count() == 0
    curator.send(place, {"do": "run", "group": str(group.pk)})
    assert group.members.count() == 3


def test_refused_rows_are_listed_and_offered_as_csv(desk, curator):
    """With the reason of each; what could be done is done."""
    good = desk.approvable(name="Good", owner=curator.user, state=State.NOMINATED)
    bad = desk.target(name="=Bad <script>", owner=curator.user, state=State.NOMINATED)
    place = choose(curator, "approve", all="yes", query="")
    text = curator.see(place)
    assert "=Bad &lt;script&gt;" in text
    assert "<script>alert" not in text
    curator.send(place, {"do": "run"})
    text = curator.see(place)
    assert "All refused rows as CSV" in text
    answer = curator.get(f"{place}?format=csv")
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))
    assert [(row["place"], row["row"]) for row in rows] == [("1", f"'=Bad <script> ({bad.pk})")]
    assert "seed" in rows[0]["reason"]
    good.refresh_from_db()
    assert good.state == State.APPROVED


def test_a_large_set_becomes_a_job_with_progress(desk, curator):
    """The page follows it, and its part is what htmx asks for; it can be stopped."""
    for number in range(101):
        desk.target(name=f"Site {number:03}", owner=curator.user)
    place = choose(curator, "nominate", all="yes", query="")
    curator.send(place, {"do": "run"})
    text = curator.see(place)
    assert "Waiting for an agent" in text
    assert 'hx-trigger="every 2s"' in text
    part = curator.get(place, headers={"HX-Request": "true", "HX-Target": "bulk-state"}).content.decode()
    assert part.lstrip().startswith('<div id="bulk-state"')
    run = BulkRun.objects.get()
    now = SYSTEM.now()
    (claimed,) = claims.claim(owner="a#1", limit=1, now=now, lease=now - now, kinds=["curation.run_bulk"])
    run_bulk(RunBulk(run=run.pk), RunContext(claimed, clock=SYSTEM, lease=now - now))
    assert "Done" in curator.see(place)
    assert Target.objects.filter(state=State.NOMINATED).count() == 101


def test_a_trial_of_all_rows_and_then_for_good(many, curator):
    """Every row is tried, nothing is changed, and one button runs it."""
    place = choose(curator, "nominate", all="yes", query="")
    curator.send(place, {"do": "try"})
    text = curator.see(place)
    assert "Would change" in text
    assert "for good" in text
    assert not Target.objects.filter(state=State.NOMINATED).exists()
    curator.send(place, {"do": "run"})
    assert Target.objects.filter(state=State.NOMINATED).count() == 60


def test_stopping(desk, curator):
    """Work that waits can be stopped by whoever asked for it."""
    for number in range(101):
        desk.target(name=f"Site {number:03}", owner=curator.user)
    place = choose(curator, "nominate", all="yes", query="")
    curator.send(place, {"do": "run"})
    curator.send(place, {"do": "stop"})
    assert "Stopped" in curator.see(place)
    assert curator.send(place, {"do": "explode"}).status_code == 404
    assert curator.send(place, {"do": "run"}).status_code == 409


def test_bulk_work_is_its_askers_own(many, curator, enter):
    """Others do not find it; the asker finds it in a list."""
    place = choose(curator, "nominate", all="yes", query="")
    other = enter("archivist", privileges=CURATES)
    assert other.get(place).status_code == 404
    assert other.send(place, {"do": "run"}).status_code == 404
    assert "Nominate: 60 target" in curator.see("/bulk")
    assert "No bulk work yet" in other.see("/bulk")


def test_a_list_of_people_takes_a_whole_filter_too(town, administrator):
    """Users of all pages are deactivated; a list that no job can do is done at once, up to its limit."""
    for number in range(55):
        town.user(f"guest{number:02}")
    place = choose(administrator, "deactivate", path="/admin/users", all="yes", query="q=guest")
    administrator.send(place, {"do": "run"})
    assert User.objects.filter(is_active=False).count() == 55
    asked = administrator.send("/admin/agencies", {"action": "delete", "all": "yes", "query": "q=Museum"})
    assert "Delete 1 agency?" in text_of(asked)


def test_the_question_tells_what_would_be_refused(town, administrator):
    """Before anything is done."""
    text = text_of(administrator.send("/admin/agencies", {"action": "delete", "row": [str(town.library.pk)]}))
    town.user("someone")
    text = text_of(administrator.send("/admin/agencies", {"action": "delete", "row": [str(town.library.pk)]}))
    assert "Would be refused" in text
    assert "still has" in text


def test_pages_ask_few_questions(many, curator, django_assert_max_num_queries):
    """The list, the list of bulk work and the result page stay within the limit."""
    place = choose(curator, "nominate", all="yes", query="")
    curator.send(place, {"do": "run"})
    for path in ("/targets", "/bulk", place):
        with django_assert_max_num_queries(15):
            curator.see(path)
    assert BulkRun.objects.get().state == BulkState.DONE


def test_a_list_of_deleted_rows_offers_only_what_is_its_own(desk, administrator):
    """Nobody approves what is deleted."""
    desk.target(name="Gone", deleted=True)
    text = administrator.see("/admin/deleted/target")
    assert "Gone" in text
    assert 'value="restore"' in text
    assert 'value="approve"' not in text
    assert "format=table.csv" not in text
