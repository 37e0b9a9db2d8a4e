"""Stable numbers for names (URLs, words): those that the file knows already, new ones for the rest.

Names met lately are remembered, a bounded number of them; others are looked up in the file.
"""

import sqlite3
from collections.abc import Sequence

_MOST_KNOWN = 500_000  # names in memory
_AT_ONCE = 500  # names of one question to the file


class Identities:
    """The numbers of one table. A number that was given is never given to another name."""

    def __init__(self, connection: sqlite3.Connection, *, table: str, name: str, first: int) -> None:
        self._ask = f"SELECT {name}, id FROM {table} WHERE {name} IN "  # noqa: S608 - our own names
        self._connection = connection
        self._known: dict[str, int] = {}
        (last,) = connection.execute(f"SELECT max(id) FROM {table}").fetchone()  # noqa: S608 - our own names
        self.next = first if last is None else int(last) + 1
        self._forgotten = self.next > first  # whether the file may know names that are not in memory

    def known(self, names: Sequence[str]) -> list[int | None]:
        """The number of each name, None for new ones."""
        found = list(map(self._known.get, names))
        if self._forgotten and None in found:
            self._look_up([name for name, number in zip(names, found, strict=True) if number is None])
            found = list(map(self._known.get, names))
        return found

    def give(self, name: str) -> int:
        """The next number for a name that is new; the caller writes it to the file with the names it was given."""
        number = self._known[name] = self.next
        self.next += 1
        return number

    def forget(self) -> None:
        """Make room where there is need of it. To be called only when the file holds all that was given."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
            self._forgotten = True

    def _look_up(self, names: list[str]) -> None:
        for start in range(0, len(names), _AT_ONCE):
            part = names[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            self._known.update(self._connection.execute(f"{self._ask}({marks})", part))
