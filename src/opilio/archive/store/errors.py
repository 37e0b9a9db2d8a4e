"""The errors of stores.

InvalidInput
├── BadStoreAddress    an address that names no store
├── BadObjectKey       a key that cannot name an object
└── BehindTheEnd       a part that begins where the object has ended
Denied
└── StoreDenied        the server refuses the credentials or the deed
Missing
├── NoSuchKey          there is no object of that key
├── NoBucket           there is no such bucket
├── NoArchive          no archive was begun in that store
└── NoObject           the archive has no such harvest, version or file
Conflict
├── KeyTaken           another content has the key
├── ChangedMeanwhile   somebody else changed the object first
├── VersionTaken       the archive has another content for that version
└── OccupiedStore      the store holds something else
Unavailable
├── StoreUnavailable   the server is slow, silent, broken or out of reach
└── UnfitStore         the server does not keep what an archive needs
Damaged
├── DamagedObject      the content is not what was put
└── BrokenInventory    an inventory that cannot be read
"""

from collections.abc import Sequence

from opilio.kernel.errors import Conflict, Damaged, Denied, InvalidInput, Missing, Unavailable


class BadStoreAddress(InvalidInput):
    """An address that names no store."""


class BadObjectKey(InvalidInput):
    """A key that cannot name an object of a store."""


class BehindTheEnd(InvalidInput):
    """A part was asked for that begins where the object has ended."""


class StoreDenied(Denied):
    """The server of the store refuses the credentials, or what was asked with them."""


class NoSuchKey(Missing):
    """The store has no object of that key."""


class NoBucket(Missing):
    """The server has no bucket of that name."""


class NoArchive(Missing):
    """No archive was begun in that store."""


class NoObject(Missing):
    """The archive has no such harvest, version or file."""


class KeyTaken(Conflict):
    """The key has another content already, and what is stored is never overwritten."""


class ChangedMeanwhile(Conflict):
    """Somebody else changed the object first."""


class VersionTaken(Conflict):
    """The archive has another content for that version already."""


class OccupiedStore(Conflict):
    """The store holds something that is no archive."""


class StoreUnavailable(Unavailable):
    """The server of the store is slow, silent, broken or out of reach."""


class UnfitStore(Unavailable):
    """The server of the store does not keep a promise that an archive needs."""


class DamagedObject(Damaged):
    """The content of a stored object is not what was put there."""


class BrokenInventory(Damaged):
    """The inventory of an archived harvest cannot be read."""

    faults: Sequence[str] = ()  # each in words
