"""A really sealed crawl is measured, alone and against another."""

import shutil

import pytest

from opilio.kernel.errors import OpilioError
from opilio.works.quality import measuring
from opilio.works.quality.checking import Checking, check
from opilio.works.quality.measuring import Place, measure
from tests.review_desk import crawled, pruned


@pytest.fixture
def place(tmp_path):
    """A copy of the crawl."""
    shutil.copytree(crawled().folder, tmp_path / "crawl")
    return Place(folder=tmp_path / "crawl", number=1)


def test_measured(place):
    """Pages, errors, what robots.txt forbade and what a page lacks are found."""
    found = measure(place).measured
    assert (found.figures.pages, found.figures.errors, found.figures.robots_denied) == (5, 2, 1)
    assert found.figures.finished
    assert (found.figures.seeds, found.figures.seeds_well) == (1, 1)
    assert [one.url for one in found.completeness.missing] == [crawled().url("/lost.png")]
    assert found.important[0] == crawled().url("/")
    assert crawled().url("/gone.html") not in found.important


def test_riskiest_page_is_proposed_first(place):
    """The page that lacks a picture is the first to look at."""
    assert measure(place).sample[0].url == crawled().url("/owls.html")


def test_derived_result_is_measured_as_such(place):
    """What was pruned is not measured, and is missing beside the earlier result."""
    number = pruned(place.folder, crawled().url("/herons.html"))
    found = measure(Place(folder=place.folder, number=number), before=place).measured
    assert found.figures.pages == 4
    assert found.differential.missing.listed == (crawled().url("/herons.html"),)
    assert (found.differential.matching, found.differential.new.total) == (found.before.urls - 1, 0)


def test_earlier_result_that_cannot_be_read(place, tmp_path):
    """The result is measured all the same, and it is told why nothing was compared."""
    found = measure(place, before=Place(folder=tmp_path / "nowhere", number=1)).measured
    assert found.differential is None
    assert "nowhere" in found.not_compared


def test_damaged_result(place):
    """A file that is no database is an error that names it."""
    (place.folder / "results" / "result-1.db").write_bytes(b"x" * 4_096)
    with pytest.raises(OpilioError):
        measure(place)


def test_measuring_can_be_left(place, monkeypatch):
    """Whoever is told how far it is can leave."""
    monkeypatch.setattr(measuring, "_EVERY", 1)

    def leave(done):
        if done:
            raise OpilioError("enough")

    with pytest.raises(OpilioError, match="enough"):
        measure(place, told=leave)


def test_comparing_can_be_left(place):
    """Whoever leaves while harvests are compared is not taken for a fault of the earlier one."""
    calls = []

    def leave(done):
        calls.append(done)
        if len(calls) > 1:
            raise OpilioError("enough")

    with pytest.raises(OpilioError, match="enough"):
        measure(place, before=place, told=leave)


def test_texts_of_few_pages_are_looked_at(place, monkeypatch):
    """Of a large result only a sample of texts is read."""
    monkeypatch.setattr(measuring, "_TEXTS", 1)
    assert measure(place).measured.duplicates.looked_at < 5


def test_no_browser(place):
    """Without a browser the check says so, and nothing breaks."""
    found = check(place, [crawled().url("/")], Checking(program="no-such-browser"))
    assert found.why_not.startswith("Not checked: no browser")


def test_nothing_to_check(place):
    """Without pages no browser is started."""
    assert check(place, [], Checking()).why_not


def test_replay_check(place):
    """Chromium finds what a page needs and the result lacks, and compares with an earlier harvest and the live site."""
    with crawled().served(**{"owls.html": "<html><title>Owls</title><p>Something else entirely now.</p></html>"}):
        found = check(place, [crawled().url("/owls.html"), crawled().url("/none")], Checking(before=place, live=True))
    if found.why_not.startswith("Not checked: no browser"):
        pytest.skip(found.why_not)
    owls, none = found.pages
    assert owls.failed.listed == (crawled().url("/lost.png"),)
    assert owls.picture == 0
    assert owls.live_text < 0.5
    assert owls.live_picture > 0
    assert none.problem
