"""The reports on quality: advice, decisions and the time between, by agency; each result with what became of it."""

import csv
import datetime
import io

import pytest

from opilio.curation.models import Advice, Assessment, Result, ResultState
from opilio.people.privileges import Privilege, Scope
from tests.review_desk import ReviewDesk

REPORTER = {Privilege.SYSTEM_REPORT_LEVEL_1: Scope.AGENCY}
HOUR = datetime.timedelta(hours=1)


@pytest.fixture
def desk(town):
    """Makes results."""
    return ReviewDesk(town)


def _made(desk, advice, *, state=ResultState.UNASSESSED, hours=None, by=None, **target):
    result = Result.objects.get(harvest=desk.harvested(desk.ready(**target)))
    decided = {"decided_at": result.made_at + hours * HOUR, "decided_by": by} if hours is not None else {}
    Result.objects.filter(pk=result.pk).update(state=state, **decided)
    if advice is not None:
        Assessment(result=result, made_at=desk.now, advice=advice, headline="=<b>why</b>", completeness=0.5).save()
    return result


def _rows(browser, name, **query):
    text = b"".join(browser.get(f"/reports/{name}/file.csv", query).streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.fixture
def reviewed(desk, town):
    """Results of two agencies, decided and not."""
    person = town.user()
    _made(desk, Advice.ENDORSE, state=ResultState.ENDORSED, hours=2, by=person)
    _made(desk, Advice.ENDORSE, state=ResultState.ENDORSED, hours=4)
    _made(desk, Advice.ENDORSE, state=ResultState.REJECTED, hours=6, by=person)
    _made(desk, Advice.REJECT)
    _made(desk, None)
    _made(desk, Advice.LOOK, agency=town.museum)


def test_decisions_beside_advice(enter, town, reviewed):
    """How often each was advised and decided, how often advice was followed, and how long it took."""
    browser = enter("reporter", privileges=REPORTER)
    day = f"{town.clock.now():%Y-%m-%d}"
    rows = {row["Advice"]: row for row in _rows(browser, "quality", since=day, until=day)}
    assert set(rows) == {"Endorse", "Reject", "None"}
    endorse = rows["Endorse"]
    assert (endorse["Results"], endorse["Endorsed"], endorse["Rejected"]) == ("3", "2", "1")
    assert (endorse["Endorsed by rule"], endorse["Advice followed, %"], endorse["Hours to the decision"]) == (
        "1", "66.7", "4.0",
    )  # fmt: skip
    assert rows["Reject"]["Waiting"] == "1"
    assert rows["Reject"]["Hours to the decision"] == ""
    page = browser.see("/reports/quality", since=day, until=day)
    assert "results by advice" in page


def test_each_result(enter, town, reviewed):
    """With its advice, its state and who decided; texts are no formulas."""
    browser = enter("reporter", privileges=REPORTER)
    day = f"{town.clock.now():%Y-%m-%d}"
    rows = _rows(browser, "reviewed", since=day, until=day)
    assert len(rows) == 5
    assert rows[0]["Why"] == "'=<b>why</b>"
    assert rows[0]["Complete, %"] == "50.0"
    assert rows[0]["By"]
