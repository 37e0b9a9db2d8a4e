"""Decides what becomes of a job when its runner has ended. Pure; `slots` carries it out."""

from enum import Enum

from opilio.agents.context import Interrupted, Stop
from opilio.jobs.errors import BadPayload, Fenced
from opilio.kernel.errors import OpilioError


class Verdict(Enum):
    """What is to be done with the job."""

    COMPLETE = "complete"
    NOTHING = "nothing"  # it is finished already, or somebody else's
    RELEASE = "release"
    ABANDON = "abandon"
    RETRY = "retry"  # or dead, after the last attempt
    BURY = "bury"  # no attempt can succeed


def verdict(error: Exception | None, *, finished: bool, stop: Stop | None) -> Verdict:
    """From how the runner ended, and what it had been told."""
    if finished or isinstance(error, Fenced):
        return Verdict.NOTHING
    if error is None:
        return Verdict.COMPLETE
    if isinstance(error, Interrupted):
        return _INTERRUPTED[stop]
    return Verdict.BURY if isinstance(error, BadPayload) else Verdict.RETRY


_INTERRUPTED = {
    Stop.DRAIN: Verdict.RELEASE,
    Stop.ORDER: Verdict.ABANDON,
    Stop.LOST: Verdict.NOTHING,
    None: Verdict.RETRY,
}


def spoken(error: Exception) -> str:
    """The error as it is kept with the job: our own speak for themselves, others are named by their class."""
    return str(error) if isinstance(error, OpilioError) else f"{type(error).__name__}: {error}"
