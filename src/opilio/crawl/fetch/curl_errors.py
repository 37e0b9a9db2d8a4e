"""What libcurl's error codes mean for us: a trouble, or a response that is kept though it ends early."""

from opilio.crawl.fetch.exchange import Trouble
from opilio.kernel.capture import Truncated

FIRST_BYTE = -1  # our own code: the first byte did not come in time
PROTOCOL_REFUSED = frozenset({1, 8})  # unsupported or weird reply: worth asking again byte by byte

_TROUBLES = {
    FIRST_BYTE: Trouble.FIRST_BYTE_TIMEOUT,
    5: Trouble.PROXY,
    6: Trouble.DNS,
    7: Trouble.REFUSED,
    16: Trouble.PROTOCOL,
    35: Trouble.TLS,
    51: Trouble.TLS,
    52: Trouble.RESET,
    53: Trouble.TLS,
    54: Trouble.TLS,
    55: Trouble.RESET,
    56: Trouble.RESET,
    58: Trouble.TLS,
    59: Trouble.TLS,
    60: Trouble.TLS,
    77: Trouble.TLS,
    83: Trouble.TLS,
    90: Trouble.TLS,
    91: Trouble.TLS,
    92: Trouble.PROTOCOL,
    97: Trouble.PROXY,
}
_TIMED_OUT, _WRITE, _PARTIAL, _RECEIVE, _BAD_CODING = 28, 23, 18, 56, 61


def trouble(code: int, *, began: bool) -> Trouble:
    """Why there is no response to keep."""
    if code == _TIMED_OUT:
        return Trouble.IDLE_TIMEOUT if began else Trouble.CONNECT_TIMEOUT
    return _TROUBLES.get(code, Trouble.PROTOCOL)


def truncation(code: int, *, too_long: bool) -> Truncated | None:
    """Why a response that has begun ends early and is kept all the same; None when it is whole, or nothing is kept."""
    if too_long:
        return Truncated.LENGTH
    if code in (_PARTIAL, _RECEIVE):
        return Truncated.DISCONNECT
    if code in (_TIMED_OUT, FIRST_BYTE):
        return Truncated.TIME
    return None
