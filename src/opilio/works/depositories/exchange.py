"""One exchange with a server that takes deposits: no redirects, no proxy, no private address unless it is allowed.

An exchange ends when nothing moves for a while, not after a fixed time: packages may be large. Answers are kept up to
a limit, or handed on piece by piece.
"""

import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pycurl

from opilio.crawl.fetch.guard import Guard
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import OpilioError
from opilio.works.depositories.errors import DepositRefused, NoAnswer
from opilio.works.depositories.statements import LONGEST
from opilio.works.depositories.values import Told

_WORDS = {
    pycurl.E_COULDNT_RESOLVE_HOST: "the name of the host is not known",
    pycurl.E_COULDNT_CONNECT: "no connection could be made",
    pycurl.E_OPERATION_TIMEDOUT: "nothing came for too long",
    pycurl.E_PEER_FAILED_VERIFICATION: "the certificate of the host is not trusted, or is for another name",
    pycurl.E_GOT_NOTHING: "the connection was closed without an answer",
    pycurl.E_RECV_ERROR: "the connection broke",
    pycurl.E_SEND_ERROR: "the connection broke",
    pycurl.E_PARTIAL_FILE: "the answer broke off",
}


@dataclass(frozen=True, kw_only=True)
class Way:
    """How servers are reached."""

    guard: Guard
    timeout: float  # seconds in which something must move
    username: str = ""
    secret: str = field(default="", repr=False)  # without a user name, a bearer token
    ca_file: str = ""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a server answered."""

    status: int
    body: bytes  # empty when it was handed on


class Exchange:
    """Talks to one server."""

    def __init__(self, way: Way) -> None:
        self._way = way

    def get(self, url: str, *, into: Callable[[bytes], None] | None = None) -> Answer:
        """Ask for something; with `into`, the bytes of a good answer are handed on."""
        return self._do(url, {}, [], into, None)

    def post(self, url: str, file: Path, headers: Mapping[str, str], told: Told) -> Answer:
        """Send a file."""
        size = file.stat().st_size
        with file.open("rb") as stream:
            options = {
                pycurl.POST: 1, pycurl.POSTFIELDSIZE_LARGE: size, pycurl.READFUNCTION: stream.read,
            }  # fmt: skip
            lines = [f"{name}: {value}" for name, value in headers.items()]
            return self._do(url, options, [*lines, "Expect:"], None, (told, size))

    def _do(
        self, url: str, options: Mapping[int, Any], headers: Sequence[str], into: Callable[[bytes], None] | None,
        progress: tuple[Told, int] | None,
    ) -> Answer:  # fmt: skip
        one = _Transfer(self._way, into, progress)
        handle = pycurl.Curl()
        try:
            one.prepare(handle, url, options, headers)
            one.perform(handle, url)
            return Answer(status=int(handle.getinfo(pycurl.RESPONSE_CODE)), body=bytes(one.body))
        finally:
            handle.close()
            for each in one.sockets:
                each.close()


class _Transfer:
    """One exchange under way."""

    def __init__(self, way: Way, into: Callable[[bytes], None] | None, progress: tuple[Told, int] | None) -> None:
        self._way = way
        self._into = into
        self._progress = progress
        self._refused = ""
        self._left: OpilioError | None = None  # what `told` raised
        self._good = False  # whether the answer is 200
        self._amount = (0, 0)  # bytes that came and went when something last moved
        self._since = SYSTEM.monotonic()
        self._late = False
        self.body = bytearray()
        self.sockets: list[socket.socket] = []

    def prepare(self, handle: Any, url: str, options: Mapping[int, Any], headers: Sequence[str]) -> None:
        way = self._way
        everything = {
            pycurl.URL: url.encode(), pycurl.NOSIGNAL: 1, pycurl.PROTOCOLS: pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS,
            pycurl.FOLLOWLOCATION: 0, pycurl.PROXY: "", pycurl.NOPROXY: "", pycurl.USERAGENT: "Opilio-Deposit",
            pycurl.CONNECTTIMEOUT_MS: int(way.timeout * 1_000), pycurl.HEADERFUNCTION: self._head,
            pycurl.SSL_VERIFYPEER: 1, pycurl.SSL_VERIFYHOST: 2, pycurl.WRITEFUNCTION: self._take,
            pycurl.OPENSOCKETFUNCTION: self._connect, pycurl.NOPROGRESS: 0, pycurl.XFERINFOFUNCTION: self._moved,
            pycurl.HTTPHEADER: [*headers, *self._authorised()], **options,
        }  # fmt: skip
        for option, value in everything.items():
            handle.setopt(option, value)
        if way.username:
            handle.setopt(pycurl.HTTPAUTH, pycurl.HTTPAUTH_BASIC)
            handle.setopt(pycurl.USERNAME, way.username.encode())
            handle.setopt(pycurl.PASSWORD, way.secret.encode())
        if way.ca_file:
            handle.setopt(pycurl.CAINFO, way.ca_file)

    def perform(self, handle: Any, url: str) -> None:
        try:
            handle.perform()
        except pycurl.error as error:
            raise self._ours(error, url) from error

    def _ours(self, error: Any, url: str) -> OpilioError:
        if self._left is not None:
            return self._left
        code, words = error.args
        if self._late:
            remedy = "It is tried again; allow it more time if it needs that."
            return NoAnswer(f"nothing moved for {self._way.timeout:g} seconds", where=url, remedy=remedy)
        if self._refused:
            remedy = "Allow the network in the setting deposit_allow_private, if the depository lies there."
            return DepositRefused(f"the depository may not be reached: {self._refused}", where=url, remedy=remedy)
        if code == pycurl.E_WRITE_ERROR:
            return DepositRefused(
                "the answer is longer than anybody reads", where=url, remedy="Let the server say less."
            )
        what = f"{_WORDS.get(code, 'the exchange failed')} ({words or code})"
        return NoAnswer(what, where=url, remedy="It is tried again.")

    def _authorised(self) -> list[str]:
        bearer = self._way.secret and not self._way.username
        return [f"Authorization: Bearer {self._way.secret}"] if bearer else []

    def _head(self, line: bytes) -> None:
        if line.startswith(b"HTTP/"):
            self._good = line.split(None, 2)[1:2] == [b"200"]

    def _take(self, data: bytes) -> int:
        if self._into is not None and self._good:
            self._into(data)
            return len(data)
        self.body += data
        return len(data) if len(self.body) <= LONGEST else 0

    def _moved(self, down_total: int, down: int, up_total: int, up: int) -> int:
        """Called about once a second, and whenever something moves; 1 ends the transfer."""
        if (down, up) != self._amount:
            self._amount, self._since = (down, up), SYSTEM.monotonic()
        self._late = SYSTEM.monotonic() - self._since > self._way.timeout
        if self._late:
            return 1
        if self._progress is not None:
            told, size = self._progress
            try:
                told("handing over", up, size)
            except OpilioError as error:  # libcurl would swallow it; it is raised once the transfer ended
                self._left = error
                return 1
        return 0

    def _connect(self, purpose: int, address: tuple[Any, ...]) -> Any:
        family, kind, protocol, (ip, *_) = address
        self._refused = self._way.guard.refusal(ip.decode("ascii") if isinstance(ip, bytes) else ip) or ""
        if self._refused:
            return pycurl.SOCKET_BAD
        self.sockets.append(socket.socket(family, kind, protocol))
        return self.sockets[-1]
