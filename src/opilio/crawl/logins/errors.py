"""The errors of logins.

InvalidInput
├── BadCredentials        a file of credentials that cannot be used
└── UnknownCredential     a seed names a credential that nobody gave
Unavailable
└── NoNegotiation         the library that Negotiate needs is not installed, or has no ticket
"""

from opilio.kernel.errors import InvalidInput, Unavailable


class BadCredentials(InvalidInput):
    """A file of credentials that cannot be used."""


class UnknownCredential(InvalidInput):
    """A seed names a credential that nobody gave."""


class NoNegotiation(Unavailable):
    """Negotiate cannot be spoken here."""
