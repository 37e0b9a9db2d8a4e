"""Requests to a node and its answers as plain values; every error has the one shape of the API."""

import json
import math
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from opilio.kernel.errors import OpilioError
from opilio.kernel.logs import new_correlation
from opilio.search.nodes.errors import BadQuestion, QuestionTooLong

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

LONGEST_QUERY = 64 << 10  # bytes of a query string: room for 10,000 words
_MOST_FIELDS = 100
_HINTS = {401: [(b"www-authenticate", b'Bearer realm="opilio"')], 503: [(b"retry-after", b"1")]}


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What a node answers."""

    document: Mapping[str, Any] | None = None
    status: int = 200
    text: str = ""  # instead of a document
    headers: tuple[tuple[bytes, bytes], ...] = ()

    def body(self) -> bytes:
        """The bytes of the answer."""
        if self.document is None:
            return self.text.encode()
        return json.dumps(self.document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def question(scope: Scope) -> dict[str, str]:
    """The parameters of a request, the last of each name; `BadQuestion` when they cannot be read."""
    raw: bytes = scope.get("query_string", b"")
    if len(raw) > LONGEST_QUERY:
        remedy = "Ask a shorter question."
        raise QuestionTooLong(f"the query string has more than {LONGEST_QUERY} bytes", remedy=remedy)
    try:
        text = raw.decode("ascii")
        return dict(parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS))
    except ValueError as error:
        remedy = f"Send at most {_MOST_FIELDS} fields, in UTF-8, percent-encoded."
        raise BadQuestion("the query string cannot be read", remedy=remedy) from error


def number(given: Mapping[str, str], name: str, *, default: int, most: int) -> int:
    """A whole number from 0 among the parameters; `BadQuestion` for anything else."""
    text = given.get(name, "")
    if not text:
        return default
    if not text.isascii() or not text.isdigit() or len(text) > 1 + math.ceil(math.log10(most + 1)) or int(text) > most:
        raise BadQuestion(f"{name} is no number from 0 to {most}", where=name, remedy="Send digits only.")
    return int(text)


def refusal(error: OpilioError) -> Answer:
    """An error as an answer. Folders of the server are not told."""
    where = "" if error.where.startswith("/") else error.where
    document = {
        "code": error.code,
        "message": error.what,
        "where": where,
        "remedy": error.remedy,
        "correlation": new_correlation(),
    }
    headers = tuple(_HINTS.get(error.http_status, ()))
    return Answer(document={"error": document}, status=error.http_status, headers=headers)


async def reply(send: Send, answer: Answer, *, head: bool = False) -> None:
    """Send an answer; without its body to HEAD."""
    body = answer.body()
    kind = b"application/json" if answer.document is not None else b"text/plain; version=0.0.4; charset=utf-8"
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        *answer.headers,
    ]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if head else body})
