"""Django's SQLite backend, patient when several processes open a catalogue that is not yet in WAL mode.

The first one to open it changes the mode. SQLite waits for no lock while a reader becomes the only writer, so the
others are told at once that the database is locked; they ask again instead. Closed connections wait for the next thread
where a process wants that (`parking`).
"""

import sqlite3
import time
from typing import Any

from django.db.backends.sqlite3 import base

from opilio.catalogue.parking import LOT

_PAUSE = 0.02  # seconds
_PATIENCE = 30.0


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose opening waits for others that open it."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        """One that waits, or the file opened, again and again while it is locked, as long as a writer would wait."""
        if (parked := LOT.take(self._leads_to)) is not None:
            found: sqlite3.Connection = parked.connection
            return found
        last = time.monotonic() + float(conn_params.get("timeout", _PATIENCE))
        while True:
            try:
                opened: sqlite3.Connection = super().get_new_connection(conn_params)
            except sqlite3.OperationalError as error:
                if not _busy(error) or time.monotonic() > last:
                    raise
                time.sleep(_PAUSE)
            else:
                return opened

    def _close(self) -> None:
        if self.connection is None or not (self._clean() and LOT.park(self._leads_to, self.connection)):
            super()._close()  # type: ignore[misc]  # Django has it, its stubs leave it out

    @property
    def _leads_to(self) -> tuple[str, str]:
        return self.vendor, str(self.settings_dict["NAME"])

    def _clean(self) -> bool:
        """Whether nothing of what was done with it is left."""
        return not (self.errors_occurred or self.is_in_memory_db() or self.connection.in_transaction)


def _busy(error: sqlite3.OperationalError) -> bool:
    return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
