"""Hands one message to a webhook over HTTP and judges the answer: no redirects, no proxy, no private address.

The address is checked when libcurl is about to connect, after the name was resolved, so that a name which changes its
address between two looks gains nothing.
"""

import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pycurl

from opilio.crawl.fetch.guard import Guard
from opilio.kernel.clock import Clock
from opilio.people.webhooks import LONGEST_ANSWER, Tried

USER_AGENT = "Opilio-Webhook"
_TAKEN = range(200, 300)
_REDIRECTS = range(300, 400)
_WORDS = {
    pycurl.E_COULDNT_RESOLVE_HOST: "The name of the host is not known",
    pycurl.E_COULDNT_CONNECT: "No connection could be made",
    pycurl.E_OPERATION_TIMEDOUT: "There was no whole answer in time",
    pycurl.E_PEER_FAILED_VERIFICATION: "The certificate of the host is not trusted, or is for another name",
    pycurl.E_SSL_CONNECT_ERROR: "No secure connection could be made",
    pycurl.E_GOT_NOTHING: "The connection was closed without an answer",
    pycurl.E_RECV_ERROR: "The connection broke",
    pycurl.E_SEND_ERROR: "The connection broke",
}


@dataclass(frozen=True, kw_only=True)
class Way:
    """How messages leave this machine."""

    guard: Guard
    timeout: float  # seconds for a whole exchange
    ca_file: str = ""  # empty: the system's


@dataclass(kw_only=True)
class _Heard:
    """What has come back so far."""

    body: bytearray = field(default_factory=bytearray)
    refused: str = ""
    sockets: list[socket.socket] = field(default_factory=list)  # libcurl works with copies of them

    def take(self, data: bytes) -> int:
        """Keep the beginning, and end the transfer once there is enough."""
        self.body += data
        return len(data) if len(self.body) <= LONGEST_ANSWER * 4 else 0

    @property
    def text(self) -> str:
        """The beginning as text that every database holds."""
        return bytes(self.body).decode("utf-8", "replace").replace("\x00", "\N{REPLACEMENT CHARACTER}")[:LONGEST_ANSWER]


def as_bytes(body: Mapping[str, Any]) -> bytes:
    """The bytes that are signed and sent."""
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def post(url: str, body: bytes, headers: Mapping[str, str], *, way: Way, clock: Clock) -> Tried:
    """Try once; never raises for what the network or the other side does."""
    heard, began, handle = _Heard(), clock.monotonic(), pycurl.Curl()
    try:
        _prepare(handle, url, body, headers, way, heard)
        trouble = _performed(handle, heard)
        status = int(handle.getinfo(pycurl.RESPONSE_CODE)) or None
    finally:
        handle.close()
        for one in heard.sockets:
            one.close()
    took = int((clock.monotonic() - began) * 1_000)
    error = trouble or _judged(status)
    return Tried(status=status, answer=heard.text, error=error, milliseconds=max(0, took))


def _prepare(handle: Any, url: str, body: bytes, headers: Mapping[str, str], way: Way, heard: _Heard) -> None:
    def connect(purpose: int, address: tuple[Any, ...]) -> Any:
        family, kind, protocol, (ip, *_) = address
        heard.refused = way.guard.refusal(ip.decode("ascii") if isinstance(ip, bytes) else ip) or ""
        if heard.refused:
            return pycurl.SOCKET_BAD
        heard.sockets.append(socket.socket(family, kind, protocol))
        return heard.sockets[-1]

    options = {
        pycurl.URL: url.encode(), pycurl.NOSIGNAL: 1, pycurl.PROTOCOLS: pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS,
        pycurl.FOLLOWLOCATION: 0, pycurl.PROXY: "", pycurl.NOPROXY: "", pycurl.TIMEOUT_MS: int(way.timeout * 1_000),
        pycurl.POST: 1, pycurl.POSTFIELDS: body, pycurl.USERAGENT: USER_AGENT, pycurl.SSL_VERIFYPEER: 1,
        pycurl.SSL_VERIFYHOST: 2, pycurl.WRITEFUNCTION: heard.take, pycurl.OPENSOCKETFUNCTION: connect,
        pycurl.HTTPHEADER: [f"{name}: {value}" for name, value in {**headers, "Expect": ""}.items()],
    }  # fmt: skip
    for option, value in options.items():
        handle.setopt(option, value)
    if way.ca_file:
        handle.setopt(pycurl.CAINFO, way.ca_file)


def _performed(handle: Any, heard: _Heard) -> str:
    """Do it; why it failed, empty when an answer came."""
    try:
        handle.perform()
    except pycurl.error as error:
        code, words = error.args
        if heard.refused:
            return f"{heard.refused}: such addresses are only reached if the setting webhook_allow_private names them."
        if code == pycurl.E_WRITE_ERROR:
            return ""  # the answer was longer than anybody reads; its status counts
        return f"{_WORDS.get(code, 'The exchange failed')} ({words or code})."[:500]
    return ""


def _judged(status: int | None) -> str:
    if status in _TAKEN:
        return ""
    if status in _REDIRECTS:
        return f"The answer was {status}: redirects are not followed; write the address that it leads to."
    return f"The answer was {status}, where 200 to 299 means that a message was taken."
