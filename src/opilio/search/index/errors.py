"""The errors of the index.

InvalidInput
└── BadSearchDocument   a search document whose values the index cannot take
Conflict
├── OtherAnalysis       the index was built with another analysis than the one in force
└── BuildEnded          the build stopped at an error; what was not committed is gone
Unavailable
└── IndexNotWritten     the engine could not write
Damaged
├── IndexUnreadable     the folder holds no index that can be opened
└── IndexCountWrong     the index does not hold the pages that were given to it
"""

from opilio.kernel.errors import Conflict, Damaged, InvalidInput, Unavailable


class BadSearchDocument(InvalidInput):
    """A search document whose values the index cannot take."""


class OtherAnalysis(Conflict):
    """The index was built with another analysis than the one in force."""


class BuildEnded(Conflict):
    """The build stopped at an error; what was not committed is gone."""


class IndexNotWritten(Unavailable):
    """The engine could not write."""


class IndexUnreadable(Damaged):
    """The folder holds no index that can be opened."""


class IndexCountWrong(Damaged):
    """The index does not hold the pages that were given to it."""
