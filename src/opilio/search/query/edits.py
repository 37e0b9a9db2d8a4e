"""In how many letters words differ: a letter more, less or another, or two neighbours exchanged, count one each."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_Column = npt.NDArray[np.int16]


def distances(word: str, others: Sequence[str]) -> list[int]:
    """The distance of a word from each of many others, all at once (optimal string alignment)."""
    if not others:
        return []
    letters = _letters(others)
    width = letters.shape[1]
    rows: list[list[_Column]] = [[np.full(len(others), place, np.int16) for place in range(width + 1)]]
    for row, letter in enumerate(map(ord, word), 1):
        rows.append(_next_row(word, row, letter, letters, rows))
    ends = np.fromiter(map(len, others), np.int64, len(others))
    last = np.stack(rows[-1], axis=1)
    found: list[int] = last[np.arange(len(others)), ends].tolist()
    return found


def _next_row(
    word: str, row: int, letter: int, letters: npt.NDArray[np.uint32], rows: list[list[_Column]]
) -> list[_Column]:
    above = rows[-1]
    current = [np.full(letters.shape[0], row, np.int16)]
    for place in range(1, letters.shape[1] + 1):
        other = letters[:, place - 1]
        best = np.minimum(np.minimum(above[place], current[-1]) + 1, above[place - 1] + (other != letter))
        if row > 1 and place > 1:
            swapped = (other == ord(word[row - 2])) & (letters[:, place - 2] == letter)
            best = np.where(swapped, np.minimum(best, rows[-2][place - 2] + 1), best)
        current.append(best.astype(np.int16))
    return current


def _letters(words: Sequence[str]) -> npt.NDArray[np.uint32]:
    """One row per word, one number per letter, 0 after its end."""
    width = max(map(len, words))
    padded = "".join(word.ljust(width, "\0") for word in words)
    return np.frombuffer(padded.encode("utf-32-le", "surrogatepass"), np.uint32).reshape(len(words), width)
