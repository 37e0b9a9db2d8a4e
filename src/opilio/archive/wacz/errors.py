"""The errors of WACZ files.

InvalidInput
├── NotAWacz          a file that is no WACZ
├── UnsafeZip         a ZIP file that would harm whoever unpacks it
└── BadSigningKey     a key that cannot sign a WACZ
"""

from opilio.kernel.errors import InvalidInput


class NotAWacz(InvalidInput):
    """A file that is no WACZ."""


class UnsafeZip(InvalidInput):
    """A ZIP file that would harm whoever unpacks it."""


class BadSigningKey(InvalidInput):
    """A key that cannot sign a WACZ."""
