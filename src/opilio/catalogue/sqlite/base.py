"""Django's SQLite backend, patient when several processes open a catalogue that is not yet in WAL mode.

The first one to open it changes the mode. SQLite waits for no lock while a reader becomes the only writer, so the
others are told at once that the database is locked; they ask again instead.
"""

import sqlite3
import time
from typing import Any

from django.db.backends.sqlite3 import base

_PAUSE = 0.02  # seconds
_PATIENCE = 30.0


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose opening waits for others that open it."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        """Open the file, again and again while it is locked, as long as a writer would wait."""
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


def _busy(error: sqlite3.OperationalError) -> bool:
    return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
