"""A browser works in a thread of its own; whoever waits for it is told in its own thread, and can leave."""

import asyncio
import threading

import pytest
from django.core.exceptions import SynchronousOnlyOperation
from django.utils.asyncio import async_unsafe

from opilio.works.quality.aside import aside


@async_unsafe
def ask_a_database(number):
    """Refuses where an event loop runs, as Django's connections do."""
    return number


def in_a_loop(work):
    """As the library that steers browsers: everything happens inside a running loop."""

    async def inside():
        return work()

    return asyncio.run(inside())


def test_a_database_can_be_asked_while_a_loop_runs_elsewhere():
    """In the loop's own thread it could not."""
    with pytest.raises(SynchronousOnlyOperation):
        in_a_loop(lambda: ask_a_database(0))
    told = []

    def note(number):
        told.append((ask_a_database(number), threading.current_thread()))

    assert aside(lambda tell: in_a_loop(lambda: [tell(number) for number in range(3)] and "done"), note) == "done"
    assert told == [(number, threading.main_thread()) for number in range(3)]


def test_whoever_leaves_ends_the_work():
    """At its next word; the reason for leaving is what is raised."""
    begun = []

    def work(tell):
        for number in range(1_000_000):
            begun.append(number)
            tell(number)

    def told(number):
        raise InterruptedError("enough")

    with pytest.raises(InterruptedError):
        aside(work, told)
    assert len(begun) < 1_000_000


def test_what_goes_wrong_is_raised():
    """As if it had happened here."""

    def work(tell):
        tell(1)
        raise KeyError("page")

    with pytest.raises(KeyError):
        aside(work, lambda number: None)
