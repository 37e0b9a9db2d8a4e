"""What servers and commands answer about a package: one JSON object, read with care.

It has `id` (what the archive calls it), `size` in bytes and `sha512` in hex; a server may add `content`, the address
at which the bytes can be read again. What else it says is kept, as far as it is short.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from opilio.works.depositories.errors import Untrue
from opilio.works.depositories.values import Receipt

LONGEST = 1 << 20  # bytes of an answer
_SHA512 = re.compile(r"(?:sha512:|sha-512=)?([0-9a-fA-F]{128})")
_MOST = 20  # further things that are kept
_REMEDY = "Those who run the depository must mend that; docs/reference/package.md says what is expected."


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """An answer that makes sense."""

    receipt: Receipt
    content: str  # address of the bytes; empty: it told none


def statement(data: bytes, where: str) -> Statement:
    """Read an answer; `Untrue` when it is none."""
    told = _object(data, where)
    size, digest = told.get("size"), _SHA512.fullmatch(str(told.get("sha512", "")))
    identifier = str(told.get("id") or "").strip()
    if not identifier or len(identifier) > 255 or not identifier.isprintable():
        raise Untrue("the answer names no identifier of at most 255 characters", where=where, remedy=_REMEDY)
    if not isinstance(size, int) or isinstance(size, bool) or digest is None:
        raise Untrue("the answer has no size, or no sha512 of 128 hex digits", where=where, remedy=_REMEDY)
    more = {str(name)[:64]: _short(value) for name, value in list(told.items())[:_MOST]}
    receipt = Receipt(archive_id=identifier, size=size, sha512=digest[1].lower(), where=where, told=more)
    content = told.get("content")
    return Statement(receipt=receipt, content=content if isinstance(content, str) else "")


def is_nothing(data: bytes, where: str) -> bool:
    """Whether an answer says that there is no such package."""
    return _object(data, where).get("found") is False


def _object(data: bytes, where: str) -> dict[str, Any]:
    try:
        told = json.loads(data)
    except (ValueError, RecursionError) as error:
        what = f"the answer is not one JSON document: {str(error)[:200]}"
        raise Untrue(what, where=where, remedy=_REMEDY) from error
    if not isinstance(told, dict):
        raise Untrue("the answer is no JSON object", where=where, remedy=_REMEDY)
    return told


def _short(value: Any) -> Any:
    plain = value if isinstance(value, str | int | float | bool) or value is None else json.dumps(value)
    return plain[:1_000].replace("\x00", "\N{REPLACEMENT CHARACTER}") if isinstance(plain, str) else plain
