"""Brings rules of access from where they are made while readers are served: every few seconds, until it is ended.

Rules are taken only when they are genuine and newer. What cannot be pulled is logged; rules that stay away grow too old
by themselves, which closes everything.
"""

import http.client
import ipaddress
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from opilio.kernel.access_file import Pulled, pull
from opilio.kernel.clock import SYSTEM, Clock
from opilio.kernel.errors import InvalidInput, OpilioError, Unavailable
from opilio.kernel.logs import logger

#: Seconds from one pull to the next. The local copy is looked at as often, so that changes count within ten seconds.
EVERY = 4.0
_PATIENCE = 5.0  # seconds for a piece of an answer
_LONGEST = 60.0  # seconds for a whole one
_PIECE = 1 << 20  # bytes
_OK = 200
_SCHEMES = ("http://", "https://")
_REMEDY = "Check the address, and the server that offers the rules."

log = logger(__name__)


def source_of(text: str, token: str = "") -> Path | Callable[[], Iterable[bytes]]:
    """A file, or an address of the web; a token goes along to the latter, if it is safe from those between."""
    if not text.lower().startswith(_SCHEMES):
        return Path(text)
    return WebSource(text, token=token)


class WebSource:
    """Rules at an address; each call asks for them anew."""

    def __init__(self, address: str, *, token: str = "", clock: Clock = SYSTEM, longest: float = _LONGEST) -> None:
        try:
            parts = urlsplit(address)
            self._host, self._port = parts.hostname or "", parts.port
        except ValueError:
            self._host = ""
        if not self._host or parts.username is not None:
            remedy = "Write it as https://host/path, without user and password."
            raise InvalidInput("this is no address that rules can be had from", where="--access-source", remedy=remedy)
        self._secure = parts.scheme.lower() == "https"
        self._path = parts._replace(scheme="", netloc="", fragment="").geturl() or "/"
        self._where = f"{parts.scheme}://{parts.netloc}{parts.path}"
        self._headers = {"Accept-Encoding": "identity"}
        if token and (self._secure or _is_here(self._host)):
            self._headers["Authorization"] = f"Bearer {token}"
        self._clock = clock
        self._longest = longest

    def __call__(self) -> Iterator[bytes]:
        """The file, a piece at a time; `Unavailable` when the server has none."""
        deadline = self._clock.monotonic() + self._longest
        connection = self._connection()
        try:
            connection.request("GET", self._path, headers=self._headers)
            answer = connection.getresponse()
            if answer.status != _OK:
                raise Unavailable(f"the server answers with status {answer.status}", where=self._where, remedy=_REMEDY)
            while piece := answer.read1(_PIECE):
                if self._clock.monotonic() > deadline:
                    raise Unavailable("the server is too slow", where=self._where, remedy=_REMEDY)
                yield piece
        except (OSError, http.client.HTTPException) as error:
            what = f"the rules cannot be had ({type(error).__name__})"
            raise Unavailable(what, where=self._where, remedy=_REMEDY) from error
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        if self._secure:
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(self._host, self._port, timeout=_PATIENCE, context=context)
        return http.client.HTTPConnection(self._host, self._port, timeout=_PATIENCE)


def _is_here(host: str) -> bool:
    """Whether it is this machine, to which nobody listens on the way."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True, slots=True)
class RulesCopy:
    """Where rules come from and go to."""

    source: Path | Callable[[], Iterable[bytes]]
    local: Path
    key: Ed25519PublicKey

    def pull(self) -> Pulled:
        """Take what is newer."""
        return pull(self.source, self.local, self.key)


class AccessPulling:
    """Pulls in a thread of its own for the length of a `with`."""

    def __init__(self, copy: RulesCopy, *, every: float = EVERY) -> None:
        self._copy = copy
        self._every = every  # seconds
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="access-pulling", daemon=True)
        self._trouble = ""

    def __enter__(self) -> "AccessPulling":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self._ended.set()
        self._thread.join(timeout=_PATIENCE)

    def _run(self) -> None:
        while not self._ended.wait(self._every):
            self._once()

    def _once(self) -> None:
        """A trouble is told when it comes, not each time that it is still there."""
        try:
            done = self._copy.pull()
        except OpilioError as error:
            if error.what != self._trouble:
                log.warning("access_rules_not_pulled", where=error.where, error=error.what)
            self._trouble = error.what
            return
        self._trouble = ""
        if done.changed:
            log.info("access_rules_pulled", sequence=done.sequence, made=done.made.isoformat())
