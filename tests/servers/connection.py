"""One connection: reads requests, asks the routes for answers and plays them on the wire."""

import asyncio
import socket
import ssl
import struct
from collections.abc import Callable
from contextlib import suppress
from email.utils import formatdate

from tests.servers.answers import Answer, Ending, Pause, Response, Step, render
from tests.servers.request import Malformed, Request, read_request
from tests.servers.request_log import LogWriter

_LINGER_NOT = struct.pack("ii", 1, 0)  # SO_LINGER on with zero seconds: closing sends RST


class Connection:
    """A client's connection, from the first request to the last."""

    def __init__(
        self,
        *,
        streams: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        number: int,
        scheme: str,
        log: LogWriter,
        route: Callable[[Request], Answer],
    ) -> None:
        self._reader, self._writer = streams
        self._number = number
        self._scheme = scheme
        self._log = log
        self._route = route
        self._sent = 0
        host, port = self._writer.get_extra_info("peername")[:2]
        self._peer = f"{host}:{port}"

    async def serve(self) -> None:
        """Answer until either side leaves."""
        try:
            with suppress(ConnectionError, ssl.SSLError):
                while await self._serve_one():
                    pass
        finally:
            self._writer.close()

    async def _serve_one(self) -> bool:
        """Answer one request; tells whether another may follow."""
        request = await read_request(self._reader, self._writer, scheme=self._scheme)
        if request is None:
            return False
        understood = None if isinstance(request, Malformed) else request
        number = self._log.request(understood, connection=self._number, peer=self._peer, scheme=self._scheme)
        self._sent = 0
        try:
            return await self._answer(request)
        finally:
            self._log.answered(number, sent=self._sent)

    async def _answer(self, request: Request | Malformed) -> bool:
        if isinstance(request, Malformed):
            refusal = Response(status=400, body=f"{request.reason}\n".encode(), type="text/plain")
            blank = Request(method="GET", target="/", version="HTTP/1.1", headers=())
            await self._send(render(refusal, blank, date=formatdate(usegmt=True), persistent=False))
            await self._farewell()
            return False
        return await self._play(self._route(request), request)

    async def _farewell(self) -> None:
        """Read on for a moment: closing with bytes unread sends RST, which may overtake the refusal."""
        if self._writer.can_write_eof():
            self._writer.write_eof()
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                while await self._reader.read(1 << 16):
                    pass

    async def _play(self, answer: Answer, request: Request) -> bool:
        """Put an answer on the wire; tells whether another request may follow."""
        if isinstance(answer, Response):
            await self._send(self._rendered(answer, request))
            return request.persistent
        for step in answer.steps:
            if not await self._step(step):
                return False
        return answer.persistent and request.persistent and request.method != "HEAD"

    def _rendered(self, response: Response, request: Request) -> bytes:
        """The bytes of a response, or of a refusal when a parameter does not fit into a header."""
        date = formatdate(usegmt=True)
        try:
            return render(response, request, date=date, persistent=request.persistent)
        except ValueError as error:
            refusal = Response(status=400, body=f"{error}\n".encode(), type="text/plain")
            return render(refusal, request, date=date, persistent=request.persistent)

    async def _step(self, step: Step) -> bool:
        """Play one step of a script; tells whether the next may follow."""
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
            return not self._writer.is_closing()
        if step is Ending.RESET:
            self._reset()
            return False
        await self._send(step)
        await asyncio.sleep(0)  # an endless body must leave room for the other connections
        return not self._writer.is_closing()

    async def _send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()
        self._sent += len(data)

    def _reset(self) -> None:
        self._writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
        self._writer.transport.abort()
