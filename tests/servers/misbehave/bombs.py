"""Answers that are small on the wire and huge in memory, and heads without measure.

The compressed ones expand to `mib` mebibytes of blanks. They are put together from repeated blocks, so that serving
one costs little more than the bytes sent.
"""

import gzip
import struct
import zlib
from collections.abc import Iterator

import brotli

from tests.servers.answers import Response, Script, Step, chunked, head
from tests.servers.behaviour import Behaviour, Visit

MIB = 1 << 20
_BLANKS = b" " * MIB
_HTML = "text/html; charset=utf-8"
_ZSTD_BLOCK = 1 << 17  # bytes; the largest a block may expand to (RFC 8878 §3.1.1.2.4)


def gzip_blanks(mib: int) -> Iterator[bytes]:
    """One gzip member: the same deflate block again and again, then checksum and length (RFC 1952)."""
    press = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    block = press.compress(_BLANKS) + press.flush(zlib.Z_FULL_FLUSH)
    yield b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
    checksum = 0
    for _ in range(mib):
        checksum = zlib.crc32(_BLANKS, checksum)
        yield block
    yield press.flush() + struct.pack("<II", checksum, mib * MIB & 0xFFFFFFFF)


def brotli_blanks(mib: int) -> Iterator[bytes]:
    """One brotli stream."""
    press = brotli.Compressor(quality=5, lgwin=22)
    for _ in range(mib):
        yield press.process(_BLANKS)
    yield press.finish()


def zstd_blanks(mib: int) -> Iterator[bytes]:
    """One zstd frame of run-length blocks, four bytes per 128 KiB (RFC 8878 §3.1.1)."""
    count = mib * MIB // _ZSTD_BLOCK
    yield b"\x28\xb5\x2f\xfd" + b"\x00" + b"\x50"  # magic; no sizes, no checksum; window of 1 MiB
    for number in range(1, count + 1):
        field = _ZSTD_BLOCK << 3 | 1 << 1 | (number == count)
        yield struct.pack("<I", field)[:3] + b" "


def _bomb(coding: str, pieces: Iterator[bytes]) -> Script:
    headers = (("Content-Type", _HTML), ("Content-Encoding", coding), ("Transfer-Encoding", "chunked"))

    def steps() -> Iterator[Step]:
        yield head("200 OK", headers)
        yield from chunked(pieces)

    return Script(steps=steps(), persistent=True)


def gzip_bomb(visit: Visit) -> Script:
    """`mib` mebibytes of blanks as gzip, about 1,000 : 1."""
    return _bomb("gzip", gzip_blanks(visit.number("mib", 64, low=1, high=1 << 20)))


def br_bomb(visit: Visit) -> Script:
    """`mib` mebibytes of blanks as brotli, more than 100,000 : 1."""
    return _bomb("br", brotli_blanks(visit.number("mib", 64, low=1, high=1 << 20)))


def zstd_bomb(visit: Visit) -> Script:
    """`mib` mebibytes of blanks as zstd, about 32,000 : 1."""
    return _bomb("zstd", zstd_blanks(visit.number("mib", 64, low=1, high=1 << 20)))


def double_gzip_bomb(visit: Visit) -> Response:
    """`mib` mebibytes of blanks as gzip in gzip, both layers declared."""
    body = gzip.compress(b"".join(gzip_blanks(visit.number("mib", 64, low=1, high=4096))))
    return Response(body=body, headers=(("Content-Encoding", "gzip, gzip"),))


def many_headers(visit: Visit) -> Script:
    """`count` headers."""
    count = visit.number("count", 10_000, low=1, high=1 << 30)

    def steps() -> Iterator[Step]:
        yield b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n"
        for number in range(count):
            yield b"X-Straw-%d: one more straw\r\n" % number
        yield b"\r\nok"

    return Script(steps=steps())


def huge_header(visit: Visit) -> Script:
    """One header of `kib` kibibytes."""
    kib = visit.number("kib", 1024, low=1, high=1 << 30)

    def steps() -> Iterator[Step]:
        yield b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\nX-Straw: "
        for _ in range(kib):
            yield b"s" * 1024
        yield b"\r\n\r\nok"

    return Script(steps=steps())


BEHAVIOURS = (
    Behaviour(name="gzip-bomb", path="/bomb/gzip", example="/bomb/gzip?mib=64", answer=gzip_bomb),
    Behaviour(name="br-bomb", path="/bomb/br", example="/bomb/br?mib=64", answer=br_bomb),
    Behaviour(name="zstd-bomb", path="/bomb/zstd", example="/bomb/zstd?mib=64", answer=zstd_bomb),
    Behaviour(
        name="double-gzip-bomb", path="/bomb/gzip-gzip", example="/bomb/gzip-gzip?mib=64", answer=double_gzip_bomb
    ),
    Behaviour(name="many-headers", path="/bomb/headers", example="/bomb/headers?count=10000", answer=many_headers),
    Behaviour(name="huge-header", path="/bomb/header", example="/bomb/header?kib=1024", answer=huge_header),
)
