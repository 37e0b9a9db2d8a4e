"""FTP, plain and with TLS. Of servers without MLSD the older list is read; exact size and time are asked per file."""

import contextlib
import ftplib
import socket
import ssl
from collections.abc import Callable, Iterator
from datetime import datetime
from io import BytesIO
from typing import Any, Self

from opilio.deliveries.errors import NotAtSource, SourceAway, SourceRefused, WrongIdentity
from opilio.deliveries.source import Entry, Source, SourceProtocol
from opilio.deliveries.sources.ftp_list import listed, moment
from opilio.deliveries.sources.paths import joined, plain
from opilio.deliveries.sources.trust import trust_of

_BLOCK = 1 << 18
_LONGEST_LIST = 64 << 20  # bytes of one folder's list
_NOT_THERE = ("550", "450")
_NOT_LET_IN = ("530", "532", "331", "332")


class FtpConnection:
    """One control connection; files come over connections of their own."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._data: socket.socket | None = None
        self._cut = False
        with self._mapped():
            self._ftp = _opened(source)
        try:
            with self._mapped():
                self._sign_in()
        except BaseException:
            self.close()
            raise

    def entries(self, folder: str) -> Iterator[Entry]:
        with self._mapped(folder):
            self._ftp.cwd(joined(self._source.base, folder))
            lines = self._lines("MLSD" if self._machine_lists else "LIST")
            found = [listed(line, machine=self._machine_lists) for line in lines]
        return iter([one for one in found if one is not None and plain(one.name)])

    def look(self, path: str) -> Entry:
        full = joined(self._source.base, path)
        with self._mapped(path):
            self._ftp.voidcmd("TYPE I")
            size = self._ftp.size(full)
            modified = self._modified(full)
        return Entry(name=path.rpartition("/")[2], size=size, modified=modified)

    def fetch(self, path: str, offset: int, take: Callable[[bytes], None]) -> None:
        with self._mapped(path):
            self._retrieve(f"RETR {joined(self._source.base, path)}", take, offset)

    def put(self, path: str, content: bytes) -> None:
        full = joined(self._source.base, path)
        with self._mapped(path):
            self._ftp.storbinary(f"STOR {full}.part", BytesIO(content))
            self._ftp.rename(f"{full}.part", full)

    def close(self) -> None:
        """Without a farewell that could hang; also while another thread waits, which is told."""
        self._cut = True
        for sock in (self._data, self._ftp.sock):
            if sock is not None:
                with contextlib.suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)
        self._ftp.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _sign_in(self) -> None:
        self._ftp.connect(self._source.host, self._source.at_port)
        self._ftp.login(self._source.user or "anonymous", self._source.password or "opilio@")
        if isinstance(self._ftp, ftplib.FTP_TLS):
            self._ftp.prot_p()
        self._machine_lists = "MLST" in self._features()

    def _features(self) -> str:
        try:
            return self._ftp.sendcmd("FEAT").upper()
        except ftplib.error_perm:
            return ""  # an old server; then its lists are old as well

    def _modified(self, path: str) -> datetime | None:
        try:
            return moment(self._ftp.sendcmd(f"MDTM {path}").partition(" ")[2].strip())
        except ftplib.error_perm as error:
            if str(error)[:3] in _NOT_THERE:
                raise
            return None  # a server that does not know the command

    def _lines(self, command: str) -> list[str]:
        got = bytearray()

        def take(block: bytes) -> None:
            got.extend(block)
            if len(got) > _LONGEST_LIST:
                raise SourceAway(f"The list of the folder is longer than {_LONGEST_LIST >> 20} MiB")

        self._retrieve(command, take, 0)
        return got.decode("utf-8", "replace").splitlines()

    def _retrieve(self, command: str, take: Callable[[bytes], None], offset: int) -> None:
        self._ftp.voidcmd("TYPE I")
        with self._ftp.transfercmd(command, offset or None) as self._data:
            while block := self._data.recv(_BLOCK):
                take(block)
            if isinstance(self._data, _Forgiving):
                self._data.unwrap()
        self._data = None
        self._ftp.voidresp()

    @contextlib.contextmanager
    def _mapped(self, path: str = "") -> Iterator[None]:
        where = f"{self._source.where}, {path}" if path else self._source.where
        try:
            yield
        except ftplib.error_perm as error:
            raise _permanent(str(error), where) from error
        except ssl.SSLCertVerificationError as error:
            remedy = "Ask the partner for the certificate of its authority and give it with the source."
            raise WrongIdentity(
                f"The certificate is not trusted: {error.verify_message}", where=where, remedy=remedy
            ) from error
        except TimeoutError as error:
            raise SourceAway(f"Nothing came for {self._source.timeout:g} s", where=where) from error
        except (ftplib.Error, EOFError, OSError) as error:
            raise SourceAway(f"The connection failed: {str(error) or 'the server hung up'}", where=where) from error
        except AttributeError as error:  # ftplib's own, when it was closed under its hands
            if not self._cut:
                raise
            raise SourceAway("The connection was cut", where=where) from error
        except ValueError as error:  # ftplib refuses names with line breaks
            raise NotAtSource(f"The name cannot be asked for: {error}", where=where) from error


class _SameSession(ftplib.FTP_TLS):
    """Files come within the TLS session of the control connection, as servers demand by default."""

    def ntransfercmd(self, cmd: str, rest: int | str | None = None) -> tuple[socket.socket, int | None]:
        plain_socket, size = ftplib.FTP.ntransfercmd(self, cmd, rest)  # noqa: S321 - secured below
        if not self._prot_p:  # type: ignore[attr-defined]
            return plain_socket, size
        control: Any = self.sock
        secured = self.context.wrap_socket(plain_socket, server_hostname=self.host, session=control.session)
        return _Forgiving(secured), size  # type: ignore[return-value]


class _Forgiving:
    """A data socket whose end counts also where the server ends TLS without saying so: the size decides."""

    def __init__(self, wrapped: ssl.SSLSocket) -> None:
        self._wrapped = wrapped

    def unwrap(self) -> None:
        with contextlib.suppress(OSError, ssl.SSLError):
            self._wrapped.unwrap()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._wrapped, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._wrapped.close()


def _opened(source: Source) -> ftplib.FTP:
    if source.protocol is SourceProtocol.FTPS:
        return _SameSession(timeout=source.timeout, context=trust_of(source), encoding="utf-8")
    return ftplib.FTP(timeout=source.timeout, encoding="utf-8")  # noqa: S321 - what some partners have


def _permanent(answer: str, where: str) -> Exception:
    code = answer[:3]
    if code in _NOT_LET_IN:
        remedy = "Check the user and the password."
        return SourceRefused(f"The server does not let us in: {answer}", where=where, remedy=remedy)
    if code in _NOT_THERE:
        return NotAtSource(f"There is no such file or folder at the source: {answer}", where=where)
    if code == "522":
        return WrongIdentity(f"The server does not accept our TLS: {answer}", where=where)
    return SourceRefused(f"The server refused: {answer}", where=where)
