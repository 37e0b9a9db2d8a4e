"""A wire to a server that can be cut: passes bytes on, until it is told to close everything and answer nobody."""

import contextlib
import selectors
import socket
import threading
from typing import Self

_PIECE = 65_536


class CutWire:
    """Listens on an address of this machine, by default 127.0.0.1, for what goes to a port of 127.0.0.1."""

    def __init__(self, port: int, *, address: str = "127.0.0.1", own_port: int = 0) -> None:
        self._target = port
        self._listener = socket.create_server((address, own_port), backlog=256)
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._selector = selectors.DefaultSelector()
        self._cut = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listener.getsockname()[1])

    def cut(self) -> None:
        """From now on nobody gets through."""
        self._cut.set()

    def mend(self) -> None:
        """From now on they do."""
        self._cut.clear()

    def __enter__(self) -> Self:
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._drop_all()
        self._listener.close()

    def _run(self) -> None:
        while not self._over.is_set():
            if self._cut.is_set():
                self._drop_all()
            for key, _ in self._selector.select(timeout=0.05):
                end = key.fileobj
                if end is self._listener:
                    self._accept()
                elif isinstance(end, socket.socket) and end in self._pairs:
                    self._pass_on(end)

    def _accept(self) -> None:
        client, _ = self._listener.accept()
        if self._cut.is_set():
            client.close()
            return
        try:
            server = socket.create_connection(("127.0.0.1", self._target))
        except OSError:  # the server is being started again
            client.close()
            return
        for end, other in ((client, server), (server, client)):
            self._pairs[end] = other
            self._selector.register(end, selectors.EVENT_READ)

    def _pass_on(self, end: socket.socket) -> None:
        try:
            piece = end.recv(_PIECE)
            self._pairs[end].sendall(piece)
        except OSError:
            piece = b""
        if not piece:
            self._drop(end)

    def _drop(self, end: socket.socket) -> None:
        other = self._pairs[end]
        for one in (end, other):
            self._selector.unregister(one)
            del self._pairs[one]
            one.close()

    def _drop_all(self) -> None:
        while self._pairs:
            with contextlib.suppress(OSError):
                self._drop(next(iter(self._pairs)))
