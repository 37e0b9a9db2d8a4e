"""Takes transfer and content coding off a body, under limits: size, ratio, number of codings.

The wire bytes are kept by the caller; a body that cannot be decoded yields what could be, and the reason. Codings are
undone a piece at a time: a body that lies in a file is never in memory as a whole.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import brotli
import zstandard

from opilio.kernel.bodies import Body, FileBody, Spool, pieces_of

_STEP = 65_536
_MOST_CODINGS = 3
_FREE = 1_048_576  # bytes that may be decoded whatever the ratio


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """How far a body may grow."""

    size: int = 256 * 1_048_576  # bytes
    ratio: int = 1_000  # decoded to encoded, beyond the first MiB


@dataclass(frozen=True, kw_only=True, slots=True)
class Decoded:
    """The content, whole or as far as it could be decoded, and what stopped it."""

    body: bytes
    fault: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dechunked:
    """What the chunks carried, as far as they could be read, and what stopped that."""

    body: Body
    fault: str = ""


class _Decompressor(Protocol):
    def feed(self, pieces: Iterator[bytes]) -> Iterator[bytes]: ...


def dechunked(raw: Body) -> Dechunked:
    """The body without the framing of HTTP/1.1 chunks (RFC 9112 §7.1)."""
    found = raw.spool() if isinstance(raw, FileBody) else Spool()
    at = 0
    while True:
        end = raw.find(b"\n", at, at + 1_024)
        if end < 0:
            return Dechunked(body=found.body(), fault="the chunks end without the last one")
        size = _chunk_size(raw[at:end])
        if size is None:
            return Dechunked(body=found.body(), fault="a chunk has no readable size")
        if size == 0:
            return Dechunked(body=found.body())
        begin = end + 1
        for piece in pieces_of(raw, begin, begin + size):
            found.write(piece)
        if begin + size > len(raw):
            return Dechunked(body=found.body(), fault="the last chunk is shorter than it says")
        at = begin + size
        mark = raw[at : at + 2]
        at += 2 if mark == b"\r\n" else 1 if mark[:1] == b"\n" else 0


def _chunk_size(line: bytes) -> int | None:
    digits = line.split(b";", 1)[0].strip()
    if not digits or len(digits) > 16 or not all(c in b"0123456789abcdefABCDEF" for c in digits):
        return None
    return int(digits, 16)


def decoded(body: Body, codings: Iterable[str], limits: Limits = Limits()) -> Decoded:  # noqa: B008 - frozen value
    """The body without its content codings, last applied first (RFC 9110 §8.4). One in a file is cut to `size`."""
    names = [name for header in codings for name in _names(header)]
    if not names and isinstance(body, bytes):
        return Decoded(body=body)
    if len(names) > _MOST_CODINGS:
        return Decoded(body=b"", fault=f"{len(names)} codings stand upon each other")
    for name in reversed(names):
        step = _decode_once(body, name, limits)
        body = step.body
        if step.fault:
            return step
    return Decoded(body=body) if isinstance(body, bytes) else _beginning(body, limits.size)


def _beginning(body: FileBody, size: int) -> Decoded:
    return Decoded(body=body[:size], fault=f"only its first {size} bytes are read" if len(body) > size else "")


def _names(header: str) -> list[str]:
    return [name.strip().lower() for name in header.split(",") if name.strip() and name.strip().lower() != "identity"]


def _decode_once(body: Body, name: str, limits: Limits) -> Decoded:
    make = _DECOMPRESSORS.get(name.removeprefix("x-"))
    if make is None:
        return Decoded(body=body[: limits.size], fault=f"the coding {name[:40]!r} is unknown")
    if not len(body):
        return Decoded(body=b"")
    parts: list[bytes] = []
    size, most = 0, min(limits.size, _FREE + limits.ratio * len(body))
    try:
        for part in make(body[:2]).feed(pieces_of(body)):
            size += len(part)
            if size > most:
                return Decoded(body=b"".join(parts), fault=f"it grows beyond {most} bytes when {name} is undone")
            parts.append(part)
    except (zlib.error, brotli.error, zstandard.ZstdError) as error:
        return Decoded(body=b"".join(parts), fault=f"its {name} is broken: {error}")
    return Decoded(body=b"".join(parts))


class _Zlib:
    """gzip (several members) and deflate (with or without zlib's head, as servers send both)."""

    def __init__(self, window: int) -> None:
        self._window = window

    def feed(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        rest = next(pieces, b"")
        while rest:
            machine = zlib.decompressobj(self._window)
            while rest and not machine.eof:
                yield machine.decompress(rest, _STEP)
                rest = machine.unconsumed_tail or (b"" if machine.eof else next(pieces, b""))
            if not machine.eof:
                yield machine.flush()
                raise zlib.error("it ends too early")
            rest = machine.unused_data.lstrip(b"\x00")
            while len(rest) < 2 and (more := next(pieces, b"")):
                rest = (rest + more).lstrip(b"\x00")
            if rest[:2] != b"\x1f\x8b":
                return


class _Brotli:
    def feed(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        machine = brotli.Decompressor()
        while not machine.is_finished():
            piece = next(pieces, b"") if machine.can_accept_more_data() else b""
            part = machine.process(piece, output_buffer_limit=_STEP)
            if not part and not piece and machine.can_accept_more_data():
                raise brotli.error("it ends too early")
            yield part


class _Zstandard:
    """Fed in small bites: one of 512 bytes can grow to 16 MiB at the most."""

    _BITE = 512

    def feed(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        bites = (piece[at : at + self._BITE] for piece in pieces for at in range(0, len(piece), self._BITE))
        bite = next(bites, b"")
        while bite:
            machine = zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()
            while bite and not machine.eof:
                yield machine.decompress(bite)
                bite = machine.unused_data if machine.eof else next(bites, b"")
            if not machine.eof:
                raise zstandard.ZstdError("it ends too early")
            bite = bite or next(bites, b"")


def _deflate(begin: bytes) -> _Decompressor:
    looks_like_zlib = len(begin) > 1 and begin[0] & 0x0F == 8 and int.from_bytes(begin, "big") % 31 == 0
    return _Zlib(15 if looks_like_zlib else -15)


_DECOMPRESSORS: dict[str, Callable[[bytes], _Decompressor]] = {
    "gzip": lambda _: _Zlib(31),
    "deflate": _deflate,
    "br": lambda _: _Brotli(),
    "zstd": lambda _: _Zstandard(),
}
