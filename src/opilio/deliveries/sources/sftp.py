"""SFTP: a server is known by the fingerprints of its host keys that somebody enrolled, and by nothing else."""

import asyncio
import collections
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from datetime import UTC, datetime
from typing import Any, Self, TypeVar, cast

import asyncssh

from opilio.deliveries.errors import NotAtSource, SourceAway, SourceRefused, WrongIdentity
from opilio.deliveries.source import Entry, Source
from opilio.deliveries.sources.paths import joined, plain

_T = TypeVar("_T")
_PIECE = 255 << 10  # bytes of a request: what OpenSSH answers at once
_LEAST = 4 << 10  # bytes of a request, however little a server gives
_REQUESTS = 16  # under way at once
_CIPHERS = ("aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com", "aes256-ctr")
_NOBODY: tuple[list[Any], list[Any], list[Any]] = ([], [], [])  # no known_hosts file counts


class SftpConnection:
    """One connection, with an event loop of its own that runs while something is asked."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._cut = False
        self._expected = ("", 0)  # path and size of the last look
        self._ssh: asyncssh.SSHClientConnection | None = None
        try:
            self._ssh, self._sftp = self._run(self._connected())
        except BaseException:
            self._runner.close()
            raise

    def entries(self, folder: str) -> Iterator[Entry]:
        return iter(self._run(self._listed(joined(self._source.base, folder)), path=folder))

    def look(self, path: str) -> Entry:
        return self._run(self._looked(path), path=path)

    def fetch(self, path: str, offset: int, take: Callable[[bytes], None]) -> None:
        self._run(self._fetched(joined(self._source.base, path), offset, take), path=path)

    def put(self, path: str, content: bytes) -> None:
        self._run(self._written(joined(self._source.base, path), content), path=path)

    def close(self) -> None:
        """Also while another thread waits for the server: what it waits for fails."""
        ssh, self._ssh = self._ssh, None
        if ssh is None:
            return
        loop = self._runner.get_loop()
        if loop.is_running():
            self._cut = True
            loop.call_soon_threadsafe(ssh.abort)
            return
        with contextlib.suppress(asyncssh.Error, OSError, TimeoutError):  # it is over either way
            self._runner.run(_ended(ssh))
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _connected(self) -> tuple[asyncssh.SSHClientConnection, asyncssh.SFTPClient]:
        source = self._source
        keys = (
            [asyncssh.import_private_key(source.private_key, source.passphrase or None)] if source.private_key else []
        )
        async with asyncio.timeout(source.timeout):
            ssh = await asyncssh.connect(
                source.host, source.at_port, username=source.user, password=source.password or None,
                client_keys=keys or None, agent_path=None, config=None, known_hosts=_NOBODY, x509_trusted_certs=None,
                client_factory=lambda: _Enrolled(source), preferred_auth="publickey,password,keyboard-interactive",
                keepalive_interval=0, encryption_algs=_CIPHERS, compression_algs=("none",),
            )  # fmt: skip
            try:
                return ssh, await ssh.start_sftp_client()
            except BaseException:
                ssh.abort()
                raise

    async def _listed(self, path: str) -> list[Entry]:
        found = []
        async for one in _within(self._sftp.scandir(path), self._source.timeout):
            name = one.filename if isinstance(one.filename, str) else one.filename.decode("utf-8", "replace")
            if plain(name):
                found.append(_entry(name, one.attrs))
        return found

    async def _looked(self, path: str) -> Entry:
        async with asyncio.timeout(self._source.timeout):
            attributes = await self._sftp.lstat(joined(self._source.base, path))
        entry = _entry(path.rpartition("/")[2], attributes)
        self._expected = (path, entry.size or 0)
        return entry

    async def _fetched(self, path: str, offset: int, take: Callable[[bytes], None]) -> None:
        async with asyncio.timeout(self._source.timeout):
            stream = await self._sftp.open(path, "rb", block_size=0)
        reads = _Reads(stream, offset, self._size_of(path))
        try:
            while True:
                async with asyncio.timeout(self._source.timeout):
                    block = await reads.following()
                if not block:
                    return
                take(block)
        finally:
            reads.cancel()
            with contextlib.suppress(asyncssh.Error, OSError, TimeoutError, asyncio.CancelledError):
                async with asyncio.timeout(self._source.timeout):
                    await stream.close()

    def _size_of(self, path: str) -> int:
        """How many bytes are expected, as the last look said; it decides only how much is asked for at once."""
        looked, size = self._expected
        return size if joined(self._source.base, looked) == path else 0

    async def _written(self, path: str, content: bytes) -> None:
        aside = f"{path}.part"
        async with asyncio.timeout(self._source.timeout):
            async with self._sftp.open(aside, "wb") as stream:
                await stream.write(content)
            await self._sftp.posix_rename(aside, path)

    def _run(self, work: Coroutine[Any, Any, _T], *, path: str = "") -> _T:
        where = f"{self._source.where}, {path}" if path else self._source.where
        try:
            return self._runner.run(work)
        except (asyncssh.SFTPNoSuchFile, asyncssh.SFTPNoSuchPath) as error:
            raise NotAtSource("There is no such file or folder at the source", where=where) from error
        except asyncssh.SFTPPermissionDenied as error:
            raise SourceRefused("The server does not let us read this", where=where) from error
        except asyncssh.HostKeyNotVerifiable as error:
            raise _stranger(self._source, where) from error
        except (asyncssh.PermissionDenied, asyncssh.KeyImportError, asyncssh.KeyEncryptionError) as error:
            remedy = "Check the user, the password or the key."
            raise SourceRefused(f"The server does not let us in: {error}", where=where, remedy=remedy) from error
        except TimeoutError as error:
            waited = f"Nothing came for {self._source.timeout:g} s"
            raise SourceAway(waited, where=where, remedy="It is tried again later.") from error
        except (asyncssh.Error, OSError) as error:
            raise SourceAway(
                f"The connection failed: {error}", where=where, remedy="It is tried again later."
            ) from error
        finally:
            if self._cut:  # nobody else ends the loop
                self._runner.close()


class _Reads:
    """Reads of one file, several under way, given back in order; at the end there is nothing more.

    As many are asked for as the file is expected to need, and one more that must find its end. A file that turns out
    longer is read on. A server that gives less than it was asked for is asked for as much as it gives.
    """

    def __init__(self, stream: asyncssh.SFTPClientFile, offset: int, expected: int) -> None:
        self._stream, self._given, self._asked, self._expected = stream, offset, offset, expected
        self._piece = _PIECE
        self._waiting: collections.deque[tuple[asyncio.Future[bytes], int]] = collections.deque()

    async def following(self) -> bytes:
        """The next bytes; none at the end."""
        self._ask()
        answer, wanted = self._waiting[0]
        block = await answer
        self._waiting.popleft()
        self._given += len(block)
        if block and len(block) < wanted:
            self.cancel()  # what was asked for beyond begins in the wrong place
            self._asked, self._piece = self._given, min(self._piece, max(len(block), _LEAST))
        return block

    def cancel(self) -> None:
        """What was asked for is not wanted any more."""
        for answer, _ in self._waiting:
            if not answer.done():
                answer.cancel()
            elif not answer.cancelled():
                answer.exception()  # looked at, so that nobody is told of it
        self._waiting.clear()

    def _ask(self) -> None:
        while len(self._waiting) < _REQUESTS and (not self._waiting or self._asked <= self._expected):
            left = self._expected - self._asked
            size = min(self._piece, left) if left > 0 else self._piece
            answer = cast("Coroutine[Any, Any, bytes]", self._stream.read(size, self._asked))
            self._waiting.append((asyncio.ensure_future(answer), size))
            self._asked += size


class _Enrolled(asyncssh.SSHClient):
    """Trusts the host keys that were enrolled for a source."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def validate_host_public_key(self, host: str, addr: str, port: int, key: asyncssh.SSHKey) -> bool:
        return key.get_fingerprint("sha256") in self._source.host_keys


async def host_keys(host: str, port: int, *, within: float) -> list[str]:
    """The fingerprints of the host keys that a server shows, for whoever enrols it."""
    async with asyncio.timeout(within):
        key = await asyncssh.get_server_host_key(host, port)
    return [key.get_fingerprint("sha256")] if key is not None else []


def _stranger(source: Source, where: str) -> WrongIdentity:
    if not source.host_keys:
        remedy = "Compare the fingerprint with the partner, then enrol it: opilio delivery host-key HOST."
        return WrongIdentity("No host key of this server was enrolled", where=where, remedy=remedy)
    remedy = "Ask the partner whether the key was changed; enrol the new one only after that."
    return WrongIdentity("The server shows another host key than the one enrolled", where=where, remedy=remedy)


def _entry(name: str, found: asyncssh.SFTPAttrs) -> Entry:
    modified = datetime.fromtimestamp(found.mtime, UTC) if found.mtime is not None else None
    regular = found.type in (asyncssh.FILEXFER_TYPE_REGULAR, asyncssh.FILEXFER_TYPE_UNKNOWN)
    return Entry(name=name, file=regular, size=found.size, modified=modified)


async def _within(stream: AsyncIterator[_T], seconds: float) -> AsyncIterator[_T]:
    """Each item within a time."""
    while True:
        try:
            async with asyncio.timeout(seconds):
                item = await anext(stream)
        except StopAsyncIteration:
            return
        yield item


async def _ended(ssh: asyncssh.SSHClientConnection) -> None:
    ssh.close()
    async with asyncio.timeout(2):
        await ssh.wait_closed()
