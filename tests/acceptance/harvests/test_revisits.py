"""The second harvest of a site that changed, with a real agent and a real site."""

import contextlib
import json
import shutil
import sqlite3

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.harvests import Yard
from tests.servers.http_server import HttpServer

_PAGES = {"index.html": "<a href='a.html'>a</a><a href='b.html'>b</a><p>owls", "a.html": "kestrel", "b.html": "heron"}


@pytest.fixture
def folder(tmp_path):
    """The files of a site of three pages."""
    made = tmp_path / "site"
    made.mkdir()
    for name, words in _PAGES.items():
        (made / name).write_text(f"<title>{name}</title>{words}")
    return made


@pytest.fixture
def site(folder):
    """The site."""
    with HttpServer(site=folder) as server:
        yield server


def _again(yard, harvest):
    """Another harvest of the same target, due now."""
    told = yard.act(
        "from opilio.curation import planning\n"
        "from opilio.curation.models import Harvest\n"
        "from opilio.people.acting import action\n"
        "@action('test.plan', 'Plan.')\n"
        "def plan(act):\n"
        "    act.require_that(True, '', '')\n"
        f"    row = Harvest.objects.get(pk={harvest}).abstract_target\n"
        "    return planning.plan_once(act, row, SYSTEM.now()).pk\n"
        "print(plan(actor))\n"
    )
    return json.loads(told.strip().splitlines()[-1])


def _revisits(installation, harvest):
    found = set()
    for path in (installation.home / "harvests" / str(harvest) / "warcs").glob("*.warc.gz"):
        with path.open("rb") as stream:
            records = [one.rec_headers for one in ArchiveIterator(stream) if one.rec_type == "revisit"]
        found |= {one.get_header("WARC-Target-URI").rpartition("/")[2] for one in records}
    return found


def _indexed(installation):
    """Harvest and URL of every page that reviewers find."""
    with contextlib.closing(sqlite3.connect(installation.home / "index" / "working" / "documents.db")) as register:
        return register.execute("SELECT harvest, url FROM document ORDER BY page").fetchall()


def test_a_second_harvest_asks_only_for_what_changed(installation, folder, site):
    """Conditional requests, revisit records, one page indexed anew; without the earlier data all is fetched again."""
    yard = Yard(installation=installation)
    (first,) = yard.plan(site.url("/index.html"), port=site.port)
    with yard.agent():
        yard.wait_for(first, "harvested", "aborted")
        asked = len(site.log())
        (folder / "a.html").write_text("<title>a.html</title>a kestrel that moved")
        second = _again(yard, first)
        yard.wait_for(second, "harvested", "aborted")
        later = {entry.target: entry.header("If-None-Match") for entry in site.log()[asked:]}
        revisits = _revisits(installation, second)
        yard.until(lambda: yard.logs().count("harvest_indexed") == 2, "not indexed")
        shutil.rmtree(installation.home / "harvests" / str(second))
        third = _again(yard, first)
        yard.wait_for(third, "harvested", "aborted")
    assert yard.rows(f"SELECT since_id FROM harvest WHERE id = {second}") == [(first,)]
    assert {path for path, tag in later.items() if tag} == {"/index.html", "/a.html", "/b.html"}
    assert revisits == {"index.html", "b.html"}
    counts = "not_modified, same, changed, new, gone"
    assert yard.rows(f"SELECT {counts} FROM harvest_changes ORDER BY harvest_id") == [
        (0, 0, 0, 3, 0), (2, 0, 1, 0, 0), (0, 3, 0, 0, 0),
    ]  # fmt: skip
    found = _indexed(installation)
    assert {(harvest, url.rpartition("/")[2]) for harvest, url in found} >= {
        (str(first), "index.html"), (str(first), "a.html"), (str(first), "b.html"), (str(second), "a.html"),
    }  # fmt: skip
    assert [url for harvest, url in found if harvest == str(second)] == [site.url("/a.html")]
    assert yard.events(third)[:5] == ["queue", "begin", "fetch-all", "finish", "keep"]
    assert yard.rows(f"SELECT since_id FROM harvest WHERE id = {third}") == [(None,)]
    assert _revisits(installation, third) == set()
    told = yard.act("from opilio.curation.change_rebuild import rebuild\nprint(rebuild())")
    assert f"missing=({second},)" in told
    assert yard.rows(f"SELECT {counts} FROM harvest_changes WHERE harvest_id = {third}") == [(0, 2, 1, 0, 0)]
