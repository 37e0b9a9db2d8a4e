"""Fetches with libcurl's multi interface on the event loop.

libcurl does one exchange and nothing else: it follows no redirect, answers no challenge, keeps no cookies, decodes
nothing. The address is resolved and checked before, handed over, and checked again when the socket is opened.
"""

import asyncio
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import pycurl

from opilio.crawl.fetch import curl_errors, head, through_proxy
from opilio.crawl.fetch.exchange import Answer, Ask, Failure, Trouble
from opilio.crawl.fetch.guard import Guard
from opilio.crawl.fetch.resolver import Resolver, literal
from opilio.kernel.capture import Inexactness, TlsSummary
from opilio.kernel.clock import SYSTEM, Clock

_BUFFER = 65_536
_DATA_OUT = 4  # CURLINFO_DATA_OUT
_HEADER_OUT = 2  # CURLINFO_HEADER_OUT
_VERSIONS = {1: "1.0", 2: "1.1", 3: "2", 30: "3"}
_IDLE_HANDLES = 256


@dataclass(kw_only=True, slots=True, eq=False)
class _Transfer:
    """What has come of one exchange so far."""

    ask: Ask
    done: "asyncio.Future[int]"
    began: float
    started: datetime
    request: list[bytes] = field(default_factory=list)
    head: list[bytes] = field(default_factory=list)
    head_size: int = 0
    body: list[bytes] = field(default_factory=list)
    size: int = 0
    first_byte: float = 0.0
    refused: str = ""
    target: str | None = None  # the address that a proxy was told to connect to
    too_long: bool = False
    head_bomb: bool = False


class CurlFetcher:
    """One per process and event loop."""

    def __init__(
        self, *, guard: Guard, resolver: Resolver | None = None, clock: Clock = SYSTEM, connections: int = 256,
        ca_file: str = "",
    ) -> None:  # fmt: skip
        self._guard = guard
        self._clock = clock
        self._resolver = resolver or Resolver(clock=clock)
        self._ca_file = ca_file
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._transfers: dict[Any, _Transfer] = {}
        self._idle: list[Any] = []
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_MAX_HOST_CONNECTIONS, 0)
        self._multi.setopt(pycurl.M_MAXCONNECTS, connections)
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._on_socket)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._on_timer)

    async def fetch(self, ask: Ask) -> Answer | Failure:
        """Do the exchange."""
        began, started = self._clock.monotonic(), self._clock.now()
        parts = urlsplit(ask.url)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        addresses: tuple[str, ...] = ()
        if ask.proxy is None or not ask.proxy.resolves_names or literal(host.strip("[]")) is not None:
            resolved = await self._resolver.resolve(host)
            if not resolved.addresses:
                trouble = Trouble.NO_SUCH_HOST if resolved.missing else Trouble.DNS
                return Failure(trouble=trouble, words=resolved.words, started=started, seconds=self._since(began))
            refusals = [refusal for a in resolved.addresses if (refusal := self._guard.refusal(a))]
            addresses = tuple(a for a in resolved.addresses if not self._guard.refusal(a))
            if not addresses:
                words = f"{host} is not fetched: {refusals[0]}"
                return Failure(trouble=Trouble.PRIVATE_ADDRESS, words=words, started=started, seconds=0.0)
        return await self._exchange(ask, host, port, addresses, began, started)

    async def close(self) -> None:
        """Give up all connections."""
        for handle, transfer in list(self._transfers.items()):
            self._multi.remove_handle(handle)
            transfer.done.cancel()
        self._transfers.clear()
        if self._timer is not None:
            self._timer.cancel()
        self._resolver.close()
        for handle in self._idle:
            handle.close()
        self._multi.close()

    async def _exchange(
        self, ask: Ask, host: str, port: int, addresses: tuple[str, ...], began: float, started: datetime
    ) -> Answer | Failure:
        transfer = _Transfer(ask=ask, done=self._loop.create_future(), began=began, started=started)
        handle = self._idle.pop() if self._idle else pycurl.Curl()
        self._prepare(handle, transfer, host, port, addresses)
        self._transfers[handle] = transfer
        self._multi.add_handle(handle)
        first_byte = self._loop.call_later(ask.patience.first_byte, self._no_first_byte, transfer)
        try:
            code = await transfer.done
            return self._outcome(handle, transfer, code)
        finally:
            first_byte.cancel()
            if self._transfers.pop(handle, None) is not None:
                self._multi.remove_handle(handle)
            if len(self._idle) < _IDLE_HANDLES:
                handle.reset()
                self._idle.append(handle)
            else:
                handle.close()

    def _no_first_byte(self, transfer: _Transfer) -> None:
        if not transfer.head and not transfer.done.done():
            transfer.done.set_result(curl_errors.FIRST_BYTE)

    def _prepare(self, handle: Any, transfer: _Transfer, host: str, port: int, addresses: tuple[str, ...]) -> None:
        ask, set_ = transfer.ask, handle.setopt
        set_(pycurl.URL, ask.url.encode())
        set_(pycurl.NOSIGNAL, 1)
        set_(pycurl.BUFFERSIZE, _BUFFER)
        set_(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        set_(pycurl.HTTP_TRANSFER_DECODING, 0)
        set_(pycurl.HTTP09_ALLOWED, 1)
        set_(pycurl.PATH_AS_IS, 1)
        set_(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_2TLS if ask.http2 else pycurl.CURL_HTTP_VERSION_1_1)
        lines = (f"{name}: {value}" if value else f"{name};" for name, value in ask.headers)
        set_(pycurl.HTTPHEADER, [line.encode("latin-1", "replace") for line in lines])
        set_(pycurl.CONNECTTIMEOUT_MS, int(ask.patience.connect * 1000))
        set_(pycurl.TIMEOUT_MS, int(ask.patience.total * 1000))
        set_(pycurl.LOW_SPEED_LIMIT, 1)
        set_(pycurl.LOW_SPEED_TIME, max(1, int(ask.patience.idle)))
        if addresses and ask.proxy is not None:
            transfer.target = through_proxy.chosen(addresses)
            set_(pycurl.CONNECT_TO, [through_proxy.connect_to(transfer.target, port)])
            set_(pycurl.HTTPPROXYTUNNEL, 1)
        elif addresses:
            shown = ",".join(f"[{a}]" if ":" in a else a for a in addresses)
            set_(pycurl.RESOLVE, [f"-{host}:{port}", f"{host}:{port}:{shown}"])
        self._prepare_method(set_, ask)
        self._prepare_tls(set_, ask)
        self._prepare_proxy(set_, ask)
        self._prepare_callbacks(set_, transfer)

    def _prepare_method(self, set_: Callable[..., None], ask: Ask) -> None:
        if ask.method == "HEAD":
            set_(pycurl.NOBODY, 1)
        elif ask.body is not None:
            set_(pycurl.POST, 1)
            set_(pycurl.POSTFIELDS, ask.body)
            set_(pycurl.CUSTOMREQUEST, ask.method)
        elif ask.method != "GET":
            set_(pycurl.CUSTOMREQUEST, ask.method)
        if ask.bytes_per_second:
            set_(pycurl.MAX_RECV_SPEED_LARGE, ask.bytes_per_second)

    def _prepare_tls(self, set_: Callable[..., None], ask: Ask) -> None:
        set_(pycurl.SSL_VERIFYPEER, int(ask.verify_tls))
        set_(pycurl.SSL_VERIFYHOST, 2 if ask.verify_tls else 0)
        if self._ca_file:
            set_(pycurl.CAINFO, self._ca_file)

    def _prepare_proxy(self, set_: Callable[..., None], ask: Ask) -> None:
        set_(pycurl.NOPROXY, "")  # the environment has no say
        if ask.proxy is None:
            set_(pycurl.PROXY, "")  # never one from the environment
            return
        set_(pycurl.PROXY, ask.proxy.url)
        set_(through_proxy.SUPPRESS_CONNECT_HEADERS, 1)
        if self._ca_file:
            set_(pycurl.PROXY_CAINFO, self._ca_file)
        if ask.proxy.username:
            set_(pycurl.PROXYUSERNAME, ask.proxy.username)
            set_(pycurl.PROXYPASSWORD, ask.proxy.password)

    def _prepare_callbacks(self, set_: Callable[..., None], transfer: _Transfer) -> None:
        most_head, most_body = transfer.ask.patience.head, transfer.ask.patience.body
        through_proxy = transfer.ask.proxy is not None

        def on_header(data: bytes) -> int | None:
            if not transfer.head:
                transfer.first_byte = self._since(transfer.began)
            transfer.head_size += len(data)
            if transfer.head_size > most_head:
                transfer.head_bomb = True
                return 0
            transfer.head.append(data)
            return None

        def on_body(data: bytes) -> int | None:
            room = most_body - transfer.size
            if len(data) > room:
                transfer.body.append(data[:room])
                transfer.size, transfer.too_long = most_body, True
                return 0
            transfer.body.append(data)
            transfer.size += len(data)
            return None

        def on_debug(kind: int, data: bytes) -> None:
            if kind in (_HEADER_OUT, _DATA_OUT):
                transfer.request.append(data)

        def on_open(purpose: int, address: tuple[Any, ...]) -> Any:
            family, kind, protocol, (ip, *_) = address
            refusal = None if through_proxy else self._guard.refusal(_as_text(ip))
            if refusal:
                transfer.refused = refusal
                return pycurl.SOCKET_BAD
            return _Opened(family, kind, protocol)

        set_(pycurl.HEADERFUNCTION, on_header)
        set_(pycurl.WRITEFUNCTION, on_body)
        set_(pycurl.VERBOSE, 1)
        set_(pycurl.DEBUGFUNCTION, on_debug)
        set_(pycurl.OPENSOCKETFUNCTION, on_open)

    def _outcome(self, handle: Any, transfer: _Transfer, code: int) -> Answer | Failure:
        raw = b"".join(transfer.head)
        address = handle.getinfo(pycurl.PRIMARY_IP) or None
        truncated = curl_errors.truncation(code, too_long=transfer.too_long)
        parsed = head.parse(raw) if raw else None
        if parsed is not None and parsed.status == through_proxy.PROXY_DENIES and transfer.ask.proxy is not None:
            words = f"the proxy {transfer.ask.proxy.url} asks for other credentials: status {parsed.status}"
            return self._failed(transfer, Trouble.PROXY, words, address)
        bare = not raw and transfer.size > 0  # HTTP/0.9: a body and nothing else
        if (code and truncated is None) or (parsed is None and not bare):
            return self._failure(transfer, code, handle, address)
        seconds = self._since(transfer.began)
        version = "0.9" if bare else _VERSIONS.get(handle.getinfo(pycurl.INFO_HTTP_VERSION), "1.1")
        notes: tuple[Inexactness, ...] = (Inexactness.BINARY_HEAD,) if version in ("2", "3") else ()
        if head.interim_count(raw):
            notes += (Inexactness.MERGED_INTERIM,)
        request = b"".join(transfer.request)
        if transfer.ask.proxy is not None:
            request, hidden = through_proxy.kept_request(request)
            notes += hidden
        return Answer(
            status=parsed.status if parsed else 200,
            version=version,
            request=request,
            head=raw,
            body=b"".join(transfer.body),
            started=transfer.started,
            finished=transfer.started + timedelta(seconds=seconds),
            first_byte=transfer.first_byte,
            seconds=seconds,
            address=address if transfer.ask.proxy is None else transfer.target,
            tls=_tls(transfer.ask),
            truncated=truncated,
            notes=notes,
        )

    def _failure(self, transfer: _Transfer, code: int, handle: Any, address: str | None) -> Failure:
        trouble, words = curl_errors.trouble(code, began=bool(transfer.head or transfer.size)), handle.errstr()
        found = _proxy_trouble(transfer, code, handle)
        if found is not None:
            trouble, words = found[0], f"{found[1]}: {words}" if words else found[1]
        if transfer.refused:
            trouble, words = Trouble.PRIVATE_ADDRESS, transfer.refused
        elif transfer.head_bomb:
            trouble, words = Trouble.HEAD_TOO_LARGE, f"the head is larger than {transfer.ask.patience.head} bytes"
        return self._failed(transfer, trouble, words, address)

    def _failed(self, transfer: _Transfer, trouble: Trouble, words: str, address: str | None) -> Failure:
        request = b"".join(transfer.request)
        if transfer.ask.proxy is not None:
            request, address = through_proxy.kept_request(request)[0], transfer.target
        return Failure(
            trouble=trouble, words=words or trouble.value, started=transfer.started, address=address,
            seconds=self._since(transfer.began), request=request,
        )  # fmt: skip

    def _since(self, began: float) -> float:
        return max(0.0, self._clock.monotonic() - began)

    def _on_socket(self, what: int, fd: int, _multi: Any, _data: Any) -> None:
        loop = self._loop
        loop.remove_reader(fd)
        loop.remove_writer(fd)
        if what in (pycurl.POLL_IN, pycurl.POLL_INOUT):
            loop.add_reader(fd, self._act, fd, pycurl.CSELECT_IN)
        if what in (pycurl.POLL_OUT, pycurl.POLL_INOUT):
            loop.add_writer(fd, self._act, fd, pycurl.CSELECT_OUT)

    def _on_timer(self, milliseconds: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if milliseconds >= 0:
            self._timer = self._loop.call_later(milliseconds / 1000, self._act, pycurl.SOCKET_TIMEOUT, 0)

    def _act(self, fd: int, mask: int) -> None:
        self._multi.socket_action(fd, mask)
        self._collect()

    def _collect(self) -> None:
        while True:
            waiting, good, bad = self._multi.info_read()
            for handle in good:
                self._finish(handle, 0)
            for handle, code, _ in bad:
                self._finish(handle, code)
            if not waiting:
                return

    def _finish(self, handle: Any, code: int) -> None:
        transfer = self._transfers.get(handle)
        if transfer is not None and not transfer.done.done():
            transfer.done.set_result(code)


class _Opened:
    """A socket for libcurl, which makes a copy of its number; ours is closed once that is done."""

    def __init__(self, family: int, kind: int, protocol: int) -> None:
        self._number = socket.socket(family, kind, protocol).detach()

    def fileno(self) -> int:
        return self._number

    def __del__(self) -> None:
        os.close(self._number)


def _proxy_trouble(transfer: _Transfer, code: int, handle: Any) -> tuple[Trouble, str] | None:
    if transfer.ask.proxy is None or transfer.head:
        return None
    return through_proxy.blamed(
        transfer.ask.proxy, code, connected=handle.getinfo(pycurl.CONNECT_TIME) > 0,
        tunnel_status=handle.getinfo(pycurl.HTTP_CONNECTCODE), socks_reply=handle.getinfo(pycurl.PROXY_ERROR),
    )  # fmt: skip


def _as_text(ip: str | bytes) -> str:
    return ip.decode("ascii") if isinstance(ip, bytes) else ip


def _tls(ask: Ask) -> TlsSummary | None:
    if not ask.url.startswith("https:"):
        return None
    return TlsSummary(version="", cipher="", verified=ask.verify_tls)
