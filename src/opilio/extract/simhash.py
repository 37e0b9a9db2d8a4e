"""A 64-bit fingerprint of a text that is close (in bits) to that of a nearly equal text: Charikar's simhash.

Features are runs of three words, case-folded. Counters of the 64 bits lie side by side in one large integer, so that
adding a feature is a handful of additions instead of 64.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable

BITS = 64
NEAR = 3  # bits in which near-duplicates may differ, after Manku, Jain and Das Sarma (2007)

_WORD = re.compile(r"\w+")
_RUN = 3
_MOST_WORDS = 20_000
_LANE = 32  # bits per counter


def simhash(text: str) -> int:
    """The fingerprint of a text, 0 for one without words; unsigned."""
    words = [found[0].casefold() for found, _ in zip(_WORD.finditer(text), range(_MOST_WORDS), strict=False)]
    runs = (" ".join(words[at : at + _RUN]) for at in range(max(1, len(words) - _RUN + 1)))
    return _folded(Counter(runs)) if words else 0


def distance(one: int, other: int) -> int:
    """In how many bits two fingerprints differ."""
    return (one ^ other).bit_count()


def near(one: int, other: int) -> bool:
    """Whether two fingerprints are those of near-duplicates; a text without words is near to nothing."""
    return bool(one and other) and distance(one, other) <= NEAR


def _folded(features: Counter[str]) -> int:
    counters = 0
    for feature, weight in features.items():
        counters += weight * _spread(hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest())
    half = features.total() / 2
    mask = (1 << _LANE) - 1
    return sum(1 << bit for bit in range(BITS) if (counters >> (bit * _LANE)) & mask > half)


def _spread(digest: Iterable[int]) -> int:
    """The bits of a digest, one per lane."""
    return sum(_SPREAD[byte] << (8 * _LANE * place) for place, byte in enumerate(digest))


_SPREAD = tuple(sum(((byte >> bit) & 1) << (bit * _LANE) for bit in range(8)) for byte in range(256))
