"""Named leases: one holder, an end, and a fence."""

from datetime import timedelta

import pytest

from opilio.jobs import leases
from opilio.jobs.errors import Fenced
from opilio.jobs.models import Agent, Lease
from opilio.kernel.clock import ManualClock

pytestmark = pytest.mark.django_db

LEASE = timedelta(seconds=30)


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def acquire(clock):
    return lambda owner: leases.acquire("sealer", owner=owner, now=clock.now(), lease=LEASE)


def test_one_holder(acquire):
    """While one holds the lease, nobody else gets it, nor the holder a second time."""
    held = acquire("first")
    assert (held.owner, held.epoch) == ("first", 1)
    assert acquire("second") is None
    assert acquire("first") is None


def test_leases_do_not_share(acquire, clock):
    """Leases of different names have nothing to do with each other."""
    acquire("first")
    assert leases.acquire("scheduler", owner="second", now=clock.now(), lease=LEASE) is not None


def test_ends_by_itself(acquire, clock):
    """A lease that is not renewed goes to the next who asks, with a higher epoch."""
    acquire("first")
    clock.advance(30)
    assert acquire("second").epoch == 2


def test_renewed(acquire, clock):
    """A renewed lease lasts."""
    held = acquire("first")
    clock.advance(20)
    assert leases.renew(held, now=clock.now(), lease=LEASE).until == clock.now() + LEASE
    clock.advance(20)
    assert acquire("second") is None


def test_renewed_late(acquire, clock):
    """Nobody took it in the meantime: it can still be renewed."""
    held = acquire("first")
    clock.advance(500)
    leases.renew(held, now=clock.now(), lease=LEASE)
    assert acquire("second") is None


def test_given_back(acquire, clock):
    """A lease that is given back can be taken at once, with a higher epoch."""
    leases.release(acquire("first"), now=clock.now())
    assert acquire("second").epoch == 2


def test_overslept(acquire, clock):
    """Who lost the lease can neither renew nor write nor take it from the new holder."""
    late = acquire("first")
    clock.advance(30)
    new = acquire("second")
    with pytest.raises(Fenced) as caught:
        leases.renew(late, now=clock.now(), lease=LEASE)
    assert "sealer" in str(caught.value)
    with pytest.raises(Fenced), leases.writing(late):
        Lease.objects.create(name="written", until=clock.now())
    assert not Lease.objects.filter(name="written").exists()
    leases.release(late, now=clock.now())
    leases.renew(new, now=clock.now(), lease=LEASE)


def test_writing_is_one_transaction(acquire, clock):
    """What is written under the lease is written whole or not at all."""
    held = acquire("first")

    def half():
        with leases.writing(held):
            Agent.objects.create(
                name="a", machine="m", pid=1, slots=1, version="0", started=clock.now(), heartbeat_at=clock.now()
            )
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    assert not Agent.objects.exists()
    with leases.writing(held):
        Lease.objects.create(name="written", until=clock.now())
    assert Lease.objects.filter(name="written").exists()
