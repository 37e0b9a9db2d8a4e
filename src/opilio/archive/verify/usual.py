"""The quick way past records without a fault, which are nearly all: one look at the header, then the digests.

It says of a record that nothing is wrong with it, or nothing at all: whatever it does not take is looked at closely by
the others, which also say what is wrong. What is taken here must be what they find no fault with.
"""

import hashlib
import re
from binascii import unhexlify
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from opilio.archive.verify.noting import Noting
from opilio.kernel.digests import from_base32

_URI = rb"[A-Za-z][A-Za-z0-9+.-]*+:[!-;=?-~]"
_BYTE = rb"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_DATE = rb"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d"  # the last days: not here
_SUM = rb"(sha256:[0-9a-f]{64}|sha1:[A-Z2-7]{32})"
_WORDS = rb"[!-~]++(?: [!-~]++)*+"
_KINDS = rb"(response|request|resource|metadata|warcinfo)"
_LINES = {
    b"WARC-Type": _KINDS,
    b"WARC-Record-ID": rb"<(" + _URI + rb"++)>",
    b"WARC-Date": rb"(" + _DATE + rb"%bZ)",
    b"WARC-Target-URI": rb"(" + _URI + rb"*+)",
    b"WARC-Warcinfo-ID": rb"<(" + _URI + rb"++)>",
    b"WARC-Concurrent-To": rb"<(" + _URI + rb"++)>",
    b"WARC-IP-Address": rb"(" + _BYTE + rb"(?:\." + _BYTE + rb"){3})",
    b"WARC-Payload-Digest": _SUM,
    b"Opilio-Payload-Digest": _SUM,
    b"WARC-Block-Digest": _SUM,
    b"Content-Type": rb"(" + _WORDS + rb")",
    b"Content-Length": rb"(\d{1,15})",
    b"WARC-Protocol": _WORDS,
    b"WARC-Cipher-Suite": _WORDS,
}
_UNTOLD = frozenset({b"WARC-Protocol", b"WARC-Cipher-Suite"})  # may be there more than once, and say nothing to us
_NUMBERS = {name: number for number, name in enumerate(_LINES) if name not in _UNTOLD}  # of their groups, from 0
_FRACTIONS = {b"0": b"", b"1": rb"(?:\.\d{1,9})?"}  # of seconds, by version
_EITHER = b"|".join(name + b": " + value for name, value in _LINES.items())
_HEADERS = {
    version: re.compile(rb"WARC/1\." + version + rb"\r\n(?:(?:" + _EITHER.replace(b"%b", fraction) + rb")\r\n)++\r\n")
    for version, fraction in _FRACTIONS.items()
}
_START = len("WARC/1.1\r\nWARC-Type: req")  # bytes by which forms are told apart
_MOST_FORMS = 6  # that begin alike
_MOST_STARTS = 64
_OFTEN = tuple(b"\r\n" + name for name in _UNTOLD)
_MOST_LINES = 60
_END = b"\r\n\r\n"
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_NUMBER = re.compile(rb"[ \t]*:[ \t]*(\d{1,18})[ \t]*\r?\n")
_HTTP = b"application/http"
_SHA256, _SHA1 = hashlib.sha256, hashlib.sha1


class Usual:
    """Takes records of one file."""

    def __init__(self, noting: Noting, *, digests: bool, stop: int) -> None:
        self._noting = noting
        self._digests = digests
        self._stop = stop  # records that begin here or later are not taken
        self.open = False  # whether records are taken yet: not before the first one of a file
        self.taken = 0
        self._forms: dict[bytes, list[_Form]] = {}

    def take(self, data: bytes, at: int, offset: int, packed: int = 0) -> int:
        """The bytes of the record at a place of `data`, if all of it is there and right; else 0.

        It begins at `offset` of the file, and has `packed` bytes there, if it is packed.
        """
        if not self.open or offset >= self._stop:
            return 0
        start, given = self._header(data, at)
        if not start:
            return 0
        kind, record, date, url, info, concurrent, _, payload, ours, block, content, length = given
        end = start + int(length)
        body = start
        if content is not None and content.startswith(_HTTP) and kind in _MESSAGES:
            body = _body(data, start, end, response=kind == b"response")
        if not body or not data.startswith(_END, end):
            return 0
        if self._digests and not _summed(data, start, body, end, block, payload or ours):
            return 0
        self.taken += 1
        size = end + 4 - at
        self._noting.usual(kind, record, date, url, info, concurrent, payload, offset, packed or size)
        return size

    def _header(self, data: bytes, at: int) -> "tuple[int, Sequence[bytes]]":
        """Where the block of a record begins, and what its header says; 0 when it is not taken.

        Nearly all headers of a file have one of a few forms: the same lines in the same order.
        """
        begin = data[at : at + _START]
        forms = self._forms.get(begin, [])
        for number, form in enumerate(forms):
            found = form.pattern.match(data, at)
            if found is not None:
                if number:
                    forms.insert(0, forms.pop(number))
                return found.end(), found.group(*form.groups)
        pattern = _HEADERS.get(data[at + 7 : at + 8])
        found = pattern.match(data, at) if pattern is not None else None
        if found is None:
            return 0, ()
        given, start = found.groups(), found.end()
        if not _complete(given) or not _each_once(data, at, start, given):
            return 0, ()
        if given[_NUMBERS[b"Content-Type"]] is not None:
            self._learn(begin, [line.partition(b":")[0] for line in data[at : start - 4].split(b"\r\n")], given[0])
        return start, given

    def _learn(self, begin: bytes, names: list[bytes], kind: bytes) -> None:
        """The form of a header that was right; of those that begin alike, the last ones are remembered."""
        if len(self._forms) > _MOST_STARTS:
            self._forms.clear()
        self._forms[begin] = [_form(tuple(names), kind), *self._forms.get(begin, [])][:_MOST_FORMS]


class _Form(NamedTuple):
    """The lines that some headers have, in their order."""

    pattern: re.Pattern[bytes]
    groups: tuple[int, ...]  # of it, in the order in which a header is told


@lru_cache(maxsize=256)
def _form(names: tuple[bytes, ...], kind: bytes) -> _Form:
    """The form of a header of which all is right but the values; the first name is the line with the version."""
    fraction = _FRACTIONS[names[0][7:8]]
    lines = [name + b": " + _LINES[name] for name in names[1:]]
    text = rb"\r\n".join(lines).replace(_KINDS, b"(" + kind + b")").replace(b"%b", fraction)
    given = [name for name in names[1:] if name in _NUMBERS]
    nothing = len(given) + 1  # a group that never matches
    places = {_NUMBERS[name]: number for number, name in enumerate(given, 1)}
    groups = tuple(places.get(number, nothing) for number in range(len(_NUMBERS)))
    return _Form(re.compile(re.escape(names[0]) + rb"\r\n" + text + rb"\r\n\r\n(?:(?!)())?"), groups)


_ABOUT = frozenset({b"response", b"request", b"resource"})
_MESSAGES = frozenset({b"response", b"request"})


def _complete(given: tuple[bytes | None, ...]) -> bool:
    """Whether all is there that such a record must say, and nothing that it must not."""
    kind, record, date, url, info, concurrent, address, _, _, _, content, length = given
    if kind is None or record is None or date is None or length is None or (content is None and length != b"0"):
        return False
    if kind == b"warcinfo":
        return url is None and info is None and concurrent is None and address is None
    return url is not None or kind not in _ABOUT


def _each_once(data: bytes, at: int, start: int, given: tuple[bytes | None, ...]) -> bool:
    """Whether no line is there twice that may be there once."""
    lines = data.count(b"\n", at, start) - 2
    known = len(given) - given.count(None)
    if lines != known and lines <= _MOST_LINES:
        known += sum(data.count(name, at, start) for name in _OFTEN)
    return lines == known


def _body(data: bytes, start: int, end: int, *, response: bool) -> int:
    """Where the body of a simple HTTP message begins; 0 when it is not simple, or has not the length it says."""
    if response and not data.startswith(b"HTTP/", start):
        return 0
    found = _END_OF_HEAD.search(data, start, end)
    if found is None:
        return 0
    body = found.end()
    head = data[start:body].lower()
    if b"\ntransfer-encoding" in head:
        return 0
    at = head.find(b"\ncontent-length") if response else -1
    if at >= 0:
        number = _NUMBER.match(head, at + 15)
        if number is None or int(number[1]) != end - body:
            return 0
    return body


def _summed(data: bytes, start: int, body: int, end: int, block: bytes | None, payload: bytes | None) -> bool:
    """Whether block and payload have their digests."""
    view = memoryview(data)
    if block is not None and not _right(view[start:end], block):
        return False
    if payload is None or (payload == block and body == start):
        return True
    return _right(view[body:end], payload)


def _right(piece: memoryview, label: bytes) -> bool:
    if label[3:4] == b"2":
        return _SHA256(piece, usedforsecurity=False).digest() == unhexlify(label[7:])
    return _SHA1(piece, usedforsecurity=False).digest() == from_base32(label[5:].decode(), 20)
