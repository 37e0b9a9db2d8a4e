"""Connections that wait: taken over by the next thread, closed when they are old, never shared with a fork."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections

from opilio.catalogue.parking import LONGEST, LOT, Lot
from opilio.catalogue.sqlite.base import DatabaseWrapper


class _Closable:
    closed = False

    def close(self):
        self.closed = True


def test_nothing_is_parked_unless_the_process_wants_it():
    assert not Lot().park("here", _Closable())


def test_the_one_that_came_last_goes_first_and_only_where_it_leads():
    lot = Lot(room=3)
    for name, key in (("first", "here"), ("second", "here"), ("other", "there")):
        assert lot.park(key, name)
    assert not lot.park("here", "fourth")
    assert lot.take("here").connection == "second"
    assert lot.take("here").connection == "first"
    assert lot.take("here") is None


def test_one_that_waited_too_long_is_closed():
    moment = [0.0]
    lot, old = Lot(room=3, clock=lambda: moment[0]), _Closable()
    lot.park("here", old)
    moment[0] = LONGEST + 1
    assert lot.take("here") is None
    assert old.closed


def test_a_child_forgets_the_connections_of_its_parent():
    lot = Lot(room=3)
    lot.park("here", _Closable())
    lot.forget()
    assert lot.take("here") is None


@pytest.fixture
def parking():
    LOT.keep(4)
    yield
    LOT.keep(0)
    while (left := LOT.take((connection.vendor, *_address()))) is not None:
        left.connection.close()


def _address():
    return [str(connection.settings_dict[name]) for name in ("HOST", "PORT", "NAME", "USER")]


def _in_a_thread(work):
    """As jobs are done: each in a thread of its own, whose connections are closed at its end."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


@pytest.mark.only_on("postgres")
@pytest.mark.django_db
def test_the_next_thread_takes_the_connection_of_the_last_one(parking):
    assert _in_a_thread(_process) == _in_a_thread(_process)


@pytest.mark.only_on("postgres")
@pytest.mark.django_db
def test_a_connection_that_the_server_ended_is_not_used_again(parking):
    process = _in_a_thread(_process)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [process])
    threading.Event().wait(0.2)
    assert _in_a_thread(_process) != process


def _process():
    """The server's process that answered."""
    found = _process_open()
    connections.close_all()
    return found


@pytest.mark.only_on("postgres")
@pytest.mark.django_db
def test_a_connection_in_a_transaction_is_closed_and_not_parked(parking):

    def left_open():
        connection.set_autocommit(False)
        found = _process_open()
        connections.close_all()
        return found

    before = _in_a_thread(left_open)
    assert _in_a_thread(_process) != before


def _process_open():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]


def test_a_file_is_opened_once_for_two_threads(db, tmp_path, parking):
    made = DatabaseWrapper({**connection.settings_dict, "NAME": str(tmp_path / "one.db"), "OPTIONS": {}}, alias="one")
    made.inc_thread_sharing()

    def opened():
        made.ensure_connection()
        found = made.connection
        made.close()
        return found

    assert _in_a_thread(opened) is _in_a_thread(opened)
    LOT.take(("sqlite", str(tmp_path / "one.db"))).connection.close()
