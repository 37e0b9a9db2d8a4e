"""The job that puts a harvest into the working index."""

import dataclasses
from types import SimpleNamespace

import pytest

from opilio.agents.harvest_index import index_harvest
from opilio.curation.harvest_jobs import IndexHarvest
from opilio.curation.models import HarvestState
from opilio.kernel.clock import SYSTEM
from opilio.kernel.errors import Missing
from opilio.kernel.locks import locked
from opilio.works.followed_crawls import followed_file
from tests.harvest_desk import HarvestDesk


@pytest.fixture
def home(settings, tmp_path):
    settings.OPILIO = dataclasses.replace(settings.OPILIO, home=tmp_path)
    return tmp_path


@pytest.fixture
def harvest(db):
    desk = HarvestDesk()
    return desk.harvest(desk.ready(), state=HarvestState.HARVESTED)


def _run(harvest):
    """Until when the job was put off, if it was."""
    moments = []
    index_harvest(IndexHarvest(harvest=harvest.pk), SimpleNamespace(clock=SYSTEM, put_off=moments.append))
    return moments


def _seeming_sealed(home, harvest):
    folder = home / "harvests" / str(harvest.pk) / "results"
    folder.mkdir(parents=True)
    (folder / "result-1.db").touch()
    (folder / "result-1.sha256").touch()


def test_a_result_that_is_not_here_is_named(home, harvest):
    """With what to do; the job is tried again."""
    with pytest.raises(Missing, match="share the home folder"):
        _run(harvest)


def test_an_index_that_another_process_writes_is_waited_for(home, harvest):
    """The job is put off, and loses no attempt."""
    _seeming_sealed(home, harvest)
    working = home / "index" / "working"
    working.mkdir(parents=True)
    with locked(working / "writer.lock", purpose="writing the working index"):
        assert len(_run(harvest)) == 1
    assert followed_file(working).all() == []


def test_a_harvest_that_nobody_reviews_is_left_out(home, harvest):
    """Rejected meanwhile, for instance."""
    type(harvest).objects.filter(pk=harvest.pk).update(state=HarvestState.REJECTED)
    _run(harvest)
    assert not (home / "index").exists()
