"""What an S3-compatible server or the way to it did wrong, in our words: what, in which bucket, and what to do.

The library's own texts hold whole answers of the server, so only the status and the S3 code are taken from them.
"""

import contextlib
import re
from collections.abc import Iterator

from obstore.exceptions import (
    AlreadyExistsError,
    BaseError,
    PermissionDeniedError,
    PreconditionError,
    UnauthenticatedError,
)

from opilio.archive.store.errors import BehindTheEnd, NoBucket, NoSuchKey, StoreDenied, StoreUnavailable
from opilio.kernel.errors import OpilioError

_NOT_SATISFIABLE = 416
_STATUS = re.compile(r"status code: (\d{3})")
_CODE = re.compile(r"<Code>([A-Za-z0-9]{1,60})</Code>")
_SLOW = re.compile(r"kind: Timeout|TimedOut|timed out")
_UNREACHABLE = re.compile(r"kind: Connect,|ConnectError")
_CUT = re.compile(
    r"IncompleteMessage|IncompleteBody|UnexpectedEof|end of file before|decoding response body|error reading a body"
    r"|connection closed|Connection reset",
    re.IGNORECASE,
)
_KEYS = "Check OPILIO_S3_ACCESS_KEY and OPILIO_S3_SECRET_KEY, and what they may do with the bucket."
_AGAIN = "Check the server and the network, then run it again; what is stored already is not sent again."


@contextlib.contextmanager
def told(where: str) -> Iterator[None]:
    """Turn the library's errors into ours; those about conditions pass, for the caller decides what they mean."""
    try:
        yield
    except (AlreadyExistsError, PreconditionError):
        raise
    except (BaseError, FileNotFoundError, PermissionError, TimeoutError, ConnectionError) as error:
        if _status(error) == _NOT_SATISFIABLE:
            raise BehindTheEnd("the object ends before that", where=where, remedy="Ask for its size.") from None
        raise translated(error, where) from None


def translated(error: Exception, where: str) -> OpilioError:
    """Our error for one of the library."""
    text = str(error)
    status = _status(error)
    found = _CODE.search(text)
    code = found[1] if found else ""
    if code == "NoSuchBucket":
        return NoBucket("there is no such bucket", where=where, remedy="Make the bucket, or mend the address.")
    if isinstance(error, FileNotFoundError):
        return NoSuchKey("there is no such object", where=where, remedy="Check the key; a listing shows what is there.")
    if isinstance(error, PermissionDeniedError | UnauthenticatedError) or status in (401, 403):
        return StoreDenied(f"the server refuses: {code or status}", where=where, remedy=_KEYS)
    return StoreUnavailable(_reason(text, status, code), where=where, remedy=_AGAIN)


def _status(error: Exception) -> int | None:
    found = _STATUS.search(str(error))
    return int(found[1]) if found else None


def _reason(text: str, status: int | None, code: str) -> str:
    if status is not None:
        return f"the server answers {status}{f' ({code})' if code else ''}"
    if _SLOW.search(text):
        return "the server does not answer in time"
    if _UNREACHABLE.search(text):
        return "the server cannot be reached"
    if _CUT.search(text):
        return "the server breaks off in the middle of its answer"
    if "redential" in text:
        return "no credentials were given or found"
    return "the server's answer is not one of S3"
