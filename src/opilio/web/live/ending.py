"""Tells the board when the process is asked to end, so that open streams do not hold it up."""

import signal
import threading
from collections.abc import Callable
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Ending:
    """Listens beside the server's own handlers, which are called as before."""

    def __init__(self, told: Callable[[], None]) -> None:
        self._told = told
        self._listening = False

    def listen(self) -> None:
        """Begin, once; only the main thread may, and only a server that handles signals needs it.

        An event loop learns of signals by a descriptor, whatever the handler is, and so loses nothing.
        """
        if self._listening or threading.current_thread() is not threading.main_thread():
            return
        self._listening = True
        for number in _SIGNALS:
            before = signal.getsignal(number)
            if callable(before):
                signal.signal(number, self._handler(before))
                signal.siginterrupt(number, False)

    def _handler(self, before: Callable[[int, FrameType | None], object]) -> Callable[[int, FrameType | None], None]:
        def handle(number: int, frame: FrameType | None) -> None:
            self._told()
            before(number, frame)

        return handle
