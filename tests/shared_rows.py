"""Rows that tests share: made once, in a transaction that is never committed and in which each test has its own."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def uncommitted() -> Iterator[None]:
    """Undo at the end of the block what is written in it; blocks may be nested, and code inside sees no difference."""
    block = transaction.atomic()
    block._from_testcase = True  # as Django's own tests do: a block that must be the outermost may be
    with block:
        yield
        transaction.set_rollback(True)
