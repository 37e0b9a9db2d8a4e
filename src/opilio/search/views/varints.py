"""Small numbers in few bytes: seven bits per byte, the eighth says that more follow (LEB128); whole arrays at once."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
_SEVEN = 0x7F
_MORE = 0x80
_MOST_BYTES = 9  # of a number


def encoded(values: Numbers) -> tuple[NDArray[np.uint8], Numbers]:
    """The bytes of all numbers, and where the bytes of each begin (with the whole length at the end)."""
    sizes = np.ones(len(values), dtype=np.int64)
    limit = _MORE
    while limit <= int(values.max(initial=0)):
        sizes += values >= limit
        limit <<= 7
    places = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(sizes, out=places[1:])
    data = np.zeros(int(places[-1]), dtype=np.uint8)
    starts, rest = places[:-1], values
    while len(rest):
        later = rest > _SEVEN
        data[starts] = (rest & _SEVEN) | (later * _MORE)
        starts, rest = starts[later] + 1, rest[later] >> 7
    return data, places


def decoded(data: bytes) -> Numbers:
    """The numbers again; ValueError for bytes that nobody wrote."""
    parts = np.frombuffer(data, dtype=np.uint8)
    last = np.flatnonzero(parts < _MORE)
    if len(parts) and (not len(last) or last[-1] != len(parts) - 1):
        raise ValueError("a number is cut off")
    starts = np.zeros(len(last), dtype=np.int64)
    starts[1:] = last[:-1] + 1
    sizes = last - starts + 1
    longest = int(sizes.max(initial=0))
    if longest > _MOST_BYTES:
        raise ValueError("a number is too long")
    values = (parts[starts] & _SEVEN).astype(np.int64)
    for place in range(1, longest):
        among = np.flatnonzero(sizes > place)
        values[among] |= (parts[starts[among] + place].astype(np.int64) & _SEVEN) << (7 * place)
    return values
