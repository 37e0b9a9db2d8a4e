"""The HTTP message in a block, a piece at a time: where its payload lies, and whether head and body fit together.

The payload is the body without its transfer coding, content coding in place (WARC 1.1 §6.3.2).
"""

import re

from opilio.archive.verify.chunks import Dechunker, Pieces

_LONGEST_HEAD = 1 << 20  # bytes
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_STATUS = re.compile(rb"HTTP/\d+(?:\.\d+)?[ \t]+(\d{3})(?!\d)")
_NUMBER = re.compile(rb"[ \t]*:[ \t]*(\d{1,18})[ \t]*[\r\n]")
_VALUE = re.compile(rb"[ \t]*:[ \t]*([^\r\n]*)")
_BODILESS = frozenset({204, 304})
_BEGIN = b"HTTP/"
_NOTHING = memoryview(b"")


class HttpBlock:
    """A request or a response."""

    head = b""  # once it is whole
    is_http = True
    length: int | None = None  # Content-Length of the message
    size = 0  # bytes of the body, as it stands
    known = True  # whether the payload can be told: there is no transfer coding but chunked
    _held = b""  # a head that is not whole yet
    _dechunker: Dechunker | None = None

    def __init__(self, *, response: bool = True) -> None:
        self._response = response

    @property
    def status(self) -> int | None:
        """The status of a response."""
        found = _STATUS.match(self.head)
        return int(found[1]) if found else None

    @property
    def chunked(self) -> bool:
        """Whether there are chunks to be taken off."""
        return self._dechunker is not None

    @property
    def usual(self) -> bool:
        """Whether nothing can be wrong: a head, and a body of the length it says."""
        return self.head != b"" and self._dechunker is None and self.length in (None, self.size)

    def feed(self, piece: memoryview) -> tuple[Pieces, Pieces]:
        """Pieces of the payload in the next bytes, and of the body as it stands."""
        if not self.head and self.is_http:
            piece = self._begin(piece)
        if not piece.nbytes:
            return [], []
        self.size += piece.nbytes
        body = [piece]
        return (self._dechunker.feed(piece) if self._dechunker else body), body

    def head_problem(self) -> str:
        """What is wrong with the head."""
        if not self.is_http:
            return "the block does not begin as an HTTP message does"
        return "" if self.head else "the head of the HTTP message has no end"

    def length_problem(self, *, cut: bool) -> str:
        """Where the body has another length than the message says; a capture that was cut off may be short."""
        said = self.length
        if said is None or said == self.size or self._dechunker is not None or not self._response:
            return ""
        if self.size == 0 or self.status in _BODILESS or (cut and self.size < said):
            return ""  # an answer to HEAD has no body, whatever it says
        return f"the server said {said:,} bytes, and the body has {self.size:,}"

    def chunks_problem(self, *, cut: bool) -> str:
        """What is wrong with the chunks."""
        chunks = self._dechunker
        if chunks is None or chunks.ended or self.size == 0:
            return ""
        if chunks.broken:
            return "the body does not consist of whole chunks"
        return "" if cut else "the last chunk is missing"

    def _begin(self, piece: memoryview) -> memoryview:
        """Look for the end of the head; what follows it."""
        data: bytes | memoryview = self._held + bytes(piece) if self._held else piece
        if self._response and data[:5] != _BEGIN[: len(data)]:
            self.is_http = False
            return memoryview(data)
        found = _END_OF_HEAD.search(data)
        if found is None:
            self._held = bytes(data) if len(data) <= _LONGEST_HEAD else self._held
            return _NOTHING
        end = found.end()
        self._parse(bytes(data[:end]))
        used = end - len(self._held)
        self._held = b""
        return piece[used:]

    def _parse(self, head: bytes) -> None:
        self.head = head
        lower = head.lower()
        if (at := lower.find(b"\ncontent-length")) >= 0 and (number := _NUMBER.match(lower, at + 15)):
            self.length = int(number[1])
        if (at := lower.find(b"\ntransfer-encoding")) >= 0 and (value := _VALUE.match(lower, at + 18)):
            codings = [word.strip() for word in value[1].split(b",")]
            codings = [word for word in codings if word not in (b"", b"identity")]
            self.known = codings in ([], [b"chunked"])
            self._dechunker = Dechunker() if codings == [b"chunked"] else None
