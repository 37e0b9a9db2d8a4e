"""The errors of the API: what can be wrong with a request before any action or query sees it.

OpilioError
├── InvalidInput
│   ├── BadBody           a body that is no JSON, or no UTF-8
│   ├── BadCursor         a cursor that this list did not hand out
│   ├── BodyTooLarge      a body beyond the limit of the installation
│   └── WrongMediaType    a body that does not say it is JSON
├── Denied
│   ├── NotSignedIn       neither a token nor a sign-in session
│   └── ForgedRequest     a change asked for by a browser without the form token
├── Missing
│   ├── NoSuchAddress     nothing answers at this address
│   └── NoSuchMethod      the address does not know this HTTP method
└── Unexpected            a fault of Opilio itself
"""

from opilio.kernel.errors import Denied, InvalidInput, Missing, OpilioError


class BadBody(InvalidInput):
    """A body that is no JSON, or no UTF-8."""

    http_status = 400


class BadCursor(InvalidInput):
    """A cursor that this list did not hand out."""


class BodyTooLarge(InvalidInput):
    """A body beyond the limit of the installation."""

    http_status = 413


class WrongMediaType(InvalidInput):
    """A body that does not say it is JSON."""

    http_status = 415


class NotSignedIn(Denied):
    """Neither a token nor a sign-in session."""

    http_status = 401


class ForgedRequest(Denied):
    """A change asked for by a browser without the form token."""


class NoSuchAddress(Missing):
    """Nothing answers at this address."""


class NoSuchMethod(Missing):
    """The address does not know this HTTP method."""

    http_status = 405


class Unexpected(OpilioError):
    """A fault of Opilio itself."""
