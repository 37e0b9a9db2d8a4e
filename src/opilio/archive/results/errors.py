"""The errors of results.

InvalidInput
├── NotAResult        a file that is no result
└── NothingToDerive   a result would be the same as its parent
Missing
└── NoResult          there is no result in that place
Conflict
├── NewerResult       the result was written by a newer Opilio
└── ProtectedResult   the result must not be undone
Damaged
└── DamagedResult     the result does not hold what it should
"""

from opilio.kernel.errors import Conflict, Damaged, InvalidInput, Missing


class NotAResult(InvalidInput):
    """A file that is no result of a crawl."""


class NothingToDerive(InvalidInput):
    """A result that would be the same as its parent."""


class NoResult(Missing):
    """There is no result in that place."""


class NewerResult(Conflict):
    """The result was written by a newer Opilio."""


class ProtectedResult(Conflict):
    """The result must not be undone: it was endorsed or archived, or others are derived from it."""


class DamagedResult(Damaged):
    """The result does not hold what it should."""
