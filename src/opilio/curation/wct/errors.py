"""The errors of reading a dump of the Web Curator Tool.

InvalidInput
├── BadDump      a file, folder or archive that is no dump, or breaks off
└── Refused      one row that cannot be taken over; the report names it
"""

from opilio.kernel.errors import InvalidInput


class BadDump(InvalidInput):
    """A file, folder or archive that is no dump of the Web Curator Tool, or breaks off."""


class Refused(InvalidInput):
    """One row cannot be taken over; caught where rows are taken, and told in the report."""

    def __init__(self, reason: str, *, column: str = "") -> None:
        super().__init__(reason, where=column)
        self.column = column
