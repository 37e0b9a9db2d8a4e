"""The errors of the server and its operation.

OpilioError
├── InvalidInput
│   ├── OtherEngine          a backup of SQLite for PostgreSQL, or the other way round
│   ├── NoBackup             what was named is no backup
│   ├── SameDatabase         source and target of a copy are one
│   └── Untransferable       a row that the other kind of database cannot hold
├── Conflict
│   ├── NotEmpty             the target of a restore holds data
│   ├── NewerDatabase        the database, or a backup, was made by a newer Opilio
│   └── InOperation          another process works with the installation
├── Unavailable
│   ├── DatabaseUnreachable  the database does not answer, or refuses us
│   ├── DatabaseBusy         another process keeps the database locked
│   ├── NotMigrated          the database lacks tables of this version
│   ├── ProgramMissing       a program of the operating system is needed, or too old
│   ├── ServerDied           the pages ended by themselves
│   └── DemoFailed           the check of the demo found a fault
└── Damaged
    ├── DamagedBackup        a backup does not hold what its manifest says
    ├── DamagedDatabase      the database cannot be read as one
    ├── CopyDiffers          a copied row is not what it was
    └── BrokenChain          the audit log was changed
"""

from opilio.kernel.errors import Conflict, Damaged, InvalidInput, Unavailable


class OtherEngine(InvalidInput):
    """A backup of SQLite for PostgreSQL, or the other way round."""


class NoBackup(InvalidInput):
    """What was named is no backup."""


class SameDatabase(InvalidInput):
    """Source and target of a copy are one."""


class Untransferable(InvalidInput):
    """A row that the other kind of database cannot hold."""


class NotEmpty(Conflict):
    """The target of a restore or a copy holds data."""


class NewerDatabase(Conflict):
    """The database, or a backup, was made by a newer Opilio."""


class InOperation(Conflict):
    """Another process works with the installation."""


class DatabaseUnreachable(Unavailable):
    """The database does not answer, or refuses us."""


class DatabaseBusy(Unavailable):
    """Another process keeps the database locked."""


class NotMigrated(Unavailable):
    """The database lacks tables of this version."""


class ProgramMissing(Unavailable):
    """A program of the operating system is needed, or too old."""


class ServerDied(Unavailable):
    """The pages ended by themselves."""


class DemoFailed(Unavailable):
    """The check of the demo found a fault."""


class DamagedBackup(Damaged):
    """A backup does not hold what its manifest says."""


class DamagedDatabase(Damaged):
    """The database cannot be read as one."""


class CopyDiffers(Damaged):
    """A copied row is not what it was."""


class BrokenChain(Damaged):
    """The audit log was changed; `faults` names the places."""

    faults: tuple[str, ...] = ()
