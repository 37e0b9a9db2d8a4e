"""The event loop of a worker, and how Python looks for cycles while it runs."""

import gc

import pytest

from opilio.works.crawl_loop import run_loop
from opilio.works.seldom_collected import seldom_collected


@pytest.fixture(autouse=True)
def unfrozen():
    """A process whose objects may all be collected; those of the test run are left out of the search again."""
    before, frozen = gc.get_threshold(), gc.get_freeze_count() > 0
    gc.unfreeze()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)
    if frozen:
        gc.freeze()


async def seen_within():
    return gc.get_threshold(), gc.get_freeze_count()


def test_cycles_are_looked_for_seldom_while_a_worker_runs():
    """What the program is made of is left out; afterwards all is as before."""
    before = gc.get_threshold()
    threshold, frozen = run_loop(seen_within)
    assert threshold[0] > before[0]
    assert frozen > 10_000
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_an_error_leaves_the_search_for_cycles_as_it_was():
    """The process may go on with something else."""
    before = gc.get_threshold()

    async def fails():
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        run_loop(fails)
    assert gc.get_threshold() == before


def test_the_outer_of_two_says_when_it_is_over():
    """Sealing within a crawl leaves the search for cycles to the crawl."""
    before = gc.get_threshold()
    with seldom_collected():
        run_loop(seen_within)
        assert gc.get_threshold() != before
        assert gc.get_freeze_count()
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_a_program_that_froze_its_objects_itself_keeps_them_frozen():
    """Its own choice holds during the crawl and after it."""
    gc.freeze()
    with seldom_collected():
        assert gc.get_freeze_count() > 0
    assert gc.get_freeze_count() > 0
