"""What goes wrong between a partner's server and our disk.

InvalidInput
├── BadDeliveryProfile    a profile that cannot be read
└── BadSource             a source that cannot be used as it is described
Unavailable
└── SourceAway            the server cannot be reached, hangs, or broke off; later it may answer
Denied
├── SourceRefused         the server does not let us in, or not to this file
└── WrongIdentity         the server is not the one that was enrolled
Missing
└── NotAtSource           the file or folder is not there
Conflict
└── FileChanged           the file changed while it was fetched
Damaged
├── TransferDamaged       what arrived is not what the source has
├── BadDocument           a document that cannot be read
└── BadArchive            an archive that is broken, or that no honest partner makes
"""

from opilio.kernel.errors import Conflict, Damaged, Denied, InvalidInput, Missing, Unavailable


class BadDeliveryProfile(InvalidInput):
    """A profile that cannot be read."""

    usual_remedy = "Correct the file of the profile; `opilio delivery check` reads it again."


class BadSource(InvalidInput):
    """A source that cannot be used as it is described."""

    usual_remedy = "Correct what is said about the source."


class SourceAway(Unavailable):
    """The server cannot be reached, hangs, or broke off; later it may answer."""


class SourceRefused(Denied):
    """The server does not let us in, or not to this file."""


class WrongIdentity(Denied):
    """The server is not the one that was enrolled."""


class NotAtSource(Missing):
    """The file or folder is not there."""


class FileChanged(Conflict):
    """The file changed while it was fetched."""


class TransferDamaged(Damaged):
    """What arrived is not what the source has."""


class BadDocument(Damaged):
    """A document that cannot be read."""


class BadArchive(Damaged):
    """An archive that is broken, or that no honest partner makes; `kind` names the case for machines."""

    def __init__(self, what: str, *, kind: str, where: str = "", remedy: str = "") -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.kind = kind
