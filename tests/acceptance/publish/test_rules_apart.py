"""Machines without a common disk: the rules of access that one compiles hold on all; who cannot tell is closed."""

import time
from dataclasses import replace

import pytest

from opilio.agents.access_file import AccessKeeping
from opilio.archive.store.disk import DiskStore
from opilio.kernel.access import OPEN_TO_ALL, PUBLIC, decide
from opilio.kernel.clock import SYSTEM
from opilio.people import seals
from opilio.works.access_home import access_place
from opilio.works.search_setup import rules_of, shared_rules
from opilio.works.sharing.shared_rules import SharedHomeRules, SharedRules
from tests.contracts.sharing_machines import Switched

pytestmark = pytest.mark.only_on("sqlite")
PATIENCE = 60  # seconds; for a busy machine


class Turn:
    """A turn of the chore on a machine."""

    def __init__(self, settings):
        self.settings, self.clock = settings, SYSTEM


@pytest.fixture
def machine(shelf, tmp_path):
    """The settings of a machine."""
    return lambda name: replace(shelf.settings.OPILIO, home=tmp_path / name, work_store=str(tmp_path / "bucket"))


def compiled_on(settings):
    seals.seal(SYSTEM.now())
    AccessKeeping()(Turn(settings))
    return access_place(settings).public_key.read_text()


def is_closed(rules):
    """Whether a reader sees nothing that no rule opens."""
    now = SYSTEM.now()
    return not decide(rules, url="http://nobody.example/", captured=now, now=now, reader=PUBLIC, agency="1").allowed


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_rules_of_one_machine_hold_on_another(shelf, machine):
    """Also where the pages are asked before there are rules, and when a machine with another key takes over."""
    front = SharedHomeRules(shared_rules(machine("front")), check_every=0.0)
    assert front(SYSTEM.now()) is OPEN_TO_ALL
    shelf.endorsed()
    first = compiled_on(machine("barn"))
    until(lambda: front(SYSTEM.now()) is not OPEN_TO_ALL)
    assert is_closed(front(SYSTEM.now()))
    assert front(SYSTEM.now()).count == rules_of(machine("barn"))(SYSTEM.now()).count > 0
    other = compiled_on(machine("byre"))
    assert other != first
    known = access_place(machine("front")).public_key
    until(lambda: front(SYSTEM.now()).count > 0 and known.read_text() == other)
    assert rules_of(machine("late"))(SYSTEM.now()).count > 0


def test_a_machine_that_took_over_by_another_key_signs_by_its_own(shelf, machine):
    """It had keys, and then fetched the rules of another; what it writes next is genuine for everybody."""
    shelf.endorsed()
    first = compiled_on(machine("barn"))
    compiled_on(machine("byre"))
    assert compiled_on(machine("barn")) == first
    assert rules_of(machine("late"))(SYSTEM.now()).count > 0


def test_who_cannot_ask_is_closed(machine, tmp_path):
    """As long as the store is away and no rules are here; then as it is told."""
    store = Switched(DiskStore(tmp_path / "bucket"))
    rules = SharedHomeRules(SharedRules(store=store, place=access_place(machine("front"))), check_every=0.0)
    store.away = True
    assert is_closed(rules(SYSTEM.now()))
    store.away = False
    assert rules(SYSTEM.now()) is OPEN_TO_ALL


def test_rules_that_are_here_hold_while_the_store_is_away(shelf, machine, tmp_path):
    """Until they are too old, as ever."""
    shelf.endorsed()
    compiled_on(machine("barn"))
    store = Switched(DiskStore(tmp_path / "bucket"))
    rules = SharedHomeRules(SharedRules(store=store, place=access_place(machine("front"))), check_every=0.0)
    assert rules(SYSTEM.now()).count > 0
    store.away = True
    assert rules(SYSTEM.now()).count > 0
