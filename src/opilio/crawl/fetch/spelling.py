"""Spells heads of HTTP/2 and HTTP/3, which are binary on the wire, as HTTP/1.1: which is what WARC readers know."""

import re

_STATUS = re.compile(rb"(?m)^HTTP/[23](?:\.0)? (\d{3})")
_ASKED = re.compile(rb"\A([^ \r\n]+ [^ \r\n]*) HTTP/[23](?:\.0)?\r\n")


def head_as_text(head: bytes) -> bytes:
    """A response's head with status lines of HTTP/1.1; there is no reason phrase in the newer versions."""
    return _STATUS.sub(rb"HTTP/1.1 \1", head)


def request_as_text(request: bytes) -> bytes:
    """A request with a request line of HTTP/1.1."""
    return _ASKED.sub(rb"\1 HTTP/1.1\r\n", request)
