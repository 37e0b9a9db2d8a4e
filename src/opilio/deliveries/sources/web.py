"""A folder that a web server lists: nginx and Apache pages of links, or nginx's JSON."""

import base64
import contextlib
import http.client
import json
import ssl
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Self
from urllib.parse import quote, unquote, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

from opilio.deliveries.errors import FileChanged, NotAtSource, SourceAway, SourceRefused, WrongIdentity
from opilio.deliveries.source import Entry, Source, SourceProtocol
from opilio.deliveries.sources.paths import joined, plain
from opilio.deliveries.sources.trust import trust_of

_BLOCK = 1 << 18
_LONGEST_LIST = 64 << 20  # bytes
_DRAINED = 1 << 16  # bytes of an answer nobody wants, so that the connection can be used again


class WebConnection:
    """One connection that is kept open; a server that closes it is asked once more."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._http = _connection(source)

    def entries(self, folder: str) -> Iterator[Entry]:
        with self._mapped(folder):
            answer = self._ask("GET", folder + "/" if folder else "", {"Accept": "application/json, text/html"})
            body = answer.read(_LONGEST_LIST + 1)
        if len(body) > _LONGEST_LIST:
            raise SourceAway("The list of the folder is too long", where=f"{self._source.where}, {folder}")
        if "json" in (answer.getheader("Content-Type") or ""):
            return iter(_from_json(body, f"{self._source.where}, {folder}"))
        return iter(_from_page(body, self._path(folder) + "/"))

    def look(self, path: str) -> Entry:
        with self._mapped(path):
            answer = self._ask("HEAD", path, {})
            answer.read()
        size = answer.getheader("Content-Length") or ""
        return Entry(
            name=path.rpartition("/")[2], size=int(size) if size.isdigit() else None,
            modified=_time(answer.getheader("Last-Modified")), tag=answer.getheader("ETag") or "",
        )  # fmt: skip

    def fetch(self, path: str, offset: int, take: Callable[[bytes], None]) -> None:
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={offset}-"} if offset else {})
        with self._mapped(path):
            answer = self._ask("GET", path, headers)
            if offset and answer.status != http.HTTPStatus.PARTIAL_CONTENT:
                self._http.close()
                raise FileChanged("The server does not go on where we stopped", where=f"{self._source.where}, {path}")
            while block := answer.read(_BLOCK):
                take(block)
            if answer.length:  # http.client ends quietly when the server does
                self._http.close()
                raise SourceAway(
                    f"The server broke off, {answer.length} bytes short", where=f"{self._source.where}, {path}"
                )

    def put(self, path: str, content: bytes) -> None:
        with self._mapped(path):
            self._ask("PUT", path, {"Content-Type": "application/octet-stream"}, content).read()

    def close(self) -> None:
        if self._http.sock is not None:
            with contextlib.suppress(OSError):
                self._http.sock.shutdown(2)
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _path(self, path: str) -> str:
        return quote(joined(self._source.base, path.rstrip("/")))

    def _ask(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> http.client.HTTPResponse:
        target = self._path(path) + ("/" if path.endswith("/") or not path else "")
        try:
            self._http.request(method, target, body, {**_signed(self._source), **headers})
            answer = self._http.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self._http.close()  # it was kept open too long; once more, then it counts
            self._http.request(method, target, body, {**_signed(self._source), **headers})
            answer = self._http.getresponse()
        if answer.status not in (200, 201, 204, 206):
            answer.read(_DRAINED)
            self._http.close()
            raise _refusal(answer, f"{self._source.where}, {path}")
        return answer

    @contextlib.contextmanager
    def _mapped(self, path: str) -> Iterator[None]:
        where = f"{self._source.where}, {path}"
        try:
            yield
        except ssl.SSLCertVerificationError as error:
            remedy = "Ask the partner for the certificate of its authority and give it with the source."
            raise WrongIdentity(
                f"The certificate is not trusted: {error.verify_message}", where=where, remedy=remedy
            ) from error
        except TimeoutError as error:
            self._http.close()
            raise SourceAway(f"Nothing came for {self._source.timeout:g} s", where=where) from error
        except (http.client.HTTPException, OSError) as error:
            self._http.close()
            raise SourceAway(f"The connection failed: {str(error) or type(error).__name__}", where=where) from error


def _connection(source: Source) -> http.client.HTTPConnection:
    if source.protocol is SourceProtocol.HTTP:
        return http.client.HTTPConnection(source.host, source.at_port, timeout=source.timeout)
    return http.client.HTTPSConnection(source.host, source.at_port, timeout=source.timeout, context=trust_of(source))


def _signed(source: Source) -> dict[str, str]:
    if not source.user:
        return {}
    pair = base64.b64encode(f"{source.user}:{source.password}".encode()).decode("ascii")
    return {"Authorization": f"Basic {pair}"}


def _refusal(answer: http.client.HTTPResponse, where: str) -> Exception:
    said = f"{answer.status} {answer.reason}"
    if answer.status in (404, 410):
        return NotAtSource(f"There is no such file or folder at the source: {said}", where=where)
    if answer.status in (401, 403, 405, 407):
        return SourceRefused(f"The server refused: {said}", where=where, remedy="Check the user and the password.")
    if 300 <= answer.status < 400:
        remedy = f"Describe the source by its new address: {answer.getheader('Location') or 'not told'}."
        return SourceRefused(f"The server sends us elsewhere: {said}", where=where, remedy=remedy)
    return SourceAway(f"The server answered {said}", where=where)


def _from_json(body: bytes, where: str) -> list[Entry]:
    try:
        rows = json.loads(body)
        return [_json_entry(row) for row in rows if plain(str(row["name"]))]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise SourceAway("The list of the folder cannot be read as JSON", where=where) from error


def _json_entry(row: Mapping[str, object]) -> Entry:
    size = row.get("size")
    when = row.get("mtime")
    return Entry(
        name=str(row["name"]), file=row.get("type", "file") == "file", size=size if isinstance(size, int) else None,
        modified=_time(when if isinstance(when, str) else None),
    )  # fmt: skip


def _from_page(body: bytes, folder: str) -> list[Entry]:
    """The links of a page that lead to something directly in the folder."""
    found: dict[str, Entry] = {}
    for node in LexborHTMLParser(body).css("a[href]"):
        parts = urlsplit(urljoin(folder, node.attributes.get("href") or ""))
        if parts.scheme or parts.netloc or parts.query or not parts.path.startswith(folder):
            continue
        name = unquote(parts.path[len(folder) :])
        directory = name.endswith("/")
        if plain(name.rstrip("/")):
            found.setdefault(name, Entry(name=name.rstrip("/"), file=not directory))
    return list(found.values())


def _time(text: str | None) -> datetime | None:
    try:
        found = parsedate_to_datetime(text) if text else None
    except ValueError:
        return None
    return found.astimezone(UTC) if found is not None and found.tzinfo else None
