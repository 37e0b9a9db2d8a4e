"""How the live view learns that the process is to end."""

import signal
import threading

import pytest

from opilio.web.live.ending import Ending


@pytest.fixture
def heard():
    """A handler as a server has it, put away after the test."""
    told = []
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    for number in before:
        signal.signal(number, lambda number, frame: told.append(number))
    yield told
    for number, handler in before.items():
        signal.signal(number, handler)


def test_the_server_hears_the_signal_as_before(heard):
    """The board is told first, once for each signal, however often somebody listened."""
    told = []
    ending = Ending(lambda: told.append("board"))
    ending.listen()
    ending.listen()
    signal.raise_signal(signal.SIGTERM)
    assert told == ["board"]
    assert heard == [signal.SIGTERM]


def test_another_thread_leaves_the_handlers_alone(heard):
    """Only the main thread may change them."""
    ending = Ending(lambda: heard.append("board"))
    thread = threading.Thread(target=ending.listen)
    thread.start()
    thread.join()
    signal.raise_signal(signal.SIGTERM)
    assert heard == [signal.SIGTERM]


def test_what_ends_the_process_at_once_stays(heard):
    """A process without a handler ends by the signal, as it should."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Ending(lambda: None).listen()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
