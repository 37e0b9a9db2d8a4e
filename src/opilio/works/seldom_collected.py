"""Lets Python look for cycles of dead objects seldom while a crawl runs or is sealed.

A crawl holds objects by the hundred thousand that no cycle goes through. With Python's own numbers they are searched
again and again, for a tenth of the time of a crawl that knows a million URLs.
"""

import contextlib
import gc
from collections.abc import Iterator

#: Objects made and not gone before the young ones are searched, and how many such searches come before a wider one.
_SELDOM = (20_000, 20, 50)


@contextlib.contextmanager
def seldom_collected() -> Iterator[None]:
    """Leave what the program is made of out of the search, and search the rest seldom; may be nested.

    A program that left its objects out of the search itself keeps its choice.
    """
    before, chosen = gc.get_threshold(), gc.get_freeze_count() > 0
    if not chosen:
        gc.freeze()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if not chosen:
            gc.unfreeze()
