"""The index of a WACZ: sorted CDXJ lines in gzip members of a thousand, and a list of the members by their first key.

Readers fetch the list, then the one member they need (`cdxj-gzip-1.0`).
"""

import hashlib
import itertools
import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from isal import isal_zlib

from opilio.archive.cdx.summary import Style, first_line
from opilio.archive.wacz.layout import INDEX

_LINES = 1024  # in one member
_LEVEL = 3  # isal's
_GZIP = 31


class Block(NamedTuple):
    """One member, and its line in the list."""

    data: bytes
    key: bytes


def header() -> bytes:
    """The first line of the list."""
    return first_line(INDEX.rpartition("/")[2], Style.WACZ)


def blocks(lines: Iterable[bytes]) -> Iterator[Block]:
    """The members, one after the other; the lines are sorted, and end with a line feed."""
    offset = 0
    stream = iter(lines)
    while portion := list(itertools.islice(stream, _LINES)):
        data = isal_zlib.compress(b"".join(portion), _LEVEL, _GZIP)
        first = portion[0].partition(b"{")[0].strip()
        digest = hashlib.sha256(data).hexdigest()
        told = json.dumps({"offset": offset, "length": len(data), "digest": f"sha256:{digest}"})
        yield Block(data, b"%b %b\n" % (first, told.encode()))
        offset += len(data)
