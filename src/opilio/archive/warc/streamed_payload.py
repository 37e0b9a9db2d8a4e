"""Undoes transfer and content codings piece by piece; what is broken ends early, what only claims a coding passes.

Many WARC files keep `Transfer-Encoding: chunked` or `Content-Encoding: gzip` in the head of a body that was stored
without it: such bodies are handed on as they are, as readers of these files expect.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence

import brotli
import zstandard

Pieces = Iterator[bytes]
_STEP = 1 << 16  # bytes that come out at a time
_MOST_CODINGS = 4
_SIZE_LINE = 1_024  # bytes of the line that opens a chunk
_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]*)?\r?\n")
_ZSTD_WINDOW = 1 << 27  # bytes of memory that a frame may ask for
_ZSTD_BITE = 512  # bytes: one grows to 16 MiB at the most


def coding_names(values: Iterable[str]) -> list[str]:
    """The codings that header values name, in the order in which they must be undone."""
    words = [word.strip().lower().removeprefix("x-") for value in values for word in value.split(",")]
    return [word for word in reversed(words) if word not in ("", "identity")]


def known(codings: Sequence[str]) -> bool:
    """Whether all of them can be undone."""
    return len(codings) <= _MOST_CODINGS and all(name in _UNDOING for name in codings)


def undone(pieces: Pieces, codings: Sequence[str]) -> Pieces:
    """The content without the codings, which must be known."""
    for name in codings:
        pieces = _UNDOING[name](pieces)
    return pieces


def _dechunked(pieces: Pieces) -> Pieces:
    """RFC 9112 §7.1; a body that does not begin with a chunk is none of chunks."""
    buffer, begun = b"", False
    while True:
        buffer = _filled(buffer, pieces, _has_line)
        line = _SIZE.match(buffer)
        if line is None:
            if not begun:
                yield buffer
                yield from pieces
            return
        begun = True
        left, buffer = int(line[1], 16), buffer[line.end() :]
        if left == 0:
            return
        while left:
            buffer = buffer or next(pieces, b"")
            if not buffer:
                return
            part, buffer = buffer[:left], buffer[left:]
            left -= len(part)
            yield part
        buffer = _filled(buffer, pieces, lambda held: len(held) >= 2)
        buffer = buffer[2:] if buffer.startswith(b"\r\n") else buffer[1:] if buffer.startswith(b"\n") else buffer


def _has_line(held: bytes) -> bool:
    return b"\n" in held or len(held) >= _SIZE_LINE


def _filled(buffer: bytes, pieces: Pieces, enough: Callable[[bytes], bool]) -> bytes:
    while not enough(buffer) and (more := next(pieces, b"")):
        buffer += more
    return buffer


def _gunzipped(pieces: Pieces) -> Pieces:
    """All members; what stands behind the last one is left out, as browsers do."""
    rest = _filled(b"", pieces, lambda held: len(held) >= 2)
    if rest[:2] != b"\x1f\x8b":
        yield rest
        yield from pieces
        return
    while rest[:2] == b"\x1f\x8b":
        member = zlib.decompressobj(wbits=31)
        yield from _inflated(member, rest, pieces)
        if not member.eof:
            return
        rest = _filled(member.unused_data, pieces, lambda held: len(held) >= 2)


def _deflated(pieces: Pieces) -> Pieces:
    """With the wrapper of zlib, or without it as some servers send."""
    start = _filled(b"", pieces, lambda held: len(held) >= 2)
    wrapped = len(start) >= 2 and start[0] & 0x0F == 8 and int.from_bytes(start[:2], "big") % 31 == 0
    yield from _inflated(zlib.decompressobj(wbits=15 if wrapped else -15), start, pieces)


def _inflated(member: "zlib._Decompress", rest: bytes, pieces: Pieces) -> Pieces:
    while rest and not member.eof:
        try:
            part = member.decompress(rest, _STEP)
        except zlib.error:
            return
        if part:
            yield part
        rest = member.unconsumed_tail or (b"" if member.eof else next(pieces, b""))


def _unbrotlied(pieces: Pieces) -> Pieces:
    machine, first = brotli.Decompressor(), next(pieces, b"")
    piece, begun = first, False
    while not machine.is_finished():
        try:
            part = machine.process(piece, output_buffer_limit=_STEP)
        except brotli.error:
            if not begun:  # it never was brotli
                yield first
                yield from pieces
            return
        begun = begun or bool(part)
        if part:
            yield part
        piece = next(pieces, b"") if machine.can_accept_more_data() else b""
        if not part and not piece and machine.can_accept_more_data():
            return


def _unzstd(pieces: Pieces) -> Pieces:
    bites = (piece[at : at + _ZSTD_BITE] for piece in pieces for at in range(0, len(piece), _ZSTD_BITE))
    bite, begun = next(bites, b""), False
    while bite:
        machine = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()
        while bite and not machine.eof:
            try:
                part = machine.decompress(bite)
            except zstandard.ZstdError:
                if not begun:
                    yield bite
                    yield from bites
                return
            begun = True
            for at in range(0, len(part), _STEP):
                yield part[at : at + _STEP]
            bite = machine.unused_data if machine.eof else next(bites, b"")
        bite = bite or next(bites, b"")


_UNDOING: dict[str, Callable[[Pieces], Pieces]] = {
    "chunked": _dechunked,
    "gzip": _gunzipped,
    "deflate": _deflated,
    "br": _unbrotlied,
    "zstd": _unzstd,
}
