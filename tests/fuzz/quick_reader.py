"""Feeds broken pages to the C extension: `python -m tests.fuzz.quick_reader MODULE FOLDER SEED COUNT`.

MODULE is the extension as it was built, FOLDER has pages to begin with. To be run with an extension that watches its
own memory: every fault ends the process.
"""

import random
import sys
from html.entities import html5
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

_NAME = "opilio.extract._quick"
_BYTES = b"<>&\"'/=#;! \n\taAhpP\xc2\xe2\x80\xff-"


def main(module: str, folder: str, seed: str, count: str) -> None:
    """Read as many broken pages as were asked for, each as it is and as valid UTF-8."""
    loader = ExtensionFileLoader(_NAME, module)
    quick = module_from_spec(spec_from_loader(_NAME, loader))
    loader.exec_module(quick)
    quick.prepare(html5, None)
    pages = [path.read_bytes() for path in sorted(Path(folder).iterdir())]
    chance, read = random.Random(int(seed)), 0
    for _ in range(int(count)):
        page = _broken(bytearray(chance.choice(pages)[: chance.choice((200, 2_000, 20_000))]), chance)
        read += quick.read(page.decode("utf-8", "replace").encode(), True, True, True) is not None
        try:
            quick.read(page, chance.random() < 0.5, True, True)
        except UnicodeDecodeError:  # pages are in UTF-8 when they come here; others may end so, and no worse
            continue
    print(f"read {read}")


def _broken(page: bytearray, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 20)):
        if not page:
            break
        at, kind = chance.randrange(len(page)), chance.random()
        if kind < 0.4:
            page[at] = chance.choice(_BYTES)
        elif kind < 0.7:
            del page[at : at + chance.randint(1, 50)]
        else:
            other = chance.randrange(len(page))
            page[at:at] = page[other : other + chance.randint(1, 80)]
    return bytes(page)


if __name__ == "__main__":
    main(*sys.argv[1:])
