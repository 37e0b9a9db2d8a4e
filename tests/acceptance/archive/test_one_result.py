"""One result of a crawl among several: verified, listed, taken out of, and its lost index made again."""

import json
import shutil

import pytest

from opilio.archive.cdxj import CdxFile
from opilio.archive.results.deriving import Change
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.selection import Selection
from opilio.cli.main import main
from opilio.works.crawl_to_archive import Crew, crawl
from opilio.works.derive_result import derive
from opilio.works.import_archive import import_archives
from tests.acceptance.crawl.crawls import plan_for
from tests.servers.http_server import HttpServer
from tests.sites.crawling import QUICK

PAGES = {
    "index.html": "<a href=owls.html>owls</a><a href=larks.html>larks</a>",
    "owls.html": "<title>Owls</title><p>Owls sleep by day.</p>",
    "larks.html": "<title>Larks</title><p>Larks sing.</p>",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A crawl, a second one of the changed site, and three results: the crawl's, one pruned, one patched."""
    place = tmp_path_factory.mktemp("results")
    (place / "site").mkdir()
    for name, text in PAGES.items():
        (place / "site" / name).write_text(text)
    with HttpServer(site=place / "site") as server:
        site = server.url("/")
        crawl(plan_for(site), place / "crawl", Crew(settings=QUICK))
        (place / "site" / "larks.html").write_text("<title>Larks</title><p>Larks sing at dawn.</p>")
        crawl(plan_for(site), place / "later", Crew(settings=QUICK))
    derive(place / "crawl", Change(remove=Selection(urls=(f"{site}larks.html",)), note="pruned"))
    (warc,) = (place / "later" / "warcs").iterdir()
    derive(place / "crawl", Change(add=(warc,), note="patched"))
    return place / "crawl", site


@pytest.fixture
def folder(made, tmp_path):
    """A copy that a test may change."""
    return shutil.copytree(made[0], tmp_path / "crawl")


@pytest.fixture
def opilio(capsys):
    def run(*words, code=0):
        assert main(["archive", *map(str, words), "--json"]) == code
        found = capsys.readouterr()
        return json.loads(found.out or found.err)

    return run


def test_a_lost_index_is_found_and_made_again(folder, opilio):
    """Each by its number, byte for byte; verify says which one is missing, and is content then."""
    results = ResultsFolder(folder)
    for number in results.numbers():
        before = results.index(number).read_bytes()
        results.index(number).unlink()
        (fault,) = opilio("verify", folder, code=7)["faults"]
        assert (fault["code"], fault["file"]) == ("index-missing", str(results.index(number)))
        (index,) = opilio("index", folder, "--result", number)["indexes"]
        assert (index["output"], index["result"]) == (str(results.index(number)), number)
        assert results.index(number).read_bytes() == before
        assert opilio("verify", folder)["errors"] == 0


def test_all_indexes_are_made_again(folder, opilio):
    """Without a number, those of all results; in another form they stand beside the others."""
    results = ResultsFolder(folder)
    before = {number: results.index(number).read_bytes() for number in results.numbers()}
    for number in before:
        results.index(number).unlink()
    assert [each["result"] for each in opilio("index", folder)["indexes"]] == [1, 2, 3]
    assert {number: results.index(number).read_bytes() for number in results.numbers()} == before
    opilio("index", folder, "--format", "zipnum", "--result", 2)
    assert results.index(2).with_suffix(".idx").is_file()
    assert results.index(2).read_bytes() == before[2]


def test_one_index_of_a_crawl_is_that_of_its_newest_result(folder, opilio, tmp_path):
    """Or of the one that is named; what was pruned is not in it."""
    results = ResultsFolder(folder)
    opilio("index", folder, "--output", tmp_path / "x.cdxj")
    assert (tmp_path / "x.cdxj").read_bytes() == results.index(3).read_bytes()
    opilio("index", folder, "--output", tmp_path / "x.cdxj", "--result", 2)
    assert (tmp_path / "x.cdxj").read_bytes() == results.index(2).read_bytes()


def test_people_are_told_of_what_an_index_was_made(folder, capsys):
    """The result that was read, and not that no file was."""
    assert main(["archive", "index", str(folder), "--result", "2"]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert ["of result", "2"] in lines
    assert "of files" not in {name for name, _ in lines}


def test_only_the_captures_of_a_result_are_listed(made, opilio):
    """What was pruned is in the files and not in the result."""
    folder, site = made
    larks = f"{site}larks.html"
    found = {number: opilio("list", folder, "--result", number)["records"] for number in (1, 2, 3)}
    assert [larks in {each["url"] for each in found[number]} for number in (1, 2, 3)] == [True, False, True]
    for number, records in found.items():
        rows = {(row.file, row.offset) for row in CdxFile(ResultsFolder(folder).index(number)).prefix("")}
        assert {(each["file"].rpartition("/")[2], each["offset"]) for each in records} == rows
    everything = opilio("list", folder, "--type", "response", "--url", larks)["records"]
    assert len(everything) == 2


def test_a_capture_is_taken_out_of_a_result(made, capsysbinary):
    """The older one of the first, none of the second, the newer one of the third."""
    folder, site = made
    larks = f"{site}larks.html"
    for number, text in ((1, "Larks sing."), (3, "Larks sing at dawn.")):
        assert main(["archive", "extract", larks, str(folder), "--result", str(number)]) == 0
        assert capsysbinary.readouterr().out.decode() == f"<title>Larks</title><p>{text}</p>"
    assert main(["archive", "extract", larks, str(folder), "--result", "2"]) == 4


def test_a_result_without_its_index_is_read_all_the_same(folder, made, opilio):
    """Its captures are those of its rows."""
    ResultsFolder(folder).index(2).unlink()
    urls = {each["url"] for each in opilio("list", folder, "--result", 2)["records"]}
    assert f"{made[1]}owls.html" in urls
    assert opilio("extract", f"{made[1]}larks.html", folder, "--result", 2, code=4)
    assert opilio("extract", f"{made[1]}owls.html", folder, "--result", 2)["bytes"] == len(PAGES["owls.html"])


def test_only_the_files_of_a_result_are_verified(folder, opilio):
    """Damage in what a later result brought is none of an earlier one."""
    results = ResultsFolder(folder)
    (added,) = {path.name for path in results.warcs.iterdir()} - _warcs(opilio, folder, 1)
    (results.warcs / added).write_bytes(b"nothing")
    for number, code in ((1, 0), (2, 0), (3, 7)):
        found = opilio("verify", folder, "--result", number, code=code)
        assert bool(found["errors"]) is bool(code)
    assert opilio("verify", folder, "--result", 2)["index_lines"] > 0


def _warcs(opilio, folder, number):
    return {each["file"] for each in opilio("result", "show", folder, "--result", number)["warcs"]}


def test_the_index_of_an_import_is_made_again_with_all_captures(made, tmp_path, opilio):
    """Also those that are not the newest of their URL."""
    warcs = sorted((made[0] / "warcs").iterdir())
    import_archives(warcs, tmp_path / "import")
    index = tmp_path / "import" / "index.cdxj"
    before = {(row.url, row.at, row.file, row.offset, row.digest) for row in CdxFile(index).prefix("")}
    index.unlink()
    opilio("index", tmp_path / "import")
    after = {(row.url, row.at, row.file, row.offset, row.digest) for row in CdxFile(index).prefix("")}
    assert after == before


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("verify", "{}", "--result", 9), 4),
        (("list", "{}", "--result", 9), 4),
        (("index", "{}", "--result", 9), 4),
        (("extract", "http://example.org/", "{}", "--result", 9), 4),
        (("verify", "{}/warcs", "--result", 1), 4),
        (("list", "{}/index.cdxj", "--result", 1), 4),
        (("index", "{}", "--result", 1, "--from-warcs"), 2),
        (("index", "{}/none", "--result", 1), 4),
    ],
)
def test_what_is_no_result_is_refused(made, opilio, words, code):
    """With a remedy."""
    assert opilio(*(str(word).format(made[0]) for word in words), code=code)["error"]["remedy"]


@pytest.mark.parametrize(
    "words",
    [
        ("pack", "{}", "--output", "{}.wacz"),
        ("dedup", "{}", "--into", "{}-lean"),
        ("needs", "{}"),
        ("result", "list", "{}"),
        ("result", "show", "{}"),
        ("result", "derive", "{}", "--note", "x", "--remove-url", "http://example.org/"),
        ("result", "undo", "{}", "--note", "x"),
        ("store", "put", "{}", "--store", "{}-store"),
    ],
)
def test_a_folder_that_is_not_there_is_called_so(tmp_path, opilio, words):
    """And not a crawl without results."""
    error = opilio(*(word.format(tmp_path / "none") for word in words), code=4)["error"]
    assert error["message"] == "there is no such folder"
    assert error["where"] == str(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []
