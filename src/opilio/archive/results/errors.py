"""The errors of results.

InvalidInput
└── NotAResult      a file that is no result
Missing
└── NoResult        there is no result in that place
Conflict
└── NewerResult     the result was written by a newer Opilio
Damaged
└── DamagedResult   the result does not hold what it should
"""

from opilio.kernel.errors import Conflict, Damaged, InvalidInput, Missing


class NotAResult(InvalidInput):
    """A file that is no result of a crawl."""


class NoResult(Missing):
    """There is no result in that place."""


class NewerResult(Conflict):
    """The result was written by a newer Opilio."""


class DamagedResult(Damaged):
    """The result does not hold what it should."""
