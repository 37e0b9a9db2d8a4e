"""The errors of bulk work.

OpilioError
├── InvalidInput
│   ├── NothingSelected   no row that the asker may see
│   ├── TooManyRows       more rows than are done at a time
│   └── BadTable          a file that is no table of the wanted kind
├── Conflict
│   └── NotStartable      bulk work that runs already, or is over
└── SettledElsewhere      another runner was quicker; this one writes nothing
"""

from opilio.kernel.errors import Conflict, InvalidInput, OpilioError


class NothingSelected(InvalidInput):
    """No row that the asker may see."""


class TooManyRows(InvalidInput):
    """More rows than are done at a time."""


class BadTable(InvalidInput):
    """A file that is no table of the wanted kind."""


class NotStartable(Conflict):
    """Bulk work that runs already, or is over."""


class SettledElsewhere(OpilioError):
    """Another runner was quicker; this one writes nothing."""
