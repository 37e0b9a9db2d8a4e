"""Fetches with libcurl's multi interface on the event loop.

libcurl does one exchange and nothing else: it follows no redirect, answers no challenge, keeps no cookies, decodes
nothing. The address is resolved and checked before, handed over, and checked again when the socket is opened.
"""

import asyncio
import math
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pycurl

from opilio.crawl.fetch import curl_errors, head, spelling, through_proxy
from opilio.crawl.fetch.alarms import Alarm
from opilio.crawl.fetch.exchange import Answer, Ask, Failure, Trouble
from opilio.crawl.fetch.guard import Guard
from opilio.crawl.fetch.line import Line, Transfer
from opilio.crawl.fetch.pacing import Pacer
from opilio.crawl.fetch.place import place_of
from opilio.crawl.fetch.resolver import Resolver, literal
from opilio.crawl.fetch.sockets import sockets_of
from opilio.crawl.fetch.tls import Connections
from opilio.kernel.bodies import Spool
from opilio.kernel.capture import Inexactness, Truncated
from opilio.kernel.clock import SYSTEM, Clock

_BUFFER = 65_536
_VERSIONS = {1: "1.0", 2: "1.1", 3: "2", 30: "3"}
_IDLE_HANDLES = 256


class CurlFetcher:
    """One per process and event loop."""

    def __init__(
        self, *, guard: Guard, resolver: Resolver | None = None, clock: Clock = SYSTEM, connections: int = 256,
        ca_file: str = "", spool: Path | None = None,
    ) -> None:  # fmt: skip
        self._guard = guard
        self._clock = clock
        self._resolver = resolver or Resolver(clock=clock)
        self._ca_file = ca_file
        self._spool = spool  # where large bodies wait
        self._secured = Connections()
        self._loop = asyncio.get_running_loop()
        self._expiry = Alarm(self._loop, self._expired)
        self._first_bytes = Alarm(self._loop, self._look_for_first_bytes)
        self._soon: asyncio.Handle | None = None  # libcurl has something to do at once
        self._sockets = sockets_of(self._loop, self._act)
        self._transfers: dict[Any, Transfer] = {}
        self._idle: list[Line] = []
        self._pacer: Pacer[Line, Transfer] = Pacer(self._loop, self._clock, self._go_on)
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_MAX_HOST_CONNECTIONS, 0)
        self._multi.setopt(pycurl.M_MAXCONNECTS, connections)
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._on_socket)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._on_timer)

    async def fetch(self, ask: Ask) -> Answer | Failure:
        """Do the exchange."""
        began, started = self._clock.monotonic(), self._clock.now()
        host, port = place_of(ask.url)
        addresses: tuple[str, ...] = ()
        if ask.proxy is None or not ask.proxy.resolves_names or literal(host.strip("[]")) is not None:
            resolved = await self._resolver.resolve(host)
            if not resolved.addresses:
                trouble = Trouble.NO_SUCH_HOST if resolved.missing else Trouble.DNS
                return Failure(trouble=trouble, words=resolved.words, started=started, seconds=self._since(began))
            addresses, refusal = self._guard.sifted(resolved.addresses)
            if not addresses:
                words = f"{host} is not fetched: {refusal}"
                return Failure(trouble=Trouble.PRIVATE_ADDRESS, words=words, started=started, seconds=0.0)
        return await self._exchange(ask, host, port, addresses, began, started)

    async def close(self) -> None:
        """Give up all connections."""
        for handle, transfer in list(self._transfers.items()):
            self._multi.remove_handle(handle)
            transfer.done.cancel()
        self._transfers.clear()
        if self._soon is not None:
            self._soon.cancel()
        self._expiry.close()
        self._first_bytes.close()
        self._pacer.close()
        self._resolver.close()
        for line in self._idle:
            line.handle.close()
        self._multi.close()
        self._expiry.close()  # libcurl may have set it once more
        self._sockets.close()

    async def _exchange(
        self, ask: Ask, host: str, port: int, addresses: tuple[str, ...], began: float, started: datetime
    ) -> Answer | Failure:
        done, body = self._loop.create_future(), Spool(self._spool)
        transfer = Transfer(ask=ask, done=done, asked=time.monotonic(), began=began, started=started, body=body)
        line = self._idle.pop() if self._idle else Line(pycurl.Curl(), self._guard, self._clock, self._pacer)
        handle, line.transfer = line.handle, transfer
        self._prepare(line, transfer, host, port, addresses)
        self._transfers[handle] = transfer
        self._multi.add_handle(handle)
        self._first_bytes.set_earlier(ask.patience.first_byte)
        try:
            if self._soon is not None:  # libcurl wants to begin, and need not wait for the next round of the loop
                self._soon.cancel()
                self._expired()
            code = await transfer.done
            return self._outcome(handle, transfer, code)
        finally:
            if transfer.secured is not None:
                self._secured.learn(handle.getinfo(pycurl.CONN_ID), transfer.secured)
            if self._transfers.pop(handle, None) is not None:
                self._multi.remove_handle(handle)
            line.transfer = None
            if len(self._idle) < _IDLE_HANDLES:
                self._idle.append(line)
            else:
                handle.close()

    def _look_for_first_bytes(self) -> None:
        """End the transfers whose first byte is overdue, and come again for the next one."""
        now, soonest = time.monotonic(), math.inf
        for transfer in self._transfers.values():
            if transfer.head or transfer.done.done():
                continue
            left = transfer.asked + transfer.ask.patience.first_byte - now
            if left <= 0:
                transfer.done.set_result(curl_errors.FIRST_BYTE)
            else:
                soonest = min(soonest, left)
        self._first_bytes.set(soonest)

    def _prepare(self, line: Line, transfer: Transfer, host: str, port: int, addresses: tuple[str, ...]) -> None:
        """Tell libcurl what differs from what this handle did before."""
        ask, set_ = transfer.ask, line.handle.setopt
        plain = ask.method == "GET" and ask.body is None and ask.proxy is None
        alike = (ask.patience, ask.http2, ask.verify_tls) if plain else ()
        if not alike or line.alike != alike:
            line.handle.reset()
            line.alike, line.headers, line.resolved = alike, (), ()
            self._prepare_all(set_, line, ask)
        set_(pycurl.URL, ask.url.encode())
        if line.headers != ask.headers:
            lines = (f"{name}: {value}" if value else f"{name};" for name, value in ask.headers)
            set_(pycurl.HTTPHEADER, [text.encode("latin-1", "replace") for text in lines])
            line.headers = ask.headers
        if addresses and ask.proxy is not None:
            transfer.target = through_proxy.chosen(addresses)
            set_(pycurl.CONNECT_TO, [through_proxy.connect_to(transfer.target, port)])
            set_(pycurl.HTTPPROXYTUNNEL, 1)
        elif addresses and line.resolved != (host, port, addresses):
            shown = ",".join(f"[{a}]" if ":" in a else a for a in addresses)
            set_(pycurl.RESOLVE, [f"-{host}:{port}", f"{host}:{port}:{shown}"])
            line.resolved = (host, port, addresses)

    def _prepare_all(self, set_: Callable[..., None], line: Line, ask: Ask) -> None:
        set_(pycurl.NOSIGNAL, 1)
        set_(pycurl.BUFFERSIZE, _BUFFER)
        set_(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        set_(pycurl.HTTP_TRANSFER_DECODING, 0)
        set_(pycurl.HTTP09_ALLOWED, 1)
        set_(pycurl.PATH_AS_IS, 1)
        set_(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_2TLS if ask.http2 else pycurl.CURL_HTTP_VERSION_1_1)
        set_(pycurl.CONNECTTIMEOUT_MS, int(ask.patience.connect * 1000))
        set_(pycurl.TIMEOUT_MS, int(ask.patience.total * 1000))
        set_(pycurl.LOW_SPEED_LIMIT, 1)
        set_(pycurl.LOW_SPEED_TIME, max(1, int(ask.patience.idle)))
        self._prepare_method(set_, ask)
        self._prepare_tls(set_, ask)
        self._prepare_proxy(set_, ask)
        self._prepare_callbacks(set_, line)

    def _prepare_method(self, set_: Callable[..., None], ask: Ask) -> None:
        if ask.method == "HEAD":
            set_(pycurl.NOBODY, 1)
        elif ask.body is not None:
            set_(pycurl.POST, 1)
            set_(pycurl.POSTFIELDS, ask.body)
            set_(pycurl.CUSTOMREQUEST, ask.method)
        elif ask.method != "GET":
            set_(pycurl.CUSTOMREQUEST, ask.method)

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

    def _prepare_callbacks(self, set_: Callable[..., None], line: Line) -> None:
        set_(pycurl.HEADERFUNCTION, line.on_header)
        set_(pycurl.WRITEFUNCTION, line.on_body)
        set_(pycurl.VERBOSE, 1)
        set_(pycurl.DEBUGFUNCTION, line.on_debug)
        set_(pycurl.OPENSOCKETFUNCTION, line.on_open)

    def _outcome(self, handle: Any, transfer: Transfer, code: int) -> Answer | Failure:
        if transfer.broken is not None:
            raise transfer.broken
        raw = b"".join(transfer.head)
        address = handle.getinfo(pycurl.PRIMARY_IP) or None
        truncated = curl_errors.truncation(code, too_long=transfer.too_long)
        parsed = head.parse(raw) if raw else None
        if parsed is not None and parsed.status == through_proxy.PROXY_DENIES and transfer.ask.proxy is not None:
            words = f"the proxy {transfer.ask.proxy.url} asks for other credentials: status {parsed.status}"
            return self._failed(transfer, Trouble.PROXY, words, address)
        bare = not raw and transfer.body.size > 0  # HTTP/0.9: a body and nothing else
        if (code and truncated is None) or (parsed is None and not bare):
            return self._failure(transfer, code, handle, address)
        if truncated is None and head.is_torn(raw):
            truncated = Truncated.DISCONNECT
        seconds = self._since(transfer.began)
        version = "0.9" if bare else _VERSIONS.get(handle.getinfo(pycurl.INFO_HTTP_VERSION), "1.1")
        notes: tuple[Inexactness, ...] = ()
        if head.interim_count(raw):
            notes += (Inexactness.MERGED_INTERIM,)
        request = b"".join(transfer.request)
        if transfer.ask.proxy is not None:
            request, hidden = through_proxy.kept_request(request)
            notes += hidden
        if version in ("2", "3"):
            raw, request = spelling.head_as_text(raw), spelling.request_as_text(request)
            notes += (Inexactness.BINARY_HEAD,)
        return Answer(
            status=parsed.status if parsed else 200,
            version=version,
            request=request,
            head=raw,
            body=transfer.body.body(),
            started=transfer.started,
            finished=transfer.started + timedelta(seconds=seconds),
            first_byte=transfer.first_byte,
            seconds=seconds,
            address=address if transfer.ask.proxy is None else transfer.target,
            paused=transfer.paused,
            tls=self._secured.summary(transfer.ask, transfer.secured, handle),
            truncated=truncated,
            notes=notes,
        )

    def _failure(self, transfer: Transfer, code: int, handle: Any, address: str | None) -> Failure:
        trouble, words = curl_errors.trouble(code, began=bool(transfer.head or transfer.body.size)), handle.errstr()
        found = _proxy_trouble(transfer, code, handle)
        if found is not None:
            trouble, words = found[0], f"{found[1]}: {words}" if words else found[1]
        if transfer.dropped:
            trouble, words = Trouble.RESET, "the server closed the connection without an answer"
        if transfer.refused:
            trouble, words = Trouble.PRIVATE_ADDRESS, transfer.refused
        elif transfer.head_bomb:
            trouble, words = Trouble.HEAD_TOO_LARGE, f"the head is larger than {transfer.ask.patience.head} bytes"
        return self._failed(transfer, trouble, words, address)

    def _failed(self, transfer: Transfer, trouble: Trouble, words: str, address: str | None) -> Failure:
        request = b"".join(transfer.request)
        if transfer.ask.proxy is not None:
            request, address = through_proxy.kept_request(request)[0], transfer.target
        return Failure(
            trouble=trouble, words=words or trouble.value, started=transfer.started, address=address,
            seconds=self._since(transfer.began), request=request,
        )  # fmt: skip

    def _since(self, began: float) -> float:
        return max(0.0, self._clock.monotonic() - began)

    def _on_socket(self, what: int, number: int, _multi: Any, _data: Any) -> None:
        self._sockets.wait_for(what, number)

    def _on_timer(self, milliseconds: int) -> None:
        if milliseconds == 0:
            self._soon = self._soon or self._loop.call_soon(self._expired)
        self._expiry.set(milliseconds / 1000 if milliseconds > 0 else math.inf)

    def _expired(self) -> None:
        self._soon = None
        self._act(pycurl.SOCKET_TIMEOUT, 0)

    def _act(self, number: int, mask: int) -> None:
        _, running = self._multi.socket_action(number, mask)
        if running != len(self._transfers):
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

    def _go_on(self, line: Line, transfer: Transfer) -> None:
        """A transfer that was paused receives again; what libcurl kept comes at once."""
        if line.transfer is not transfer:
            return
        try:
            line.handle.pause(pycurl.PAUSE_CONT)
        except pycurl.error as error:
            self._finish(line.handle, error.args[0])

    def _finish(self, handle: Any, code: int) -> None:
        transfer = self._transfers.get(handle)
        if transfer is not None and not transfer.done.done():
            transfer.done.set_result(code)


def _proxy_trouble(transfer: Transfer, code: int, handle: Any) -> tuple[Trouble, str] | None:
    if transfer.ask.proxy is None or transfer.head:
        return None
    return through_proxy.blamed(
        transfer.ask.proxy, code, connected=handle.getinfo(pycurl.CONNECT_TIME) > 0,
        tunnel_status=handle.getinfo(pycurl.HTTP_CONNECTCODE), socks_reply=handle.getinfo(pycurl.PROXY_ERROR),
    )  # fmt: skip
