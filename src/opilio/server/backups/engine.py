"""What a backup needs of a database; SQLite and PostgreSQL fulfil it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from opilio.server.backups.manifest import TableEntry

Advance = Callable[[int, int], None]  # done, of how many


class Engine(Protocol):
    """A database that can be dumped while others write, and filled from a dump."""

    name: str  # as in the manifest
    dump_name: str  # of the file inside a backup

    def version(self) -> str:
        """Of the database program."""
        ...

    def size(self) -> int:
        """About how many bytes a dump will need."""
        ...

    def dump(self, into: Path, advance: Advance) -> Mapping[str, TableEntry]:
        """Write a dump; what its tables hold, seen in the same snapshot."""
        ...

    def tables(self) -> Mapping[str, TableEntry]:
        """What the tables hold now."""
        ...

    def check_dump(self, dump: Path, expected: Mapping[str, TableEntry]) -> None:
        """Refuse a dump that cannot be restored, as far as that can be seen without restoring it."""
        ...

    def is_empty(self) -> bool:
        """Whether the database has no tables."""
        ...

    def refuse_company(self) -> None:
        """Raise while others work with the database, as far as the database can tell."""
        ...

    def clear(self) -> None:
        """Drop everything in it."""
        ...

    def restore(self, dump: Path, advance: Advance) -> None:
        """Replace everything by what the dump holds, or change nothing."""
        ...
