"""Takes secrets out of a request before it is kept: values of headers, and a body that stands in for the one sent."""

from opilio.crawl.fetch.exchange import Hidden
from opilio.kernel.redaction import HIDDEN

_END = b"\r\n\r\n"


def without_secrets(request: bytes, hidden: Hidden) -> bytes:
    """The request with `[hidden]` in place of secret values; the scheme of an `Authorization` header stays."""
    head, end, body = request.partition(_END)
    lines = [_shown(line, hidden) for line in head.split(b"\r\n")]
    return b"\r\n".join(lines) + end + (body if hidden.body is None else hidden.body)


def _shown(line: bytes, hidden: Hidden) -> bytes:
    name, colon, value = line.partition(b":")
    lower = name.decode("latin-1").strip().lower()
    if not colon or lower not in hidden.headers:
        return line
    words = value.split()
    scheme = words[0] + b" " if lower == "authorization" and len(words) > 1 else b""
    return name + b": " + scheme + HIDDEN.encode()
