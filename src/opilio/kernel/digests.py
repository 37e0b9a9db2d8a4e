"""Digests as labelled values: `sha256:<hex>`, and `sha1:<BASE32>` as WARC files write it.

md5 and sha1 are here because partners and archives use them to find damage, not to keep out forgers.
"""

import base64
import binascii
import functools
import hashlib
import hmac
from dataclasses import dataclass
from enum import StrEnum
from typing import BinaryIO

from opilio.kernel.errors import Damaged, InvalidInput

_BLOCK = 1 << 20  # bytes read at a time


class Algorithm(StrEnum):
    """The digests that Opilio reads and writes."""

    MD5 = "md5"
    SHA1 = "sha1"
    SHA256 = "sha256"
    SHA512 = "sha512"

    @property
    def size(self) -> int:
        """Bytes of a digest."""
        return {"md5": 16, "sha1": 20, "sha256": 32, "sha512": 64}[self.value]


@dataclass(frozen=True, slots=True)
class Digest:
    """A digest with the name of its algorithm. `str()` gives the label with lower-case hex."""

    algorithm: Algorithm
    value: bytes

    def __post_init__(self) -> None:
        if len(self.value) != self.algorithm.size:
            what = f"a {self.algorithm} digest has {self.algorithm.size} bytes, not {len(self.value)}"
            raise InvalidInput(what, remedy="Check where the digest was cut or padded.")

    def __str__(self) -> str:
        return f"{self.algorithm}:{self.value.hex()}"

    @property
    def base32(self) -> str:
        """The label with upper-case base32 without padding, as in `WARC-Payload-Digest` (WARC 1.1 §5.8)."""
        return f"{self.algorithm}:{_in_base32(self.value)}"

    def matches(self, other: "Digest") -> bool:
        """Whether both are the same, in time that does not depend on where they differ."""
        return self.algorithm is other.algorithm and hmac.compare_digest(self.value, other.value)


@functools.lru_cache(maxsize=1024)  # a record names the same few digests several times
def _in_base32(value: bytes) -> str:
    return base64.b32encode(value).decode().rstrip("=")


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
    return Digest(algorithm, hashlib.new(algorithm.value, data, usedforsecurity=False).digest())


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
    try:
        algorithm = Algorithm(label.strip().lower().replace("-", ""))
    except ValueError:
        raise _unreadable(text, f"Known labels: {', '.join(Algorithm)}.") from None
    if not colon:
        raise _unreadable(text, "Write it as algorithm:value.")
    return Digest(algorithm, _decoded(text, algorithm, value.strip().rstrip("=")))


def _decoded(text: str, algorithm: Algorithm, value: str) -> bytes:
    """Hex and base32 of one algorithm differ in length, so the length tells which it is."""
    try:
        if len(value) == 2 * algorithm.size:
            return bytes.fromhex(value)
        if len(value) == -(-8 * algorithm.size // 5):
            return base64.b32decode(value + "=" * (-len(value) % 8), casefold=True)
    except (ValueError, binascii.Error):
        raise _unreadable(text, "It holds a character that neither hex nor base32 has.") from None
    raise _unreadable(text, f"A {algorithm} digest has {2 * algorithm.size} hex characters.")


def _unreadable(text: object, remedy: str) -> InvalidInput:
    return InvalidInput(f"{str(text)[:160]!r} is not a digest", remedy=remedy)
