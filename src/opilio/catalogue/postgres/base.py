"""Django's PostgreSQL backend, whose closed connections wait for the next thread where a process wants that.

A connection costs the server a process and both sides an exchange of passwords: 20 ms of a busy machine.
"""

import contextlib
import select
import time
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from django.db.backends.postgresql.psycopg_any import IsolationLevel
from psycopg.pq import TransactionStatus

from opilio.catalogue.parking import LOT, Parked

_FRESH = 1.0  # seconds; one that waited longer is asked whether it still answers


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that may have served another thread."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """One that waits and is well, or a new one."""
        while (found := LOT.take(self._leads_to)) is not None:
            if _well(found):
                self.isolation_level = IsolationLevel.READ_COMMITTED
                return found.connection
            with contextlib.suppress(psycopg.Error):
                found.connection.close()
        return super().get_new_connection(conn_params)

    def _close(self) -> None:
        if self.connection is None or not (self._clean() and LOT.park(self._leads_to, self.connection)):
            super()._close()  # type: ignore[misc]  # Django has it, its stubs leave it out

    @property
    def _leads_to(self) -> tuple[str, ...]:
        told = self.settings_dict
        return (self.vendor, *(str(told[name]) for name in ("HOST", "PORT", "NAME", "USER")))

    def _clean(self) -> bool:
        """Whether nothing of what was done with it is left."""
        found = self.connection
        return not (self.errors_occurred or found.closed) and found.info.transaction_status == TransactionStatus.IDLE


def _well(parked: Parked) -> bool:
    """Whether the server still has it: one that was ended there has something to say."""
    connection = parked.connection
    try:
        ready, _, _ = select.select([connection], [], [], 0)
        if ready:
            return False
        if time.monotonic() - parked.since > _FRESH:
            connection.execute("")
    except (OSError, ValueError, psycopg.Error):
        return False
    return True
