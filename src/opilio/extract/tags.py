"""The tags of a page as arrays, so that elements which are closed at once can be taken out by thousands.

For pages in which every tag ends at its first ">". Loaded by `bounds` when a page has very many tags.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

_Keys = NDArray[np.uint64]
_Mask = NDArray[np.bool_]

_ONE: Final = np.uint64(1)
_BYTE: Final = np.uint64(0xFF)
_ONES: Final = np.uint64(0x0101010101010101)
_HIGH: Final = np.uint64(0x8080808080808080)
_SMALL_LETTERS: Final = np.uint64(0x2020202020202020)
_ENDS: Final = _ONES * np.uint64(ord(">"))
_PADDING: Final = b"\0" * 16


def _among(codes: bytes) -> _Mask:
    """Which of all bytes are among some."""
    return np.isin(np.arange(256), np.frombuffer(codes, dtype=np.uint8))


def _key(name: bytes) -> np.uint64:
    return np.uint64(int.from_bytes(name, "little"))


_LETTER: Final = _among(bytes(code for code in range(128) if bytes([code]).isalpha()))
_AFTER_NAME: Final = _among(b"> \n\t\f\r")
_AFTER_ANY_NAME: Final = _among(b"> \n\t\f\r/")
_FORMATTING_NAMES: Final = b"b big code em font i tt u s small strike strong".split()
_FORMATTING_LETTER: Final = _among(b"bcefistuBCEFISTU")
#: Formatting by the length of its names; the parser opens it again in every block until its end tag comes.
_FORMATTING: Final = {
    length: [_key(name) for name in _FORMATTING_NAMES if len(name) == length]
    for length in sorted(set(map(len, _FORMATTING_NAMES)))
}
#: Elements that never close others.
_INLINE: Final = np.array(
    [_key(name) for name in (*_FORMATTING_NAMES, *b"span cite kbd var samp sub sup abbr q".split())]
)


class Tags:
    """The tags that are left of a page. What is no tag, and a tag that does not end, stays as a bar between others."""

    def __init__(self, body: bytes) -> None:
        padded = body + _PADDING
        codes = np.frombuffer(padded, dtype=np.uint8)
        at = np.flatnonzero(codes == ord("<")) + 1
        self._closing: _Mask = codes[at] == ord("/")
        at += self._closing
        letters = _LETTER[codes[at]]
        eight = np.ndarray(shape=(len(body) + 8,), dtype="<u8", buffer=padded, strides=(1,))
        self._keys: _Keys = eight[at].astype(np.uint64, copy=False)
        self._start: _Mask = ~self._closing & letters
        self._end: _Mask = self._closing & letters
        self._codes = codes
        self._ready = False

    def _prepare(self) -> None:
        """Find out which tags are whole, and where the names of end tags end."""
        marks = self._codes[np.flatnonzero((self._codes | 2) == ord(">"))] == ord("<")  # "<" and ">" differ by a bit
        whole = np.append(~marks[1:], False)[marks]
        self._whole_start: _Mask = self._start & whole
        zero = self._keys ^ _ENDS
        found = (zero - _ONES) & ~zero & _HIGH
        self._after: _Keys = (found & (~found + _ONE)) >> np.uint64(7)  # 1 where the first ">" of the eight bytes is
        self._end &= whole & (self._after != 0)
        self._ready = True

    @property
    def starts(self) -> int:
        """How many start tags are left."""
        return int(np.count_nonzero(self._start))

    def peel(self, *, inline: bool = False) -> bool:
        """Take out each element with nothing but text inside; whether there were any. `inline`: only such as never
        close others."""
        if not self._ready:
            self._prepare()
        places = np.flatnonzero(self._whole_start[:-1] & self._end[1:])
        keys, after = self._keys[places], self._after[places + 1]
        ended = self._keys[places + 1] & (after - _ONE)
        same = (keys & (after - _ONE)) == ended
        same &= _AFTER_NAME[keys // after & _BYTE]
        if inline:
            same &= np.isin(ended, _INLINE)
        places = places[same]
        if not len(places):
            return False
        keep = np.ones(len(self._keys), dtype=np.bool_)
        keep[places] = keep[places + 1] = False
        self._keys, self._after = self._keys[keep], self._after[keep]
        self._start, self._whole_start, self._end = self._start[keep], self._whole_start[keep], self._end[keep]
        return True

    def formatting(self) -> int:
        """How many start tags of formatting are left."""
        keys = self._keys[self._start]
        keys = keys[_FORMATTING_LETTER[keys & _BYTE]]
        small, found = keys | _SMALL_LETTERS, 0
        for length, names in _FORMATTING.items():
            bits = np.uint64(8 * length)
            name = small & ((_ONE << bits) - _ONE)
            after = keys[np.logical_or.reduce([name == each for each in names])] >> bits
            found += int(np.count_nonzero(_AFTER_ANY_NAME[after & _BYTE]))
        return found
