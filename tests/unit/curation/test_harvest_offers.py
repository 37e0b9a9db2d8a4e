"""Which harvests an agent takes: the rule of its name, and the health of its machine."""

from pathlib import Path

import pytest

from opilio.agents.health import Health, Thresholds, measured, told, unwell
from opilio.agents.offers import Offers
from opilio.curation.actions.agents import set_agent_rule
from opilio.jobs.roster import Registered
from opilio.people.errors import InvalidFields, Stale
from tests.people import Town

WELL = Health(memory_free=4_000, disk_free=50, load=0.5)
ME = Registered(id=1, owner="barn#1")


@pytest.mark.parametrize(
    ("health", "word"),
    [
        (WELL, ""),
        (Health(memory_free=255, disk_free=50, load=0), "255 MB of memory"),
        (Health(memory_free=256, disk_free=10, load=8), ""),
        (Health(memory_free=4_000, disk_free=9.94, load=0), "9.9 % of its disk"),
        (Health(memory_free=4_000, disk_free=50, load=8.1), "8.1 processes"),
        (Health(memory_free=0, disk_free=0, load=99), "disk"),
    ],
)
def test_a_machine_is_unwell_beyond_a_threshold(health, word):
    """The reason names what was measured and the threshold; at the threshold it is still well."""
    reason = unwell(health, Thresholds())
    assert word in reason
    assert bool(reason) == bool(word)


def test_a_threshold_of_nothing_is_switched_off():
    """Whatever is measured."""
    assert unwell(Health(memory_free=0, disk_free=0, load=99), Thresholds(memory_free=0, disk_free=0, load=0)) == ""


def test_this_machine_is_measured(tmp_path):
    """Also for a home that is not there yet."""
    found = measured(tmp_path / "not" / "yet")
    assert found.memory_free > 0
    assert 0 <= found.disk_free <= 100
    assert found.load >= 0


def test_a_heartbeat_tells_of_the_machine():
    """What could be measured, and why it takes nothing."""
    odd = Health(memory_free=float("inf"), disk_free=3.14159, load=0.5)
    assert told(WELL, Thresholds()) == {"memory_free": 4_000, "disk_free": 50, "load": 0.5}
    assert told(odd, Thresholds(disk_free=0)) == {"disk_free": 3.14, "load": 0.5}
    assert "disk" in told(odd, Thresholds())["unwell"]


@pytest.fixture
def town(db):
    return Town()


def _offers(*health):
    looks = iter(health)
    return Offers(name="barn", home=Path("/"), thresholds=Thresholds(), look=lambda home: next(looks))


def test_without_a_rule_everything_is_taken(town):
    """As long as the machine is well."""
    assert _offers(WELL)(ME).tags is None


def test_an_unwell_machine_takes_nothing_and_says_so_once(town, caplog):
    """And takes work again when it is well."""
    ill = Health(memory_free=1, disk_free=50, load=0)
    offers = _offers(ill, ill, WELL)
    assert offers(ME) is None
    assert offers(ME) is None
    assert offers(ME) is not None
    assert sum("agent_unwell" in record.getMessage() for record in caplog.records) == 1


def test_a_rule_names_the_agencies(town):
    """Their harvests only."""
    set_agent_rule(town.system, name=" barn ", agencies=[town.museum.id, town.museum.id])
    assert _offers(WELL)(ME).tags == {f"agency {town.museum.id}"}


def test_a_rule_that_refuses(town):
    """Nothing is taken while it stands."""
    set_agent_rule(town.system, name="barn", accepting=False)
    assert _offers(WELL)(ME) is None
    set_agent_rule(town.system, name="barn", accepting=True)
    assert _offers(WELL)(ME) is not None


def test_a_rule_for_an_agency_that_is_not_there(town):
    """Is refused by name of the field."""
    with pytest.raises(InvalidFields, match="agency 7"):
        set_agent_rule(town.system, name="barn", agencies=[7])


def test_a_rule_that_somebody_else_changed(town):
    """Is not overwritten."""
    set_agent_rule(town.system, name="barn")
    set_agent_rule(town.system, name="barn", accepting=False, version=1)
    with pytest.raises(Stale):
        set_agent_rule(town.system, name="barn", accepting=True, version=1)


def test_a_change_of_agencies_is_a_change_of_the_rule(town):
    """Whoever saw the old ones is told."""
    set_agent_rule(town.system, name="barn")
    set_agent_rule(town.system, name="barn", agencies=[town.museum.id], version=1)
    with pytest.raises(Stale):
        set_agent_rule(town.system, name="barn", agencies=[town.library.id], version=1)
