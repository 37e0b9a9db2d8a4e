"""Ends a child with its parent: the parent holds the other end of standard input, and the system closes it at death."""

import os
import signal
import sys
import threading


def end_with_parent() -> None:
    """From now on, the end of standard input ends this process as SIGTERM does."""
    threading.Thread(target=_wait, args=(sys.stdin.fileno(),), name="lifeline", daemon=True).start()


def _wait(descriptor: int) -> None:
    while os.read(descriptor, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
