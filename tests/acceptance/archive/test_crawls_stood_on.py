"""A deduplicated copy knows the crawls that it was held against: it replays, and is packed, without being told them."""

import json
import shlex
import shutil

import pytest

from opilio.archive.cdxj import CdxFile, stamp
from opilio.archive.dedup.needs import read_needs
from opilio.archive.results.deriving import Change
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.store.addresses import open_store
from opilio.archive.store.ocfl.archive import Archive
from opilio.cli.main import main
from opilio.kernel.errors import Conflict
from opilio.works.archive_results import archive_results, identifier_of
from opilio.works.crawl_to_archive import crawl
from opilio.works.crawls_stood_on import STANDS_ON, stood_on
from opilio.works.dedup_crawl import deduplicate
from opilio.works.derive_result import derive
from opilio.works.import_archive import import_archives
from opilio.works.pack_crawl import Form, Wishes, pack
from opilio.works.pack_needs import find_needs, require_unneeded
from opilio.works.replay_crawl import opened_holdings
from tests.acceptance.crawl.crawls import plan_for
from tests.servers.http_server import HttpServer
from tests.servers.large_site import LargeSite
from tests.servers.replayed import ReplayServer

SITE = LargeSite(pages=4)


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A crawl; not to be changed."""
    folder = tmp_path_factory.mktemp("crawls") / "first"
    with HttpServer() as server:
        crawl(plan_for(server.url(f"{SITE.base}/", host="a.localhost")), folder)
    return folder


@pytest.fixture
def lean(first, tmp_path):
    """A copy of the same captures without the bodies that the first crawl has."""
    import_archives([next((first / "warcs").iterdir())], tmp_path / "again")
    assert deduplicate(tmp_path / "again", tmp_path / "lean", against=[first], least=1).rewritten > 0
    return tmp_path / "lean"


def statuses(folder):
    """The status with which each capture is replayed."""
    rows = [*CdxFile(folder / "index.cdxj").prefix("")]
    with opened_holdings(folder) as holdings, ReplayServer(holdings[1]) as server:
        asked = [(row, server.ask(f"/{stamp(row.at, 14)}/{row.url}", host=server.host(1))) for row in rows]
    return {row.url: (answer.status, row.status) for row, answer in asked}


def test_every_page_of_a_deduplicated_copy_is_replayed(lean):
    """Bodies come from the crawl that it was held against."""
    found = statuses(lean)
    assert len(found) > SITE.pages
    assert [url for url, (answered, archived) in found.items() if answered != archived] == []


def test_a_deduplicated_copy_is_packed_self_contained(lean, first, tmp_path):
    """Nobody has to name the crawl that it was held against; needs and a bag know it too."""
    needs = find_needs(lean)
    assert (needs.missing_total, list(needs.crawls)) == (0, [str(first)])
    packed = pack(lean, tmp_path / "lean.wacz", Wishes(self_contained=True))
    assert packed.originals == needs.crawls[str(first)]
    pack(lean, tmp_path / "bag", Wishes(form=Form.BAGIT, without_originals=True))
    assert (tmp_path / "bag/data" / STANDS_ON).read_bytes() == (lean / STANDS_ON).read_bytes()


def test_the_file_survives_a_move_and_a_second_deduplication(first, tmp_path):
    """Both moved together are found as seen from the copy; a copy of the copy stands on the same crawl."""
    shelf, moved = tmp_path / "shelf", tmp_path / "moved"
    shutil.copytree(first, shelf / "first")
    import_archives([next((first / "warcs").iterdir())], shelf / "again")
    deduplicate(shelf / "again", shelf / "lean", against=[shelf / "first"], least=1)
    assert stood_on(shelf / "lean") == [shelf / "first"]
    shelf.rename(moved)
    assert stood_on(moved / "lean") == [moved / "first"]
    deduplicate(moved / "lean", tmp_path / "leaner")
    assert stood_on(tmp_path / "leaner") == [moved / "first"]
    assert find_needs(tmp_path / "leaner").missing_total == 0


@pytest.fixture
def shelf(first, tmp_path):
    """A crawl and a copy that stands on it, side by side; a test may change both."""
    folder = tmp_path / "shelf"
    shutil.copytree(first, folder / "first")
    import_archives([next((first / "warcs").iterdir())], tmp_path / "again")
    deduplicate(tmp_path / "again", folder / "lean", against=[folder / "first"], least=1)
    return folder


def test_a_copy_is_archived_behind_what_it_stands_on(shelf, tmp_path):
    """Not before; it comes back with the list of what it needs, and finds it."""
    store = open_store(str(tmp_path / "archive"))
    with pytest.raises(Conflict, match="which is not archived") as failed:
        archive_results(shelf / "lean", store)
    assert f"opilio archive store put {shelf / 'first'}" in failed.value.remedy
    archive_results(shelf / "first", store)
    archive_results(shelf / "lean", store)
    Archive.open(store).export(identifier_of(shelf / "lean"), shelf / "back")
    listed = list(read_needs(ResultsFolder(shelf / "back").needs(1)))
    assert {each["original"]["crawl"] for each in listed} == {str(shelf / "first")}
    assert stood_on(shelf / "back") == [shelf / "first"]
    assert find_needs(shelf / "back").missing_total == 0


def test_a_copy_whose_originals_are_gone_is_archived_on_demand_only(shelf, tmp_path, capsys):
    """The list says what is missing."""
    shutil.rmtree(shelf / "first")
    words = ["archive", "store", "put", str(shelf / "lean"), "--store", str(tmp_path / "archive"), "--json"]
    assert main(words) == 5
    assert "--without-originals" in json.loads(capsys.readouterr().err)["error"]["remedy"]
    assert main([*words, "--without-originals"]) == 0
    capsys.readouterr()
    listed = list(read_needs(ResultsFolder(shelf / "lean").needs(1)))
    assert listed
    assert all(each["original"]["missing"] for each in listed)


def test_a_result_that_another_crawl_needs_is_not_undone(shelf, first, capsys):
    """Its WARC file holds the last copy of bodies; with the crawl that has them too, it may go."""
    with HttpServer() as server:
        crawl(plan_for(server.url("/status/200", host="b.localhost")), shelf / "patched")
    derive(shelf / "patched", Change(add=(next((first / "warcs").iterdir()),), note="patched"))
    shutil.move(shelf / "first", shelf.parent / "first")
    words = ["archive", "result", "undo", str(shelf / "patched"), "--note", "Too early.", "--json"]
    assert main(words) == 5
    error = json.loads(capsys.readouterr().err)["error"]
    assert f"{shelf / 'lean'} needs captures of this crawl" in error["message"]
    assert ResultsFolder(shelf / "patched").numbers() == [1, 2]
    shutil.move(shelf.parent / "first", shelf / "first")
    find_needs(shelf / "patched")
    assert main(words) == 0
    assert not ResultsFolder(shelf / "patched").needs(2).exists()


@pytest.mark.parametrize(
    "text",
    [
        b"", b"\xff\xfe", b"[]", b"{}", b"[" * 100_000, b'{"format": 2, "crawls": [{"path": "."}]}',
        b'{"format": 1, "crawls": 7}', b'{"format": 1, "crawls": [7, {}, {"path": 7, "from_here": "a\\u0000b"}]}',
        b'{"format": 1, "crawls": [{"path": "/none/such", "from_here": "../none"}, {"path": "."}]}',
    ],
)  # fmt: skip
def test_a_file_that_says_nothing_leads_nowhere(tmp_path, text):
    """Whatever it holds, and even when a crawl names itself."""
    (tmp_path / STANDS_ON).write_bytes(text)
    (tmp_path / "plan.json").write_bytes(text)
    assert stood_on(tmp_path) == []


def test_crawls_that_stand_on_each_other_are_named_once(tmp_path):
    """Chains through plans and files are followed to their end, and circles are left."""
    for name, since, against in (("a", "b", []), ("b", "", ["c", "a"]), ("c", "a", ["d"]), ("d", "", [])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.cdxj").touch()
        plan = {"fetch": {"since": str(tmp_path / since) if since else ""}}
        (tmp_path / name / "plan.json").write_text(json.dumps(plan))
        crawls = [{"path": str(tmp_path / each)} for each in against]
        (tmp_path / name / STANDS_ON).write_text(json.dumps({"format": 1, "crawls": crawls}))
    assert [each.name for each in stood_on(tmp_path / "a")] == ["b", "c", "d"]


def test_the_remedy_of_a_needed_crawl_can_be_run(lean, first, capsys):
    """Word for word; what it makes needs nobody."""
    with pytest.raises(Conflict, match="needs captures of this crawl") as failed:
        require_unneeded(first, [lean])
    for line in failed.value.remedy.partition(": ")[2].removesuffix(".").split(" && "):
        program, *words = shlex.split(line)
        assert program == "opilio"
        assert main([*words, "--json"]) == 0
    capsys.readouterr()
    require_unneeded(first, [lean.with_name("lean-whole")])
