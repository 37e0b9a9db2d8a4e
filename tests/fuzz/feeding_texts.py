"""Feeds odd texts to the C extension of search: `python -m tests.fuzz.feeding_texts MODULE SEED COUNT`.

MODULE is the extension as it was built. To be run with one that watches its own memory: every fault ends the process.
What it gives is held against what Python gives.
"""

import random
import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader

from opilio.search.analysis import splitting
from opilio.search.analysis.feeding import fed_by_python
from opilio.search.analysis.signs import form

_NAME = "opilio.search.analysis._feeding"
_PIECES = (
    *"abdlmrstvxLS09 \n\t'-_.·’–™éßЖ語\u00ad\u0301\u200b\ud800\U0001f600\U0002f800",
    "don't", "they'll", "l·l", "L\u00ad·l", "it's's", "a" * 199, "b" * 201, "café", "running", " plain words of a line",
)  # fmt: skip
_FEW = 40  # words after which the table begins anew, so that it often does
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def main(module: str, seed: str, count: str) -> None:
    """Feed as many pages as were asked for, to a table that is often full and to one that grows."""
    loader = ExtensionFileLoader(_NAME, module)
    native = module_from_spec(spec_from_loader(_NAME, loader))
    loader.exec_module(native)
    small, large = (native.Feeding(_term, form, splitting.words, most) for most in (_FEW, 10**6))
    chance, fed = random.Random(int(seed)), 0
    for _ in range(int(count)):
        texts = tuple(_text(chance) for _ in range(chance.randint(0, 5)))
        expected = fed_by_python(_term, texts)
        for table in (small, large):
            found = table.feed(texts)
            if found is not None and found != expected:
                raise SystemExit(f"{texts!r} gave {found!r}, not {expected!r}")
            fed += found is not None
    print(f"fed {fed}")


def _term(word: str) -> str:
    """Some term: shorter, longer, or none to speak of."""
    return ("_", word, word[:-1] or word, f"{word}é")[len(word) % 4]


def _text(chance: random.Random) -> str:
    if chance.random() < 0.3:
        words = ("".join(chance.choices(_LETTERS, k=chance.randint(1, 20))) for _ in range(chance.randint(0, 300)))
        return chance.choice((" ", "\n", "’")).join(words)
    return "".join(chance.choices(_PIECES, k=chance.randint(0, 120)))


if __name__ == "__main__":
    main(*sys.argv[1:])
