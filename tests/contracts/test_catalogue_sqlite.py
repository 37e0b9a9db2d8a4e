"""What the catalogue's SQLite promises to processes that open it together."""

import sqlite3
import time
from contextlib import closing
from types import SimpleNamespace

import pytest
from django.db.utils import ConnectionHandler

from opilio.catalogue.sqlite import base
from opilio.kernel.settings import Settings
from opilio.server.databases import database

pytestmark = pytest.mark.only_on("sqlite")


@pytest.fixture
def opened(tmp_path):
    """A way to the file, in which nobody has yet asked for a write-ahead log, and a writer who stands in the way."""
    file = tmp_path / "catalogue.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as writer:
        writer.executescript("CREATE TABLE page (id); BEGIN IMMEDIATE")
        handler = ConnectionHandler({"default": database(Settings(home=tmp_path))})
        yield writer, handler["default"]


def test_one_who_opens_it_while_another_writes_waits(opened, monkeypatch):
    """The change to a write-ahead log waits for the writer instead of failing."""
    writer, connection = opened
    monkeypatch.setattr(base, "time", SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: writer.rollback()))
    with closing(connection.get_new_connection(connection.get_connection_params())) as found:
        assert found.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_its_patience_ends(opened, monkeypatch):
    """After as long as a writer would wait, the lock is told."""
    _, connection = opened
    now = iter((0.0, 10.0, 31.0))
    clock = SimpleNamespace(monotonic=lambda: next(now), sleep=lambda _: None)
    monkeypatch.setattr(base, "time", clock)  # its own only: other threads of this process need the real one
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        connection.get_new_connection(connection.get_connection_params())
