"""Takes transfer and content coding off a body, under limits: size, ratio, number of codings.

The wire bytes are kept by the caller; a body that cannot be decoded yields what could be, and the reason.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import brotli
import zstandard

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


class _Decompressor(Protocol):
    def feed(self, data: bytes) -> Iterator[bytes]: ...


def dechunked(raw: bytes) -> Decoded:
    """The body without the framing of HTTP/1.1 chunks (RFC 9112 §7.1)."""
    parts: list[bytes] = []
    at = 0
    while True:
        end = raw.find(b"\n", at, at + 1_024)
        if end < 0:
            return Decoded(body=b"".join(parts), fault="the chunks end without the last one")
        size = _chunk_size(raw[at:end])
        if size is None:
            return Decoded(body=b"".join(parts), fault="a chunk has no readable size")
        if size == 0:
            return Decoded(body=b"".join(parts))
        begin = end + 1
        parts.append(raw[begin : begin + size])
        if begin + size > len(raw):
            return Decoded(body=b"".join(parts), fault="the last chunk is shorter than it says")
        at = begin + size
        at += 2 if raw[at : at + 2] == b"\r\n" else 1 if raw[at : at + 1] == b"\n" else 0


def _chunk_size(line: bytes) -> int | None:
    digits = line.split(b";", 1)[0].strip()
    if not digits or len(digits) > 16 or not all(c in b"0123456789abcdefABCDEF" for c in digits):
        return None
    return int(digits, 16)


def decoded(body: bytes, codings: Iterable[str], limits: Limits = Limits()) -> Decoded:  # noqa: B008 - frozen value
    """The body without its content codings, last applied first (RFC 9110 §8.4)."""
    names = [name for header in codings for name in _names(header)]
    if len(names) > _MOST_CODINGS:
        return Decoded(body=b"", fault=f"{len(names)} codings stand upon each other")
    for name in reversed(names):
        step = _decode_once(body, name, limits)
        body = step.body
        if step.fault:
            return step
    return Decoded(body=body)


def _names(header: str) -> list[str]:
    return [name.strip().lower() for name in header.split(",") if name.strip() and name.strip().lower() != "identity"]


def _decode_once(body: bytes, name: str, limits: Limits) -> Decoded:
    make = _DECOMPRESSORS.get(name.removeprefix("x-"))
    if make is None:
        return Decoded(body=body, fault=f"the coding {name[:40]!r} is unknown")
    if not body:
        return Decoded(body=body)
    parts: list[bytes] = []
    size, most = 0, min(limits.size, _FREE + limits.ratio * len(body))
    try:
        for part in make(body).feed(body):
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

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            machine = zlib.decompressobj(self._window)
            rest = data
            while rest and not machine.eof:
                yield machine.decompress(rest, _STEP)
                rest = machine.unconsumed_tail
            if not machine.eof:
                yield machine.flush()
                raise zlib.error("it ends too early")
            data = machine.unused_data.lstrip(b"\x00")
            if data[:2] != b"\x1f\x8b":
                return


class _Brotli:
    def feed(self, data: bytes) -> Iterator[bytes]:
        machine = brotli.Decompressor()
        yield machine.process(data, output_buffer_limit=_STEP)
        while not machine.is_finished():
            part = machine.process(b"", output_buffer_limit=_STEP)
            if not part:
                raise brotli.error("it ends too early")
            yield part


class _Zstandard:
    """Fed in small bites: one of 512 bytes can grow to 16 MiB at the most."""

    _BITE = 512

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            machine = zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()
            at = 0
            while at < len(data) and not machine.eof:
                yield machine.decompress(data[at : at + self._BITE])
                at += self._BITE
            if not machine.eof:
                raise zstandard.ZstdError("it ends too early")
            data = machine.unused_data + data[at:]


def _deflate(body: bytes) -> _Decompressor:
    looks_like_zlib = len(body) > 1 and body[0] & 0x0F == 8 and int.from_bytes(body[:2], "big") % 31 == 0
    return _Zlib(15 if looks_like_zlib else -15)


_DECOMPRESSORS: dict[str, Callable[[bytes], _Decompressor]] = {
    "gzip": lambda _: _Zlib(31),
    "deflate": _deflate,
    "br": lambda _: _Brotli(),
    "zstd": lambda _: _Zstandard(),
}
