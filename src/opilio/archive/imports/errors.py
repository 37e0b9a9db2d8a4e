"""The errors of importing.

InvalidInput
└── NotAnArchive     a file that holds no captures
Missing
└── NothingToImport  there is no archive in that place
"""

from opilio.kernel.errors import InvalidInput, Missing


class NotAnArchive(InvalidInput):
    """A file that holds no captures."""


class NothingToImport(Missing):
    """There is no archive in that place."""
