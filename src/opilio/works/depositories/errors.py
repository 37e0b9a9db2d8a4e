"""The errors of handing a package over.

InvalidInput
└── BadPlace      the depository cannot be used as it is set up
Conflict
└── DepositRefused       the depository does not take the package
Unavailable
└── NoAnswer      no whole answer came in time; it is tried again
Damaged
└── Untrue        what the depository has, or says, is not what was handed over
"""

from opilio.kernel.errors import Conflict, Damaged, InvalidInput, Unavailable


class BadPlace(InvalidInput):
    """The depository cannot be used as it is set up."""


class DepositRefused(Conflict):
    """The depository does not take the package."""


class NoAnswer(Unavailable):
    """No whole answer came from the depository in time."""


class Untrue(Damaged):
    """What the depository has, or says that it has, is not what was handed over."""
