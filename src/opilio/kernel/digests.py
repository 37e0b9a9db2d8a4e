"""Digests as labelled values: `sha256:<hex>`, and `sha1:<BASE32>` as WARC files write it.

md5 and sha1 are here because partners and archives use them to find damage, not to keep out forgers.
"""

import functools
import hashlib
import hmac
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import BinaryIO

from opilio.kernel.errors import Damaged, InvalidInput

_BLOCK = 1 << 20  # bytes read at a time
_SIZES = {"md5": 16, "sha1": 20, "sha256": 32, "sha512": 64}  # bytes of a digest
_BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_IS_BASE32 = re.compile(r"[A-Za-z2-7]+")
_DIGITS = str.maketrans(_BASE32, "0123456789ABCDEFGHIJKLMNOPQRSTUV")  # as `int` reads base 32
_SIGNS = _BASE32.encode().ljust(256)  # what a byte stands for that holds five bits


class Algorithm(StrEnum):
    """The digests that Opilio reads and writes."""

    MD5 = "md5"
    SHA1 = "sha1"
    SHA256 = "sha256"
    SHA512 = "sha512"

    @property
    def size(self) -> int:
        """Bytes of a digest."""
        return _SIZES[self]


_BY_LABEL = {algorithm.value: algorithm for algorithm in Algorithm}


@dataclass(frozen=True, slots=True)
class Digest:
    """A digest with the name of its algorithm. `str()` gives the label with lower-case hex."""

    algorithm: Algorithm
    value: bytes

    def __post_init__(self) -> None:
        if len(self.value) != _SIZES[self.algorithm]:
            what = f"a {self.algorithm} digest has {self.algorithm.size} bytes, not {len(self.value)}"
            raise InvalidInput(what, remedy="Check where the digest was cut or padded.")

    def __str__(self) -> str:
        return f"{self.algorithm}:{self.value.hex()}"

    @property
    def base32(self) -> str:
        """The label with upper-case base32 without padding, as in `WARC-Payload-Digest` (WARC 1.1 §5.8)."""
        return f"{self.algorithm}:{_remembered(self.value)}"

    def matches(self, other: "Digest") -> bool:
        """Whether both are the same, in time that does not depend on where they differ."""
        return self.algorithm is other.algorithm and hmac.compare_digest(self.value, other.value)


#: Faster than asking hashlib by name.
_HASHES = {
    Algorithm.MD5: hashlib.md5,
    Algorithm.SHA1: hashlib.sha1,
    Algorithm.SHA256: hashlib.sha256,
    Algorithm.SHA512: hashlib.sha512,
}


@functools.lru_cache(maxsize=1024)  # a record names the same few digests several times
def _remembered(value: bytes) -> str:
    return in_base32(value)


def in_base32(value: bytes) -> str:
    """Upper-case base32 without padding (RFC 4648 §6)."""
    count = -(-8 * len(value) // 5)
    number = int.from_bytes(value) << (5 * count - 8 * len(value))
    for low, high, shift in _spreading(count):
        number = number & low | (number & high) << shift
    return number.to_bytes(count).translate(_SIGNS).decode()


@functools.lru_cache(maxsize=64)
def _spreading(count: int) -> tuple[tuple[int, int, int], ...]:
    """How that many groups of five bits become bytes, all at once: in blocks of half as many groups each time.

    Each step leaves the lower half of every block where it is and shifts the upper half, as far as its bytes need.
    """
    steps = []
    size = 1 << max(0, (count - 1).bit_length())  # groups in all blocks together
    while size > 1:
        size //= 2
        half = (1 << 5 * size) - 1
        low = sum(half << 16 * size * block for block in range(-(-count // (2 * size))))
        steps.append((low, low << 5 * size, 3 * size))
    return tuple(steps)


class Hasher:
    """A digest in the making: feed it bytes as they come."""

    def __init__(self, algorithm: Algorithm = Algorithm.SHA256) -> None:
        self.algorithm = algorithm
        self.size = 0  # bytes fed so far
        self._hash = hashlib.new(algorithm.value, usedforsecurity=False)

    def update(self, data: bytes | bytearray | memoryview) -> None:
        """Feed the next bytes."""
        self._hash.update(data)
        self.size += memoryview(data).nbytes

    def digest(self) -> Digest:
        """The digest of everything fed so far; more may follow."""
        return Digest(self.algorithm, self._hash.digest())


def digest_of(data: bytes | bytearray | memoryview, algorithm: Algorithm = Algorithm.SHA256) -> Digest:
    """The digest of bytes in memory."""
    return Digest(algorithm, _HASHES[algorithm](data, usedforsecurity=False).digest())


def digest_of_stream(stream: BinaryIO, algorithm: Algorithm = Algorithm.SHA256) -> Digest:
    """The digest of what is left in a binary stream; memory use does not grow with its length."""
    hasher = Hasher(algorithm)
    while block := stream.read(_BLOCK):
        hasher.update(block)
    return hasher.digest()


def verify(stream: BinaryIO, expected: Digest, *, where: str) -> None:
    """Read the stream to its end; `Damaged` when it does not have the expected digest."""
    found = digest_of_stream(stream, expected.algorithm)
    if not found.matches(expected):
        remedy = "Fetch it again, or restore it from a copy."
        raise Damaged(f"the content has {found}, where {expected} was recorded", where=where, remedy=remedy)


def parse_digest(text: str) -> Digest:
    """Read `algorithm:value`, the value in hex or base32, any case, padded or not."""
    label, colon, value = text.strip().partition(":") if isinstance(text, str) else ("", "", "")
    algorithm = _BY_LABEL.get(label) or _BY_LABEL.get(label.strip().lower().replace("-", ""))
    if algorithm is None:
        raise _unreadable(text, f"Known labels: {', '.join(Algorithm)}.")
    if not colon:
        raise _unreadable(text, "Write it as algorithm:value.")
    return Digest(algorithm, _decoded(text, algorithm, value.strip().rstrip("=")))


def _decoded(text: str, algorithm: Algorithm, value: str) -> bytes:
    """Hex and base32 of one algorithm differ in length, so the length tells which it is."""
    try:
        if len(value) == 2 * algorithm.size:
            return bytes.fromhex(value)
        if len(value) == -(-8 * algorithm.size // 5):
            return from_base32(value, algorithm.size)
    except ValueError:
        raise _unreadable(text, "It holds a character that neither hex nor base32 has.") from None
    raise _unreadable(text, f"A {algorithm} digest has {2 * algorithm.size} hex characters.")


def from_base32(value: str, size: int) -> bytes:
    """So many bytes; bits behind the last one are left out. `ValueError` for other signs."""
    if _IS_BASE32.fullmatch(value) is None:
        raise ValueError(value)
    number = int(value.upper().translate(_DIGITS), 32)
    return (number >> (5 * len(value) - 8 * size)).to_bytes(size)


def _unreadable(text: object, remedy: str) -> InvalidInput:
    return InvalidInput(f"{str(text)[:160]!r} is not a digest", remedy=remedy)
