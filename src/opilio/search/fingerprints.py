"""Fingerprints of texts: 64 bits, Charikar's simhash over runs of three words.

The same idea as `extract.simhash`, counted by numpy over words that are split already: a tenth of the time, which an
index over many pages needs. The two are never compared with each other.
"""

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

BITS = 64
NEAR = 3  # bits in which near-duplicates may differ, after Manku, Jain and Das Sarma (2007)
FEWEST = 12  # words below which a text is near to nothing but itself

MOST_WORDS = 20_000  # of a text that count
_REMEMBERED = 500_000  # words
_ODD = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9))
_MIX = np.uint64(0xFF51AFD7ED558CCD)
_SHIFT = np.uint64(33)
_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1).astype(np.float64)  # of every octet
_ROWS: NDArray[np.int64] = 256 * np.arange(8, dtype=np.int64)  # octets are counted by their place


class Fingerprints:
    """Makes fingerprints; remembers the hashes of words."""

    def __init__(self) -> None:
        self._hashes = _Hashes()

    def of(self, words: Sequence[str]) -> int:
        """The fingerprint of a text given as its words, unsigned; 0 for one with few words."""
        if len(words) < FEWEST:
            return 0
        hashes = self._hashes
        if len(hashes) > _REMEMBERED:
            hashes.clear()
        known = np.fromiter(map(hashes.__getitem__, words[:MOST_WORDS]), np.uint64)
        runs = known[:-2] * _ODD[0] + known[1:-1] * _ODD[1] + known[2:] * _ODD[2]
        runs = (runs ^ (runs >> _SHIFT)) * _MIX
        runs ^= runs >> _SHIFT
        octets = runs.astype("<u8").view(np.uint8).reshape(-1, 8) + _ROWS
        sums = np.bincount(octets.ravel(), minlength=8 * 256).reshape(8, 256) @ _BITS  # exact: counts are small
        return int.from_bytes(np.packbits(2 * sums > len(runs)).tobytes(), "little") or 1


def first_words(portions: Iterable[list[str]]) -> list[str]:
    """As many words of a text as its fingerprint needs, or a few more; the later portions are not asked for."""
    found: list[str] = []
    for portion in portions:
        found += portion
        if len(found) >= MOST_WORDS:
            break
    return found


def near(one: int, other: int) -> bool:
    """Whether two fingerprints are those of near-duplicates."""
    return bool(one and other) and (one ^ other).bit_count() <= NEAR


class _Hashes(dict[str, int]):
    """64-bit hashes of words, made when they are first asked for."""

    def __missing__(self, word: str) -> int:
        digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
        found = self[word] = int.from_bytes(digest, "little")
        return found
