"""The payload of an archived HTTP response: transfer coding and content coding undone, never beyond a limit.

Servers lie about their codings and break off in the middle: what could be decoded is returned, with what was wrong.
"""

import io
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import brotli
import zstandard

#: Bytes of a payload unless the caller asks for more or less.
MOST = 64 << 20

_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]*)?\r?\n")
_AFTER_CHUNK = re.compile(rb"\r?\n")
_ZSTD_WINDOW = 128 << 20  # bytes of memory that a frame may ask for


@dataclass(frozen=True, kw_only=True, slots=True)
class Payload:
    """Decoded bytes, and why they may not be all."""

    data: bytes
    problem: str = ""  # empty: all is there

    @property
    def complete(self) -> bool:
        """Whether all of it could be decoded within the limit."""
        return not self.problem


def payload_of(head: bytes, body: bytes, *, most: int = MOST) -> Payload:
    """The payload of a response as its reader would see it, at most `most` bytes."""
    found = Payload(data=body)
    for coding in (*_codings(head, b"transfer-encoding"), *_codings(head, b"content-encoding")):
        found = _undo(coding, found, most)
    if len(found.data) > most:
        return Payload(data=found.data[:most], problem=f"longer than {most} bytes")
    return found


def header_values(head: bytes, name: bytes) -> list[str]:
    """All values of a header, in the order of the head."""
    pattern = rb"(?im)^" + re.escape(name) + rb"[ \t]*:([^\r\n]*)"
    return [value.decode("latin-1").strip() for value in re.findall(pattern, head.partition(b"\n")[2])]


def _codings(head: bytes, name: bytes) -> list[str]:
    """The codings of a header, in the order in which they must be undone."""
    words = [word.strip().lower() for value in header_values(head, name) for word in value.split(",")]
    return [word for word in reversed(words) if word not in ("", "identity")]


def _undo(coding: str, given: Payload, most: int) -> Payload:
    decode = _DECODERS.get(coding)
    if decode is None:
        return Payload(data=given.data, problem=given.problem or f"unknown coding {coding[:40]!r}")
    data, problem = decode(given.data, most)
    return Payload(data=data, problem=given.problem or problem)


def _chunked(data: bytes, most: int) -> tuple[bytes, str]:
    found: list[bytes] = []
    at, size = 0, 0
    while size <= most:
        line = _CHUNK.match(data, at)
        if line is None:
            return b"".join(found), "a broken chunk" if at < len(data) else "the last chunk is missing"
        length = int(line[1], 16)
        if length == 0:
            return b"".join(found), ""
        chunk = data[line.end() : line.end() + length]
        found.append(chunk)
        size += len(chunk)
        end = _AFTER_CHUNK.match(data, line.end() + length)
        if len(chunk) < length or end is None:
            return b"".join(found), "the last chunk is missing"
        at = end.end()
    return b"".join(found), ""  # the caller cuts at the limit, and says so


def _gzip(data: bytes, most: int) -> tuple[bytes, str]:
    """All members; bytes behind the last one are ignored, as browsers do."""
    found = b""
    while data[:2] == b"\x1f\x8b" and len(found) <= most:
        member = zlib.decompressobj(wbits=31)
        part, problem = _inflate(member, data, most + 1 - len(found))
        found += part
        if problem or not member.eof:
            return found, problem
        data = member.unused_data
    return (found, "") if found or not data else (data, "not gzip")


def _deflate(data: bytes, most: int) -> tuple[bytes, str]:
    """With the zlib wrapper, or without it as some servers send."""
    found, problem = _inflate(zlib.decompressobj(), data, most + 1)
    if problem and not found:
        return _inflate(zlib.decompressobj(wbits=-15), data, most + 1)
    return found, problem


def _inflate(decoder: "zlib._Decompress", data: bytes, most: int) -> tuple[bytes, str]:
    try:
        found = decoder.decompress(data, most)
    except zlib.error:
        return b"", "broken compression"
    ended = decoder.eof or len(found) >= most
    return found, "" if ended else "the compressed data breaks off"


def _brotli(data: bytes, most: int) -> tuple[bytes, str]:
    decoder = brotli.Decompressor()
    found, rest = b"", data
    try:
        while len(found) <= most and not decoder.is_finished():
            part = decoder.process(rest, output_buffer_limit=most + 1 - len(found))
            if not part and (not rest or decoder.can_accept_more_data()):
                return found, "the compressed data breaks off"
            found, rest = found + part, b""
    except brotli.error:
        return found, "broken compression"
    return found, ""


def _zstd(data: bytes, most: int) -> tuple[bytes, str]:
    decoder = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    found: list[bytes] = []
    size = 0
    try:
        with decoder.stream_reader(io.BytesIO(data), read_across_frames=True) as stream:
            while size <= most and (part := stream.read(min(1 << 20, most + 1 - size))):
                found.append(part)
                size += len(part)
    except zstandard.ZstdError:
        return b"".join(found), "broken compression"
    return b"".join(found), "" if found or not data else "the compressed data breaks off"


_DECODERS: dict[str, Callable[[bytes, int], tuple[bytes, str]]] = {
    "chunked": _chunked,
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
