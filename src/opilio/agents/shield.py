"""Keeps an agent alive whatever its jobs do: the one place that catches every exception, and what to do then."""

from collections.abc import Callable

from django.db import InterfaceError, OperationalError, connections

from opilio.jobs.backoff import Backoff
from opilio.kernel.logs import logger

#: The database cannot be reached, or has ended the connection.
DATABASE_LOST = (OperationalError, InterfaceError)

#: How long to wait between attempts to reach it.
RECONNECT = Backoff(first=0.2, longest=30.0)

_log = logger(__name__)


def caught(work: Callable[[], None]) -> Exception | None:
    """Do the work and return what it raised; the caller must log it and mark the job."""
    try:
        work()
    except Exception as error:  # noqa: BLE001 - a runner may raise anything, and the agent must go on
        return error
    return None


def persistently(step: Callable[[], None], *, wait: Callable[[float], bool]) -> bool:
    """Do a step that needs the database, again until it is reached; False if `wait` said to give up."""
    failures = 0
    while True:
        try:
            step()
        except DATABASE_LOST as error:
            failures += 1
            pause = database_lost(error, failures)
        else:
            return True
        if wait(pause):
            return False


def database_lost(error: Exception, failures: int) -> float:
    """Note the loss, drop this thread's connection, and say for how many seconds to leave the database alone."""
    pause = RECONNECT.delay(failures, jitter=1.0).total_seconds()
    _log.warning("database_lost", error=str(error).strip(), failures=failures, retry_in=pause)
    connections.close_all()
    return pause
