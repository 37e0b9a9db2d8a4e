"""The board where viewers of harvests sit, and the stream to one of them."""

import asyncio
import queue
import threading
from contextlib import contextmanager

from opilio.web.live.board import Board, Shown
from opilio.web.live.stream import FIRST, OVER, STILL_THERE, Patience, stepped, streamed

PATIENCE = 30  # seconds; for a busy machine


class Told:
    """A source that answers what it was last told, and counts."""

    def __init__(self, **states):
        self.states = {int(name[1:]): state for name, state in states.items()}
        self.questions = []
        self.threads = set()
        self.closed = threading.Event()
        self.asked = threading.Condition()

    def ask(self, harvests):
        with self.asked:
            self.questions.append(harvests)
            self.asked.notify_all()
        self.threads.add(threading.get_ident())
        return self.states

    def close(self):
        self.closed.set()

    def wait_for(self, harvests):
        """Until somebody asked about exactly these."""
        with self.asked:
            assert self.asked.wait_for(lambda: harvests in self.questions, PATIENCE)


def shown(mark, *, over=False):
    return Shown(mark=mark, event=f"id: {mark}\n\n".encode(), over=over)


def board_of(source, **options):
    return Board(source, every=0.01, **options)


@contextmanager
def sitting(board, harvest):
    """A viewer, and what it is woken by."""
    woken = threading.Event()
    seat = board.sit(harvest, woken.set)
    try:
        yield seat, woken
    finally:
        board.leave(seat)


def test_one_thread_asks_for_all():
    """Whatever the number of viewers, one question is about all harvests that are watched."""
    source = Told(h1=shown("a"), h2=shown("b"))
    board = board_of(source)
    seats = [board.sit(1 + number % 2, threading.Event().set) for number in range(60)]
    with sitting(board, 1) as (_, woken):
        assert woken.wait(PATIENCE)
        assert board.taken == 61
        source.wait_for(frozenset({1, 2}))
    for seat in seats:
        board.leave(seat)
    assert source.closed.wait(PATIENCE)
    assert len(source.threads) == 1


def test_the_thread_ends_after_the_last_viewer_and_begins_with_the_next():
    """Nothing is asked while nobody looks."""
    source = Told(h1=shown("a"))
    board = board_of(source)
    for _ in range(2):
        source.closed.clear()
        with sitting(board, 1) as (seat, woken):
            assert woken.wait(PATIENCE)
            assert seat.taken().mark == "a"
            assert board.watching
        assert source.closed.wait(PATIENCE)
        assert not board.watching


def test_a_state_is_handed_out_once():
    """Viewers are woken by what is new alone; a late one gets what is known at once."""
    source = Told(h1=shown("a"))
    board = board_of(source)
    with sitting(board, 1) as (seat, woken):
        assert woken.wait(PATIENCE)
        woken.clear()
        before = len(source.questions)
        while len(source.questions) < before + 3:
            woken.wait(0.01)
        assert seat.taken().mark == "a"
        assert not woken.is_set()
        with sitting(board, 1) as (late, at_once):
            assert at_once.is_set()
            assert late.taken().mark == "a"


def test_a_slow_viewer_gets_the_newest_alone():
    """What it missed is gone; nobody waits for it."""
    source = Told(h1=shown("a"))
    board = board_of(source)
    with sitting(board, 1) as (slow, _), sitting(board, 1) as (quick, woken):
        for mark in ("a", "b", "c"):
            source.states = {1: shown(mark)}
            while (found := quick.taken()) is None or found.mark != mark:
                assert woken.wait(PATIENCE)
                woken.clear()
        assert slow.taken().mark == "c"
        assert slow.taken() is None


def test_a_harvest_that_is_gone_ends_its_streams():
    """It was deleted while somebody watched."""
    board = board_of(Told())
    with sitting(board, 7) as (seat, woken):
        assert woken.wait(PATIENCE)
        assert seat.closed


def test_a_source_that_cannot_be_asked_changes_nothing():
    """Viewers keep what they have, and see the next state when the database is back."""
    source = Told(h1=shown("a"))
    board = board_of(source)
    with sitting(board, 1) as (seat, woken):
        assert woken.wait(PATIENCE)
        woken.clear()
        source.states = None
        before = len(source.questions)
        while len(source.questions) < before + 2:
            woken.wait(0.01)
        assert not seat.closed
        source.states = {1: shown("b")}
        assert woken.wait(PATIENCE)
        assert seat.taken().mark == "b"


def test_there_are_so_many_seats():
    """A process takes no more viewers than it can serve, and none when it ends."""
    board = board_of(Told(h1=shown("a")), most=1)
    assert not board.full
    with sitting(board, 1) as (seat, woken):
        assert board.full
        board.close()
        while not seat.closed:
            assert woken.wait(PATIENCE)
            woken.clear()
    assert board.full


def test_a_stream_begins_with_the_state_and_ends_with_the_harvest():
    """The last event says that nothing more will come."""
    source = Told(h1=shown("a", over=True))
    pieces = list(stepped(streamed(board_of(source), 1)))
    assert pieces == [FIRST, b"id: a\n\n", OVER]
    assert source.closed.wait(PATIENCE)


def test_a_stream_leaves_out_what_the_viewer_has():
    """A browser that comes back names the event that it saw last."""
    source = Told(h1=shown("a", over=True))
    assert list(stepped(streamed(board_of(source), 1, last="a"))) == [FIRST, OVER]


def test_a_stream_says_that_it_is_there_and_ends_by_itself():
    """So that proxies do not hang up, and rights are asked anew."""
    board = board_of(Told(h1=shown("a")))
    pieces = list(stepped(streamed(board, 1, last="a", patience=Patience(whole=0.3, silent=0.05))))
    assert pieces[0] == FIRST
    assert STILL_THERE in pieces
    assert set(pieces) == {FIRST, STILL_THERE}
    assert board.taken == 0


def test_a_stream_that_is_left_gives_its_seat_back():
    """Whether the browser leaves before the first state or after it."""
    board = board_of(Told(h1=shown("a")))

    async def visit(steps):
        pieces = streamed(board, 1)
        for _ in range(steps):
            await anext(pieces)
        await pieces.aclose()

    for steps in (0, 1, 2):
        asyncio.run(visit(steps))
        assert board.taken == 0


def test_the_end_of_the_process_ends_streams():
    """However long they would have lasted."""
    board = board_of(Told(h1=shown("a")))
    found = queue.SimpleQueue()

    def view():
        found.put(list(stepped(streamed(board, 1))))

    thread = threading.Thread(target=view)
    thread.start()
    while not board.taken:
        thread.join(0.01)
    board.close()
    assert found.get(timeout=PATIENCE)[0] == FIRST
    thread.join(PATIENCE)
    assert not thread.is_alive()
