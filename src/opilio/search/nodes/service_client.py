"""Asks the service of a node over HTTP, and turns what it answers, or does not, into values and errors of ours."""

import contextlib
import http.client
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from opilio.kernel.errors import Conflict, InvalidInput, NoSpace, OpilioError
from opilio.search.generations.errors import (
    BrokenManifest,
    DamagedGeneration,
    GenerationInUse,
    NoGeneration,
    WrongAnswers,
)
from opilio.search.nodes.errors import BadUpload, NodeUnreachable, NotPublisher, SwitchedMeanwhile

_KNOWN: dict[str, type[OpilioError]] = {
    "bad-upload": BadUpload,
    "broken-manifest": BrokenManifest,
    "conflict": Conflict,
    "damaged-generation": DamagedGeneration,
    "generation-in-use": GenerationInUse,
    "no-generation": NoGeneration,
    "no-space": NoSpace,
    "not-publisher": NotPublisher,
    "switched-meanwhile": SwitchedMeanwhile,
    "wrong-answers": WrongAnswers,
}
_LARGEST = 16 << 20  # bytes of an answer
_OK = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """What a service answered."""

    status: int
    document: Mapping[str, Any]


class ServiceClient:
    """One service. Certificates are verified; redirections are not followed."""

    def __init__(self, address: str, *, token: str = "", ca_file: str = "") -> None:
        parts = urlsplit(address)
        self.address = address.rstrip("/")
        self._host, self._port = parts.hostname or "", parts.port
        self._base = parts.path.rstrip("/")
        self._token = token
        self._tls = _context(ca_file) if parts.scheme == "https" else None

    def order(
        self, method: str, path: str, *, body: bytes | BinaryIO | None = None, length: int = 0, seconds: float = 60.0
    ) -> Mapping[str, Any]:  # fmt: skip
        """The document of a good answer; the error that the service told, or `NodeUnreachable`."""
        said = self.ask(method, path, body=body, length=length, seconds=seconds)
        if said.status != _OK:
            raise self._error(said)
        return said.document

    def ask(
        self, method: str, path: str, *, body: bytes | BinaryIO | None = None, length: int = 0, seconds: float = 60.0
    ) -> Said:  # fmt: skip
        """Any answer that is JSON; `NodeUnreachable` otherwise."""
        connection = self._connection(seconds)
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        if body is not None:
            headers["Content-Length"] = str(len(body) if isinstance(body, bytes) else length)
        try:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it may have told why before it hung up
                connection.request(method, f"{self._base}{path}", body=body, headers=headers)
            answer = connection.getresponse()
            text = answer.read(_LARGEST)
            if answer.length:
                raise http.client.IncompleteRead(text[:100])
            return Said(status=answer.status, document=_document(text))
        except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
            remedy = "See that the service runs and can be reached from here."
            what = f"the node does not answer ({type(error).__name__}: {str(error)[:120]})"
            raise NodeUnreachable(what, where=self.address, remedy=remedy) from error
        finally:
            connection.close()

    def _connection(self, seconds: float) -> http.client.HTTPConnection:
        if self._tls is not None:
            return http.client.HTTPSConnection(self._host, self._port, timeout=seconds, context=self._tls)
        return http.client.HTTPConnection(self._host, self._port, timeout=seconds)

    def _error(self, said: Said) -> OpilioError:
        told = said.document.get("error")
        fields = told if isinstance(told, dict) else {}
        kind = _KNOWN.get(str(fields.get("code")), NodeUnreachable)
        message = str(fields.get("message") or f"the node answered with status {said.status}")[:1_000]
        return kind(message, where=self.address, remedy=str(fields.get("remedy", ""))[:500])


def _document(text: bytes) -> Mapping[str, Any]:
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError("the answer is no JSON object")
    return found


def _context(ca_file: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file or None)
    except (OSError, ssl.SSLError) as error:
        remedy = "Name a file with certificates in PEM form."
        raise InvalidInput("the certificate authority cannot be read", where=ca_file, remedy=remedy) from error
