"""Odd answers, byte for byte: each row is what the server sends before it closes."""

from tests.servers.answers import Script
from tests.servers.behaviour import Behaviour, Visit

BODY = b"<p>odd</p>"

_TYPE = b"Content-Type: text/html\r\n"
_LENGTH = b"Content-Length: 10\r\n"
_OK = b"HTTP/1.1 200 OK\r\n"
_END = b"\r\n" + BODY

ODD: dict[str, tuple[str, bytes]] = {
    "no-colon": ("A header line without a colon.", _OK + _TYPE + b"this line has no colon\r\n" + _LENGTH + _END),
    "nul": ("A NUL in a header's value.", _OK + _TYPE + b"X-Odd: a\x00b\r\n" + _LENGTH + _END),
    "two-lengths": ("Two Content-Length headers that differ.", _OK + _TYPE + _LENGTH + b"Content-Length: 7\r\n" + _END),
    "same-lengths": ("Two Content-Length headers that agree.", _OK + _TYPE + _LENGTH + _LENGTH + _END),
    "bad-length": ("A Content-Length that is no number.", _OK + _TYPE + b"Content-Length: ten\r\n" + _END),
    "negative-length": ("A negative Content-Length.", _OK + _TYPE + b"Content-Length: -10\r\n" + _END),
    "length-and-chunks": (
        "Content-Length and chunked at once.",
        _OK + _TYPE + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\na\r\n" + BODY + b"\r\n0\r\n\r\n",
    ),
    "folded": ("A header folded over two lines.", _OK + _TYPE + b"X-Odd: first\r\n\t second\r\n" + _LENGTH + _END),
    "early-hints": (
        "103 Early Hints before the answer.",
        b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n" + _OK + _TYPE + _LENGTH + _END,
    ),
    "no-type": ("No Content-Type.", _OK + _LENGTH + _END),
    "empty-type": ("An empty Content-Type.", _OK + b"Content-Type:\r\n" + _LENGTH + _END),
    "two-types": ("Two Content-Type headers.", _OK + _TYPE + b"Content-Type: text/plain\r\n" + _LENGTH + _END),
    "lower-case": ("A status line in lower case.", b"http/1.1 200 ok\r\n" + _TYPE + _LENGTH + _END),
    "no-reason": ("A status line without a reason.", b"HTTP/1.1 200\r\n" + _TYPE + _LENGTH + _END),
    "bad-status": ("A status that is no number.", b"HTTP/1.1 two-hundred OK\r\n" + _TYPE + _LENGTH + _END),
    "http-1.0": ("HTTP/1.0, the body ends with the connection.", b"HTTP/1.0 200 OK\r\n" + _TYPE + _END),
    "http-0.9": ("HTTP/0.9: a body and nothing else.", BODY),
    "future-version": ("A version from the future.", b"HTTP/7.3 200 OK\r\n" + _TYPE + _LENGTH + _END),
    "bare-newlines": (
        "Lines that end with LF alone.",
        (_OK + _TYPE + _LENGTH + _END).replace(b"\r\n", b"\n"),
    ),
    "space-before-colon": ("A blank between name and colon.", _OK + _TYPE + b"X-Odd : blank\r\n" + _LENGTH + _END),
    "latin-1-header": ("A header in latin-1.", _OK + _TYPE + b"X-Odd: M\xe4her\r\n" + _LENGTH + _END),
    "utf-8-header": ("A header in UTF-8.", _OK + _TYPE + b"X-Odd: M\xc3\xa4her\r\n" + _LENGTH + _END),
    "empty-name": ("A header without a name.", _OK + _TYPE + b": nameless\r\n" + _LENGTH + _END),
    "leading-newline": ("An empty line before the status line.", b"\r\n" + _OK + _TYPE + _LENGTH + _END),
    "not-http": ("The greeting of another protocol.", b"SSH-2.0-OpenSSH_9.2\r\n"),
    "204-with-body": ("A 204 that has a body.", b"HTTP/1.1 204 No Content\r\n" + _LENGTH + _END),
}


def _behaviour(name: str, summary: str, data: bytes) -> Behaviour:
    def answer(_: Visit) -> Script:
        return Script(steps=(data,))

    return Behaviour(name=f"odd-{name}", path=f"/odd/{name}", answer=answer, summary=summary)


BEHAVIOURS = tuple(_behaviour(name, summary, data) for name, (summary, data) in ODD.items())
