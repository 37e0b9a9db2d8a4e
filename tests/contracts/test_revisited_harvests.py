"""Harvests that go by earlier ones: what changed is counted, seeds are looked at, only changed pages are indexed."""

import shutil
from dataclasses import replace

import pytest

from opilio.crawl.engine.brake import Brake
from opilio.crawl.engine.settings import EngineSettings
from opilio.curation.site_health import examined
from opilio.search.analysis.analyzer import Analyzer
from opilio.search.register import Register
from opilio.works.change_history import ChangeHistory, Tally
from opilio.works.crawl_to_archive import Crew
from opilio.works.followed_crawls import FollowedCrawl, register_file
from opilio.works.harvest_changes import history_file, tallied
from opilio.works.run_harvest import HarvestFolder
from opilio.works.seed_facts import Step, seed_facts
from opilio.works.working_index import WorkingIndex
from tests.acceptance.crawl.crawls import plan_for
from tests.servers.http_server import HttpServer

DAY = 86_400
QUICK = EngineSettings(commit_every=0.1, claim_every=0.2, look_every=0.1, pause=0.02, quiet=0.5)


class Site:
    """A site on disk, harvested again and again."""

    def __init__(self, folder):
        self.folder = folder
        self.home = folder / "home"
        self.site = folder / "site"
        self.site.mkdir()
        self.server = HttpServer(site=self.site)

    def write(self, **pages):
        """Pages by name; the front page links to all of the second level that there are."""
        for name, words in pages.items():
            (self.site / f"{name}.html").write_text(f"<title>{name}</title>{words}")

    def folder_of(self, number):
        return HarvestFolder(path=self.home / "harvests" / str(number))

    def harvest(self, number, *, since=None, crew=None, **plan):
        """Harvest into a folder of its own, going by an earlier one."""
        told = str(self.folder_of(since).path) if since else ""
        made = self.folder_of(number)
        made.run(plan_for(self.server.url("/index.html"), since=told, **plan), crew or Crew(settings=QUICK))
        return made

    def tally(self, number):
        """What it found changed."""
        return tallied(history_file(self.home, 7), self.folder_of(number), harvest=number, at=float(number * DAY))


@pytest.fixture
def site(tmp_path):
    made = Site(tmp_path)
    made.write(index="<a href=a.html>a</a><a href=b.html>b</a><img src=p.png>owls", a="kestrel", b="heron")
    with made.server:
        yield made


def _followed(site, number, since=None):
    name = f"harvest-{since}" if since else ""
    return FollowedCrawl(name=f"harvest-{number}", folder=str(site.folder_of(number).path), since=name)


def _found(folder):
    with Register(register_file(folder)) as register:
        return sorted((entry.crawl[-1], entry.url.rpartition("/")[2]) for entry in register.entries())


def test_what_changed_is_counted_over_several_harvests(site):
    """Not modified, changed, new, gone; a harvest that reached a limit calls nothing gone that it did not meet."""
    site.harvest(1)
    assert site.tally(1) == Tally(new=3)
    site.write(index="<a href=a.html>a</a><a href=c.html>c</a>owls", a="kestrel", c="stork")
    site.harvest(2, since=1)
    assert site.tally(2) == Tally(since=1, days=1, not_modified=1, changed=1, new=1, gone=1)
    assert site.tally(2) == Tally(since=1, days=1, not_modified=1, changed=1, new=1, gone=1)
    site.harvest(3, since=2, limits={"pages": 1})
    assert site.tally(3) == Tally(since=2, days=1, not_modified=1)
    (site.site / "a.html").unlink()
    site.harvest(4)
    assert site.tally(4) == Tally(since=3, days=1, same=2, gone=1)
    with ChangeHistory(history_file(site.home, 7)) as history:
        found = {page.url.rpartition("/")[2]: page for page in history.pages()}
    assert {name: (page.present, page.checks, page.changes) for name, page in found.items()} == {
        "index.html": (True, 3, 1), "a.html": (False, 1, 0), "b.html": (False, 0, 0), "c.html": (True, 1, 0),
    }  # fmt: skip


def test_a_harvest_goes_on_when_the_earlier_one_is_gone_or_elsewhere(site):
    """An agent that takes over says where the earlier data is now, if anywhere."""
    site.write(**{f"p{number}": "owl " * 50 for number in range(9)})
    site.write(index="".join(f"<a href=p{number}.html>x</a>" for number in range(9)))
    site.harvest(1)
    brake = Brake()
    crew = Crew(settings=QUICK, brake=brake, look=lambda look: brake.pull() if look.counts.pages else None)
    left = site.harvest(2, since=1, crew=crew, manners={"delay": 0.15})
    assert (left.begun(), left.sealed()) == (True, False)
    shutil.copytree(left.path, site.folder_of(3).path)
    moved = site.folder_of(9)
    shutil.move(site.folder_of(1).path, moved.path)
    assert (site.folder_of(1).readable(), moved.readable()) == (False, True)
    site.harvest(2)
    assert site.tally(2) == Tally(new=10)
    site.harvest(3, since=9)
    assert site.tally(3).not_modified > 0


def test_a_damaged_result_cannot_be_gone_by(site):
    """So that everything is fetched again instead."""
    made = site.harvest(1)
    assert made.readable()
    result = made.path / "results" / "result-1.db"
    result.chmod(0o600)
    result.write_bytes(b"no result" * 100)
    assert not made.readable()


def test_only_changed_pages_are_indexed_again(site, tmp_path):
    """Also by a third harvest; when the first is forgotten, the pages that were found in it are found in the next."""
    for number in (1, 2, 3):
        site.harvest(number, since=number - 1 or None)
        site.write(a=f"kestrel {number}")
    with WorkingIndex(tmp_path / "working", Analyzer()) as index:
        assert index.follow(_followed(site, 1)) == 3
        assert index.follow(_followed(site, 2, 1)) == 1
        assert index.follow(_followed(site, 3, 2)) == 1
        assert index.follow(_followed(site, 3, 2)) == 0
        assert _found(tmp_path / "working") == [
            ("1", "a.html"), ("1", "b.html"), ("1", "index.html"), ("2", "a.html"), ("3", "a.html"),
        ]  # fmt: skip
        index.forget("harvest-1")
        index.update()
    assert _found(tmp_path / "working") == [
        ("2", "a.html"), ("2", "b.html"), ("2", "index.html"), ("3", "a.html"),
    ]  # fmt: skip


def test_seeds_are_looked_at(site):
    """Redirects step by step, the last answer, what its page says; also of seeds that nobody answers."""
    there, gone = site.server.url("/a.html"), site.server.url("/nothing.html")
    led = site.server.url(f"/redirect/to?status=301&url={there}")
    plan = plan_for(there, gone, led)
    made = site.folder_of(1)
    made.run(replace(plan, seeds=(*plan.seeds, replace(plan.seeds[0], url=f"{there}?off", active=False))), Crew())
    page, missing, moved = seed_facts(made)
    assert (page.outcome, page.status, page.title, page.text) == ("fetched", 200, "a", "kestrel")
    assert (missing.outcome, missing.status, missing.reason) == ("gone", 404, "status 404")
    assert (moved.steps, moved.last, moved.title) == ((Step(status=301, to=there),), there, "a")


@pytest.mark.parametrize(("path", "trouble"), [
    ("/nothing.html", "site-dead"), ("/redirect/to?status=308&url=http://localhost:{port}/a.html", "site-moved"),
    ("/parked.html", "site-parked"),
    ("/members.html", "site-closed"), ("/a.html", None),
])  # fmt: skip
def test_a_site_is_judged_by_the_answers_to_its_seeds(site, path, trouble):
    """As they stand in the sealed result."""
    site.write(parked="This domain is for sale.", members="<h1>Members only</h1> Please log in.")
    made = site.folder_of(1)
    made.run(plan_for(site.server.url(path.format(port=site.server.port))), Crew(settings=QUICK))
    assert [one.trouble.value for one in examined(seed_facts(made))] == ([trouble] if trouble else [])
