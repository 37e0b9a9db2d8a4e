"""Owners hear of broken links at the end of a harvest, if the installation and they themselves want that."""

import pytest

from opilio.curation.actions.harvest_broken import FROM, tell_broken_links
from opilio.curation.models import HarvestEvent, HarvestState
from opilio.people.actions.parameters import set_parameters
from opilio.people.actor import system
from opilio.people.models import Notification, OutboxMessage, User
from opilio.people.parameters import in_force
from opilio.works.harvest_reports.broken import Broken, broken_links
from opilio.works.run_harvest import HarvestFolder
from tests.harvest_desk import HarvestDesk
from tests.harvest_report_folder import GONE, reported

BROKEN = Broken(urls=3, links=7, examples=("https://owls.example/<b>",))


@pytest.fixture
def desk(db):
    return HarvestDesk()


@pytest.fixture
def ended(desk):
    """A harvest that has ended."""
    owner = desk.town.user("curator", email="curator@library.example")
    User.objects.filter(pk=owner.pk).update(notifications_by_email=True)
    return desk.harvest(desk.ready(name="Owls", owner=owner), state=HarvestState.HARVESTED)


def _want(desk, least):
    set_parameters(desk.town.system, texts={FROM: str(least)}, versions={FROM: in_force()[FROM].version})


def _tell(desk, ended, least):
    _want(desk, least)
    return tell_broken_links(system(name="agent", clock=desk.town.clock), harvest_id=ended.pk, broken=BROKEN)


@pytest.mark.parametrize(("least", "told"), [(0, False), (1, True), (3, True), (4, False)])
def test_owners_are_told_from_so_many_on(desk, ended, least, told):
    """By notice and e-mail, with the count, a way to the report, and an entry in the log of the harvest."""
    assert _tell(desk, ended, least) is told
    found = Notification.objects.filter(kind="harvest-broken-links", user_id=ended.owner_id)
    assert found.count() == HarvestEvent.objects.filter(harvest=ended, name="broken-links").count() == int(told)
    if told:
        notice = found.get()
        assert "3 broken URLs in the harvest of Owls" in notice.subject
        assert f"/harvests/{ended.pk}/reports/broken-links" in notice.message
        assert (notice.resource_type, notice.resource_id) == ("harvest", ended.pk)
        assert OutboxMessage.objects.filter(to="curator@library.example").count() == 1


@pytest.mark.parametrize(("least", "told"), [(None, True), (0, False), (3, True), (4, False)])
def test_the_profile_decides_before_the_installation(desk, ended, least, told):
    """0 tells nobody, a number counts from there, and nothing leaves it to the parameter."""
    _want(desk, 1)
    agent = system(name="agent", clock=desk.town.clock)
    assert tell_broken_links(agent, harvest_id=ended.pk, broken=BROKEN, least=least) is told


def test_whoever_switched_notices_off_hears_nothing(desk, ended):
    """The log of the harvest tells it all the same."""
    User.objects.filter(pk=ended.owner_id).update(notify_on_general=False)
    assert _tell(desk, ended, 1)
    assert not Notification.objects.filter(kind="harvest-broken-links").exists()


def test_a_harvest_that_is_gone_is_no_error(desk):
    """It was deleted meanwhile."""
    agent = system(name="agent", clock=desk.town.clock)
    assert tell_broken_links(agent, harvest_id=1, broken=BROKEN) is False


def test_the_count_is_that_of_the_sealed_report(tmp_path):
    """With the URLs that most pages link to."""
    folder = HarvestFolder(path=reported(tmp_path / "1", sealed=True).path)
    assert broken_links(folder) == Broken(urls=1, links=1, examples=(GONE,))
