"""An agent survives what its jobs raise and a database that is away."""

import pytest
from django.db import InterfaceError, OperationalError

from opilio.agents.shield import RECONNECT, caught, persistently


def fails(times, error):
    """A step that raises so often, then counts its successes in `.done`."""
    left = [error] * times

    def step():
        if left:
            raise left.pop()
        step.done += 1

    step.done = 0
    return step


def test_caught():
    """Any exception is handed over instead of raised."""
    error = ZeroDivisionError()
    assert caught(fails(1, error)) is error
    assert caught(fails(0, error)) is None


def test_exit_is_not_caught():
    """The end of the process is not an error to survive."""
    with pytest.raises(SystemExit):
        caught(fails(1, SystemExit()))


@pytest.mark.parametrize("lost", [OperationalError("away"), InterfaceError("closed")])
def test_database_is_waited_for(lost):
    """A step is done once the database is back, with waits that grow."""
    waits = []
    step = fails(4, lost)
    assert persistently(step, wait=lambda pause: waits.append(pause))
    assert step.done == 1
    assert waits == sorted(waits)
    assert waits[0] < waits[-1] <= RECONNECT.longest


def test_waiting_ends_with_the_agent():
    """An agent that ends gives up waiting."""
    step = fails(5, OperationalError("away"))
    assert not persistently(step, wait=lambda _: True)
    assert step.done == 0


def test_other_errors_are_not_waited_for():
    """Only a lost database is worth waiting for."""
    with pytest.raises(ZeroDivisionError):
        persistently(fails(1, ZeroDivisionError()), wait=lambda _: False)
