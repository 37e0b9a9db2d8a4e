"""Fetches byte by byte over a plain socket what libcurl refuses to read, so that odd servers are archived exactly.

It understands just enough HTTP to know where a response ends: the connection is closed after each, and every byte
that came is kept. Used only after libcurl said that the reply is no HTTP it knows.
"""

import asyncio
import ssl
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from opilio.crawl.fetch import head
from opilio.crawl.fetch.exchange import Answer, Ask, Failure, Trouble
from opilio.crawl.fetch.guard import Guard
from opilio.crawl.fetch.resolver import Resolver
from opilio.crawl.fetch.tls import Secured
from opilio.kernel.bodies import IN_MEMORY, Body, FileBody, Spool
from opilio.kernel.capture import TlsSummary, Truncated
from opilio.kernel.clock import SYSTEM, Clock

_STEP = 65_536
_LOOK = 0.1  # seconds until it is asked again whether more may come; rates may change


@dataclass(kw_only=True)
class _Bytes:
    """What has come, and how it ended."""

    data: Spool
    secured: Secured | None = None
    paused: float = 0.0  # seconds
    first_byte: float = 0.0
    truncated: Truncated | None = None


class RawFetcher:
    """Asks once, reads until the server closes or the patience ends."""

    def __init__(
        self, *, guard: Guard, resolver: Resolver, clock: Clock = SYSTEM, ca_file: str = "", spool: Path | None = None
    ) -> None:
        self._guard = guard
        self._resolver = resolver
        self._clock = clock
        self._ca_file = ca_file
        self._spool = spool

    async def fetch(self, ask: Ask) -> Answer | Failure:
        """Do the exchange; a body without a status line counts as HTTP/0.9."""
        began, started = self._clock.monotonic(), self._clock.now()
        parts = urlsplit(ask.url)
        resolved = await self._resolver.resolve(parts.hostname or "")
        address = next((a for a in resolved.addresses if not self._guard.refusal(a)), None)
        if address is None:
            trouble = Trouble.PRIVATE_ADDRESS if resolved.addresses else Trouble.DNS
            return Failure(
                trouble=trouble, words=resolved.words or "refused by the guard", started=started, seconds=0.0
            )
        request = _request(ask)
        try:
            async with asyncio.timeout(ask.patience.total):
                found = await self._exchange(ask, address, request, began)
        except TimeoutError:
            return Failure(
                trouble=Trouble.TOTAL_TIMEOUT, words="took too long", started=started, seconds=ask.patience.total
            )
        except (OSError, ssl.SSLError) as error:
            return Failure(trouble=Trouble.RESET, words=str(error), started=started, seconds=self._since(began))
        return self._answer(ask, request, found, address, began)

    async def close(self) -> None:
        """Nothing is kept open."""

    async def _exchange(self, ask: Ask, address: str, request: bytes, began: float) -> _Bytes:
        parts = urlsplit(ask.url)
        secure = parts.scheme == "https"
        reader, writer = await asyncio.wait_for(
            asyncio.open_connection(
                address, parts.port or (443 if secure else 80), ssl=self._context(ask) if secure else None,
                server_hostname=parts.hostname if secure else None,
            ),
            ask.patience.connect,
        )  # fmt: skip
        found = _Bytes(data=Spool(self._spool), secured=_secured(writer))
        try:
            writer.write(request)
            await writer.drain()
            await self._read(reader, ask, found, began)
        finally:
            writer.close()
        return found

    async def _read(self, reader: asyncio.StreamReader, ask: Ask, found: _Bytes, began: float) -> None:
        most = ask.patience.head + ask.patience.body
        while not found.truncated:
            patience = ask.patience.idle if found.data.size else ask.patience.first_byte
            try:
                part = await asyncio.wait_for(reader.read(_STEP), patience)
            except TimeoutError:
                found.truncated = Truncated.TIME
                return
            except ConnectionError:
                found.truncated = Truncated.DISCONNECT
                return
            if not part:
                return
            if not found.data.size:
                found.first_byte = self._since(began)
            found.data.write(part[: most - found.data.size])
            if found.data.size >= most:
                found.truncated = Truncated.LENGTH
            await self._paused(ask, found, len(part))

    async def _paused(self, ask: Ask, found: _Bytes, size: int) -> None:
        """Count what came, and wait until more may come."""
        if ask.meter is None:
            return
        ask.meter.took(size)
        began = self._clock.monotonic()
        while (wait := ask.meter.wait()) > 0:
            await asyncio.sleep(min(wait, _LOOK))
            found.paused += self._since(began)
            began = self._clock.monotonic()

    def _answer(self, ask: Ask, request: bytes, found: _Bytes, address: str, began: float) -> Answer | Failure:
        seconds = self._since(began)
        started = self._clock.now() - timedelta(seconds=seconds)
        if not found.data.size:
            return Failure(trouble=Trouble.RESET, words="closed without a byte", started=started, seconds=seconds)
        raw_head, body = _split(found.data.body())
        if len(raw_head) > ask.patience.head:
            words = f"the head is larger than {ask.patience.head} bytes"
            return Failure(trouble=Trouble.HEAD_TOO_LARGE, words=words, started=started, seconds=seconds)
        parsed = head.parse(raw_head) if raw_head else None
        version = parsed.version if parsed and parsed.version in ("1.0", "1.1") else "1.1" if parsed else "0.9"
        return Answer(
            status=parsed.status if parsed and 100 <= parsed.status <= 999 else 200,
            version=version,
            request=request,
            head=raw_head,
            body=body,
            started=started,
            finished=started + timedelta(seconds=seconds),
            first_byte=found.first_byte,
            seconds=seconds,
            address=address,
            paused=found.paused,
            tls=TlsSummary(**found.secured._asdict(), verified=ask.verify_tls) if found.secured else None,
            truncated=found.truncated or (Truncated.DISCONNECT if head.is_torn(raw_head) else None),
        )

    def _context(self, ask: Ask) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=self._ca_file or None)
        if not ask.verify_tls:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context

    def _since(self, began: float) -> float:
        return max(0.0, self._clock.monotonic() - began)


def _request(ask: Ask) -> bytes:
    parts = urlsplit(ask.url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [f"{ask.method} {target} HTTP/1.1", f"Host: {parts.netloc.rpartition('@')[2]}"]
    lines += [f"{name}: {value}" for name, value in ask.headers if name.lower() != "connection"]
    lines += ["Connection: close", "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace") + (ask.body or b"")


def _secured(writer: asyncio.StreamWriter) -> Secured | None:
    """How a connection is secured; None where it is not."""
    made = writer.get_extra_info("ssl_object")
    if made is None:
        return None
    cipher = made.cipher()
    return Secured(made.version() or "", cipher[0] if cipher else "")


def _split(data: Body) -> tuple[bytes, Body]:
    """Head and body; all is body when there is no status line."""
    if isinstance(data, FileBody):
        found, _ = _split(data[:IN_MEMORY])
        return found, data.since(len(found))
    if head.parse(data[:4_096].split(b"\n", 1)[0] + b"\n\n") is None and head.parse(data[:4_096]) is None:
        return b"", data
    ends = [at + len(mark) for mark in (b"\r\n\r\n", b"\n\n") if (at := data.find(mark)) >= 0]
    end = min(ends, default=len(data))
    return data[:end], data[end:]
