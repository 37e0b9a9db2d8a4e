"""A real SMTP server (aiosmtpd) on a free port of loopback, in a thread, which keeps what it takes and can misbehave.

Its moods are given by name for the next letters: `greylist` (451 to the recipient), `refuse` (550 to the recipient),
`reject` (554 after the letter), `busy` (452 after the letter), `drop` (hang up instead of answering), `stall` (never
answer; `stalled` is set), `mute` (take the letter, but never say so; `stalled` is set), `forgetful` (take the letter,
then break off before saying goodbye).
"""

import asyncio
import socket
import ssl
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import trustme
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

_PATIENCE = 60  # seconds; for a busy machine
USERNAME, PASSWORD = "postman", "knocks twice"
_AT_RECIPIENT = {"greylist": "451 4.7.1 come back later", "refuse": "550 5.1.1 nobody of that name here"}
_AT_LETTER = {"reject": "554 5.7.1 not this letter", "busy": "452 4.3.1 no room just now"}


@dataclass(frozen=True, kw_only=True)
class Taken:
    """A letter that the server took."""

    sender: str
    recipients: tuple[str, ...]
    message: EmailMessage
    encrypted: bool
    signed_in: bool


class _Handler:
    def __init__(self, moods: Iterable[str]) -> None:
        self.moods = deque(moods)
        self.taken: list[Taken] = []
        self.arrived = threading.Condition()
        self.stalled = threading.Event()

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]):
        mood = self.moods[0] if self.moods else ""
        if mood in _AT_RECIPIENT:
            self.moods.popleft()
            return _AT_RECIPIENT[mood]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        mood = self.moods.popleft() if self.moods else ""
        if mood in _AT_LETTER:
            return _AT_LETTER[mood]
        if mood == "drop":
            server.transport.abort()
            return "421 gone"
        if mood == "stall":
            self.stalled.set()
            await asyncio.Event().wait()
        self._take(session, envelope, server.transport.get_extra_info("sslcontext") is not None)
        if mood == "mute":
            self.stalled.set()
            await asyncio.Event().wait()
        if mood == "forgetful":
            server._writer.write(b"250 OK\r\n")
            await server._writer.drain()
            server.transport.close()
        return "250 OK"

    def _take(self, session: Session, envelope: Envelope, encrypted: bool) -> None:
        assert isinstance(envelope.content, bytes)
        message = message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        with self.arrived:
            self.taken.append(
                Taken(
                    sender=envelope.mail_from or "",
                    recipients=tuple(envelope.rcpt_tos),
                    message=message,
                    encrypted=encrypted,
                    signed_in=bool(session.authenticated),
                )
            )
            self.arrived.notify_all()


class MailServer:
    """A running server."""

    def __init__(self, handler: _Handler, port: int) -> None:
        self._handler = handler
        self.host, self.port = "127.0.0.1", port

    @property
    def taken(self) -> list[Taken]:
        """The letters so far."""
        return list(self._handler.taken)

    @property
    def stalled(self) -> threading.Event:
        """Set when a letter is left without an answer."""
        return self._handler.stalled

    def wait_for(self, count: int, seconds: float = 60) -> list[Taken]:
        """The letters, once there are so many."""
        with self._handler.arrived:
            came = self._handler.arrived.wait_for(lambda: len(self._handler.taken) >= count, seconds)
        assert came, f"{len(self.taken)} of {count} letters came in {seconds} s"
        return self.taken


def free_port() -> int:
    """A port on which nobody listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_mail_server(
    *,
    moods: Iterable[str] = (),
    security: str = "none",
    certificates: Path | None = None,
    sign_in: bool = False,
    utf8: bool = False,
    port: int = 0,
    names: tuple[str, ...] = ("127.0.0.1", "localhost"),
) -> Iterator[MailServer]:
    """A server for the length of the block. With `security` it leaves the authority it trusts in `certificates`."""
    handler = _Handler(moods)
    context = _context(certificates, names) if certificates else None
    options: dict[str, Any] = {"enable_SMTPUTF8": utf8, "decode_data": False, "hostname": "localhost"}
    if security == "starttls":
        options |= {"tls_context": context, "require_starttls": True}
    if sign_in:
        options |= {"authenticator": _authenticated, "auth_require_tls": security == "starttls"}
    thread = _ServerThread(handler, options, context if security == "tls" else None, port)
    thread.start()
    try:
        yield MailServer(handler, thread.port.result(_PATIENCE))
    finally:
        thread.stop()


class _ServerThread(threading.Thread):
    """An event loop of its own that serves until it is stopped, and then leaves nothing open."""

    def __init__(self, handler: _Handler, options: dict[str, Any], tls: ssl.SSLContext | None, port: int) -> None:
        super().__init__(name="mail server", daemon=True)
        self._handler, self._options, self._tls, self._wanted = handler, options, tls, port
        self._connections: list[SMTP] = []
        self._ending: Callable[[], object] = lambda: None
        self.port: Future[int] = Future()

    def run(self) -> None:
        asyncio.run(self._serve())

    def stop(self) -> None:
        """End it, whatever its clients do."""
        self._ending()
        self.join(_PATIENCE)

    async def _serve(self) -> None:
        loop, end = asyncio.get_running_loop(), asyncio.Event()
        self._ending = lambda: loop.call_soon_threadsafe(end.set)
        try:
            server = await loop.create_server(self._connection, "127.0.0.1", self._wanted, ssl=self._tls)
        except OSError as error:
            self.port.set_exception(error)
            return
        self.port.set_result(server.sockets[0].getsockname()[1])
        await end.wait()
        server.close()
        for connection in self._connections:
            if connection.transport is not None:
                connection.transport.abort()
        await asyncio.sleep(0)  # aborted transports close in the next turn of the loop

    def _connection(self) -> SMTP:
        made = SMTP(self._handler, loop=asyncio.get_running_loop(), **self._options)
        self._connections.append(made)
        return made


def _authenticated(
    server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: LoginPassword
) -> AuthResult:
    right = isinstance(data, LoginPassword) and (data.login, data.password) == (USERNAME.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=False)


def _context(folder: Path, names: tuple[str, ...]) -> ssl.SSLContext:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    return context
