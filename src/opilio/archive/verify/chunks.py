"""Takes the chunked transfer coding off a body, a piece at a time (RFC 9112 §7.1)."""

import re

_SIZE = rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]*)?\r?\n"
_FIRST, _NEXT = re.compile(_SIZE), re.compile(rb"\r?\n" + _SIZE)
_LONGEST = 1 << 14  # bytes of a line that says a chunk's size

Pieces = list[memoryview]


class Dechunker:
    """What cannot be taken off ends it."""

    def __init__(self) -> None:
        self.ended = False  # the last chunk was there
        self.broken = False
        self._left = 0  # bytes of the chunk at work
        self._held = b""  # a line that is not whole yet
        self._pattern = _FIRST

    def feed(self, piece: memoryview) -> Pieces:
        """The data in the next bytes of the body."""
        found: Pieces = []
        while piece.nbytes and not self.ended and not self.broken:
            if self._left:
                data = piece[: self._left]
                found.append(data)
                self._left -= data.nbytes
                piece = piece[data.nbytes :]
            else:
                piece = self._line(piece)
        return found

    def _line(self, piece: memoryview) -> memoryview:
        """Read the size of the next chunk; what follows it."""
        line: bytes | memoryview = piece
        if self._held:
            line = self._held + bytes(piece[:_LONGEST])
        found = self._pattern.match(line)
        if found is None:
            return self._hold(bytes(line[:_LONGEST]))
        self._left = int(found[1], 16)
        self.ended = self._left == 0
        used = found.end() - len(self._held)
        self._held, self._pattern = b"", _NEXT
        return piece[used:]

    def _hold(self, line: bytes) -> memoryview:
        """Keep a line until its end comes; nothing follows it."""
        behind = line
        if self._pattern is _NEXT:
            behind = line.removeprefix(b"\r").removeprefix(b"\n")
            self.broken = behind == line or (len(behind) > 0 and b"\n" not in line[:2])
        self.broken = self.broken or len(line) >= _LONGEST or b"\n" in behind
        self._held = line
        return memoryview(b"")
