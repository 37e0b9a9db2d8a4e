"""A proxy that leads nowhere: whatever of a browser is not answered from the archive ends here, and is counted."""

import contextlib
import socket
import threading
from types import TracebackType

_LONGEST = 4_096  # bytes that are looked at


class DeadEnd:
    """Listens on a free port of this machine and hangs up on everybody."""

    def __init__(self) -> None:
        self.asked: list[str] = []  # first lines, such as `CONNECT example.org:443 HTTP/1.1`
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, name="dead-end", daemon=True)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> "DeadEnd":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:  # closed: the end
                return
            with connection, contextlib.suppress(OSError):
                connection.settimeout(1)
                line = connection.recv(_LONGEST).split(b"\r\n", 1)[0]
                self.asked.append(line.decode("latin-1"))
