"""What becomes of a job when its runner has ended."""

import pytest

from opilio.agents.context import Interrupted, Stop
from opilio.agents.verdict import Verdict, spoken, verdict
from opilio.jobs.errors import BadPayload, Fenced
from opilio.kernel.errors import Unavailable


@pytest.mark.parametrize(
    ("error", "finished", "stop", "expected"),
    [
        (None, False, None, Verdict.COMPLETE),
        (None, False, Stop.DRAIN, Verdict.COMPLETE),
        (None, True, None, Verdict.NOTHING),
        (ValueError("after the commit"), True, None, Verdict.NOTHING),
        (Fenced("late"), False, None, Verdict.NOTHING),
        (Interrupted(""), False, Stop.DRAIN, Verdict.RELEASE),
        (Interrupted(""), False, Stop.ORDER, Verdict.ABANDON),
        (Interrupted(""), False, Stop.LOST, Verdict.NOTHING),
        (Interrupted(""), False, None, Verdict.RETRY),
        (BadPayload("no"), False, None, Verdict.BURY),
        (Unavailable("no"), False, None, Verdict.RETRY),
        (ValueError("no"), False, Stop.DRAIN, Verdict.RETRY),
    ],
)
def test_verdict(error, finished, stop, expected):
    """The verdict follows from how the runner ended and what it had been told."""
    assert verdict(error, finished=finished, stop=stop) is expected


def test_spoken():
    """Our errors speak for themselves; others are named by their class."""
    assert spoken(Unavailable("The disk is full", remedy="Make room.")) == "The disk is full. Make room."
    assert spoken(ValueError("x")) == "ValueError: x"
