"""Hands out 64-bit identifiers from blocks that a process reserves by compare-and-swap.

A block reserved inside a transaction belongs to the process only once that transaction committed: until then it
serves that transaction alone, and a rollback forgets it, because another process may then reserve the same one.
"""

import os
import threading
from dataclasses import dataclass, field

from django.db import DEFAULT_DB_ALIAS, connections, transaction

from opilio.catalogue.models import IdBlock
from opilio.kernel.errors import Unavailable

BLOCK = 32_768
GENERAL = "General"  # shared by targets, groups, seeds and harvests, so that their identifiers never clash
_ATTEMPTS = 10_000


@dataclass(kw_only=True, eq=False)
class _Block:
    following: int
    end: int
    committed: bool = False

    def commit(self) -> None:
        self.committed = True

    def usable(self, using: str) -> bool:
        return self.following < self.end and (self.committed or self._transaction_lives(using))

    def _transaction_lives(self, using: str) -> bool:
        # A rollback (also to a savepoint) takes our callback off this list; a commit runs it.
        return any(function == self.commit for _, function, *_ in connections[using].run_on_commit)


@dataclass(kw_only=True)
class _Pool:
    lock: threading.Lock = field(default_factory=threading.Lock)
    blocks: dict[tuple[str, str, int], _Block] = field(default_factory=dict)

    def run(self, kind: str, using: str, most: int) -> range:
        # Blocks are kept per thread: a tentative one is tied to the thread's own connection.
        key = (using, kind, threading.get_ident())
        with self.lock:
            block = self.blocks.get(key)
        if block is None or not block.usable(using):
            block = _reserve(kind, using)
            with self.lock:
                self.blocks[key] = block
        first, block.following = block.following, min(block.following + most, block.end)
        return range(first, block.following)

    def forget(self) -> None:
        """Drop every block: a forked child must not hand out its parent's identifiers."""
        self.lock = threading.Lock()
        self.blocks = {}


_POOL = _Pool()
os.register_at_fork(after_in_child=_POOL.forget)


def take(kind: str, using: str = DEFAULT_DB_ALIAS) -> int:
    """The next identifier for a row of this kind, never given before in this catalogue."""
    return _POOL.run(kind, using, 1).start


def run(kind: str, most: int, using: str = DEFAULT_DB_ALIAS) -> range:
    """Identifiers that follow each other, for many rows at once: as many as are wanted, or as the block still has."""
    return _POOL.run(kind, using, most)


def forget() -> None:
    """Drop the blocks of this process, as when the database behind it was replaced."""
    _POOL.forget()


def _reserve(kind: str, using: str) -> _Block:
    number = reserve_block(kind, using)
    block = _Block(following=number * BLOCK, end=(number + 1) * BLOCK)
    transaction.on_commit(block.commit, using=using)  # at once when no transaction is open
    return block


def reserve_block(kind: str, using: str = DEFAULT_DB_ALIAS) -> int:
    """Reserve the next block of this kind and return its number (seed D §3.3, steps 4 to 6)."""
    rows = IdBlock.objects.using(using)
    for _ in range(_ATTEMPTS):
        seen = rows.filter(kind=kind).values_list("value", flat=True).first()
        if seen is None:
            rows.bulk_create([IdBlock(kind=kind)], ignore_conflicts=True)
        elif rows.filter(kind=kind, value=seen).update(value=seen + 1) == 1:
            return seen
    raise Unavailable(
        f"No block of identifiers could be reserved for {kind}",
        where="table id_block",
        remedy="Too many processes compete for it; try again.",
    )
