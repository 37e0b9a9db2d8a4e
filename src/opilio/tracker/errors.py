"""What can go wrong with the tracker."""

from opilio.kernel.errors import Conflict, InvalidInput, Unavailable


class NotInThisStanding(Conflict):
    """A delivery does not stand where this could be done with it."""


class KindInUse(Conflict):
    """A kind of finding of which there are findings."""


class SessionFailed(Unavailable):
    """A delivery session could not be done: the disk, the database or the profile stood in its way."""

    exit_code = 2


class BadTrackerDump(InvalidInput):
    """Tables of a tracker cannot be read as they are."""

    usual_remedy = "Correct the table, or export it anew; nothing was changed."
