"""An installation for tests of jobs with several processes, with a table `effect` in which jobs leave their mark."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

from tests.installations import Installation
from tests.servers.postgres import end_connections

ROOT = Path(__file__).parents[2]
_EFFECTS = "CREATE TABLE effect (number bigint NOT NULL, pid bigint NOT NULL)"


def on_postgres() -> bool:
    """Whether this run of the tests is on PostgreSQL."""
    return os.environ.get("OPILIO_TEST_DATABASE", "sqlite") == "postgres"


@dataclass(frozen=True, kw_only=True)
class Database:
    """The installation's database, asked without Django."""

    installation: Installation

    def prepare(self) -> "Database":
        """Add the table."""
        with self._connected() as connection:
            connection.execute(_EFFECTS)
            connection.commit()
        return self

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the database answers."""
        with self._connected() as connection:
            return connection.execute(query).fetchall()

    def write(self, statement: str) -> None:
        """Change rows behind everybody's back."""
        with self._connected() as connection:
            connection.execute(statement)
            connection.commit()

    def unlocked(self) -> bool:
        """Whether nobody, who may be stopped, keeps others from writing to the jobs."""
        try:
            with self._connected(patience=0.2) as connection:
                url = self.installation.database_url
                connection.execute("SELECT id FROM job FOR UPDATE NOWAIT" if url else "BEGIN IMMEDIATE")
        except (sqlite3.OperationalError, psycopg.errors.LockNotAvailable):
            return False
        return True

    def cut_off(self) -> int:
        """End all connections to the PostgreSQL database; returns how many there were."""
        url = self.installation.database_url
        return end_connections(url, urlsplit(url).path.lstrip("/"))

    @contextmanager
    def _connected(self, patience: float = 60) -> Iterator[Any]:
        url, file = self.installation.database_url, self.installation.home / "catalogue.db"
        with closing(psycopg.connect(url) if url else sqlite3.connect(file, timeout=patience)) as connection:
            yield connection
