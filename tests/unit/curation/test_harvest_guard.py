"""What becomes of a harvest whose time came, by the facts."""

import pytest

from opilio.curation.models import State
from opilio.curation.run_guard import DueFacts, LeftOut, Rights, Verdict, decide

NO_RIGHT = Rights(problems=("http://a.example/ has no permission.",))


@pytest.mark.parametrize(
    ("facts", "verdict", "word"),
    [
        ({}, Verdict.GO, ""),
        ({"state": State.COMPLETED}, Verdict.GO, ""),
        ({"state": State.GROUP_ACTIVE}, Verdict.GO, ""),
        ({"deleted": True}, Verdict.DROP, "deleted"),
        ({"state": State.CANCELLED}, Verdict.DROP, "cancelled"),
        ({"state": State.PENDING}, Verdict.DROP, "pending"),
        ({"state": State.GROUP_INACTIVE}, Verdict.DROP, "inactive"),
        ({"rights": NO_RIGHT}, Verdict.DEFER, "no permission"),
        ({"rights": NO_RIGHT, "deferrals": 6}, Verdict.DEFER, "no permission"),
        ({"rights": NO_RIGHT, "deferrals": 7}, Verdict.HOLD, "put off 7 times"),
        ({"rights": NO_RIGHT, "most_deferrals": 0}, Verdict.HOLD, "put off 0 times"),
        ({"has_profile": False}, Verdict.HOLD, "no profile"),
        ({"plan_problem": "No crawl can be planned: x"}, Verdict.HOLD, "No crawl"),
        ({"queue_paused": True}, Verdict.WAIT, "queue is paused"),
        ({"line_refusal": "too many"}, Verdict.WAIT, "too many"),
    ],
)
def test_one_thing_decides(facts, verdict, word):
    """Each fact alone leads to its verdict, with its reason."""
    decided = decide(DueFacts(**{"state": State.APPROVED, **facts}))
    assert decided.verdict is verdict
    assert word in decided.reason


def test_the_first_thing_that_stands_against_it_decides():
    """Gone before rights, rights before profile, profile before the queue."""
    facts = {"state": State.APPROVED, "rights": NO_RIGHT, "has_profile": False, "queue_paused": True}
    assert decide(DueFacts(deleted=True, **facts)).verdict is Verdict.DROP
    assert decide(DueFacts(**facts)).verdict is Verdict.DEFER
    assert decide(DueFacts(**{**facts, "rights": Rights()})).verdict is Verdict.HOLD


def test_members_left_out_are_named():
    """A combined harvest runs without them and says so."""
    rights = Rights(left_out=(LeftOut(name="Owls", reasons=("It is pending.",)),))
    decided = decide(DueFacts(state=State.GROUP_ACTIVE, rights=rights))
    assert decided.verdict is Verdict.GO
    assert decided.reason == "Owls is left out: It is pending."
