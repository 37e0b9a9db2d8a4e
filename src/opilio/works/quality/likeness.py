"""How alike two texts are: the share of their runs of three words that both have. Linear, and bounded."""

import re
from itertools import islice

_WORD = re.compile(r"\w+")
_WORDS = 20_000
_RUN = 3


def alike(one: str, other: str) -> float:
    """From 0 (nothing in common) to 1 (the same words in the same order); two empty texts are alike."""
    first, second = _runs(one), _runs(other)
    if not first and not second:
        return 1.0
    return len(first & second) / len(first | second)


def _runs(text: str) -> set[tuple[str, ...]]:
    words = [found[0].casefold() for found in islice(_WORD.finditer(text), _WORDS)]
    return {tuple(words[at : at + _RUN]) for at in range(max(1, len(words) - _RUN + 1))} if words else set()
