"""A site that changed between two crawls: compared, pruned, patched and undone from the command line."""

import json
import subprocess

import pytest

from opilio.archive.cdxj import CdxFile, stamp
from opilio.archive.results.deriving import Change
from opilio.archive.results.folder import Protection, ResultsFolder
from opilio.archive.results.manifest import wrong_files
from opilio.archive.results.selection import Selection
from opilio.archive.results.view import ResultView
from opilio.archive.warc.reader import read_at
from opilio.cli.main import main
from opilio.kernel.capture import Position
from opilio.kernel.locks import locked
from opilio.works.crawl_to_archive import Crew, crawl
from opilio.works.derive_result import derive
from opilio.works.replay_crawl import opened_holdings
from tests.acceptance.crawl.crawls import plan_for
from tests.servers.http_server import HttpServer
from tests.servers.replayed import ReplayServer
from tests.sites.crawling import QUICK

LINKS = "".join(f'<a href="{name}.html">{name}</a>' for name in ("owls", "larks", "late"))
BEFORE = {
    "index.html": f"<html lang=en><title>Birds</title><p>Welcome</p>{LINKS}<img src=owl.svg></html>",
    "owls.html": "<title>Owls</title><p>Owls sleep by day.</p><p>They hunt by night.</p>",
    "larks.html": "<title>Larks</title><p>Larks sing.</p>",
    "owl.svg": '<svg xmlns="http://www.w3.org/2000/svg"><title>owl</title></svg>',
}
AFTER = {
    **{name: text for name, text in BEFORE.items() if name != "larks.html"},
    "owls.html": "<title>Owls</title><p>Owls sleep by day.</p><p>They hunt at dusk.</p>",
    "late.html": "<title>Late</title><p>Found at last.</p>",
}


def served(folder, files, into, port=0):
    """Crawl a site of these files; the port it was served on."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    with HttpServer(site=folder, port=port) as server:
        crawl(plan_for(server.url("/")), into, Crew(settings=QUICK))
        return server.port


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    """The site before and after; not to be changed."""
    folder = tmp_path_factory.mktemp("crawls")
    port = served(folder / "old", BEFORE, folder / "before")
    served(folder / "new", AFTER, folder / "after", port)
    return folder, f"http://127.0.0.1:{port}"


@pytest.fixture
def copy(crawls, tmp_path):
    """A copy of the first crawl, which a test may change."""
    subprocess.run(["cp", "-r", crawls[0] / "before", tmp_path / "crawl"], check=True)
    return tmp_path / "crawl"


@pytest.fixture
def opilio(capsys):
    def run(*words, code=0):
        assert main(["archive", *map(str, words), "--json"]) == code
        found = capsys.readouterr()
        return json.loads(found.out) if code == 0 else json.loads(found.err)["error"]

    return run


def warc_of(folder):
    (file,) = (folder / "warcs").iterdir()
    return file


def test_compare_two_crawls(crawls, opilio):
    """What came, went and changed between two crawls is counted and listed."""
    folder, site = crawls
    found = opilio("compare", folder / "before", folder / "after")
    assert found["totals"] == {"added": 0, "removed": 0, "changed": 3, "unchanged": 2}
    assert [(row["url"].removeprefix(site), row["fields"]) for row in found["rows"]] == [
        ("/larks.html", ["digest", "status", "type", "title"]),
        ("/late.html", ["digest", "status", "type", "title"]),
        ("/owls.html", ["digest"]),
    ]
    assert opilio("compare", folder / "before", folder / "after", "--only", "unchanged")["rows"][0]["url"] == f"{site}/"
    below = opilio("compare", folder / "before", folder / "after", "--url", f"{site}/la")
    assert below["totals"]["changed"] == 2


def test_compare_the_text_of_a_page(crawls, opilio):
    """The text of a page is compared by lines or words."""
    folder, site = crawls
    names = ("compare", folder / "before", folder / "after", "--text", f"{site}/owls.html")
    assert [line for line in opilio(*names)["diff"] if line[0] in "+-"][2:] == [
        "-They hunt by night.",
        "+They hunt at dusk.",
    ]
    words = opilio(*names, "--by", "words")["diff"]
    assert [line for line in words if line[0] in "+-"][2:] == ["-by", "-night.", "+at", "+dusk."]
    assert opilio(*names[:-1], f"{site}/nowhere", code=4)["remedy"]
    assert opilio(*names[:-1], f"{site}/owl.svg", code=2)["remedy"]


def test_added_pages_are_read_as_the_crawl_read_them(crawls, copy):
    """With everything pruned and another crawl's WARC file added, the result is that of the other crawl."""
    folder, site = crawls
    change = Change(remove=Selection(prefixes=(site,)), add=(warc_of(folder / "after"),), note="all new")
    derive(copy, change)
    with ResultView(ResultsFolder(copy)) as made, ResultView(ResultsFolder(folder / "after")) as crawled:
        assert told(made, site) == told(crawled, site)


def test_a_page_whose_original_was_pruned_is_replayed(tmp_path):
    """A body that is kept once stays readable when the page that it was kept with is pruned."""
    body = "<title>Owls</title><p>Twice the same, and long enough to be kept once.</p>" + "<p>owl</p>" * 200
    files = {"index.html": '<a href="a.html">a</a><a href="b.html">b</a>', "a.html": body, "b.html": body}
    site = f"http://127.0.0.1:{served(tmp_path / 'site', files, tmp_path / 'crawl')}"
    rows = [*CdxFile(tmp_path / "crawl" / "index.cdxj").prefix("")]
    (again,) = [row for row in rows if row.revisit]
    derive(tmp_path / "crawl", Change(remove=Selection(urls=(again.original_url,)), note="pruned"))
    assert f"{site}/b.html" in {again.url, again.original_url}
    with opened_holdings(tmp_path / "crawl") as holdings, ReplayServer(holdings[2]) as server:
        time = stamp(again.at, 14)
        assert "Twice the same" in server.ask(f"/{time}/{again.url}", result=2, host=server.host(2)).text
        assert server.ask(f"/{time}/{again.original_url}", result=2, host=server.host(2)).status == 404


def told(view, site):
    """What a result says about each page, but for how it was reached."""
    names = ("outcome", "status", "type", "extension", "size", "digest", "title", "language", "meta", "etag", "at")
    return {
        page.url.removeprefix(site): (
            *(getattr(page, name) for name in names),
            view.outlinks(page.id),
            view.text(page.digest),
            sorted(view.numbered(each).url for each in view.inlinks(page.id)),
        )
        for page in view.resources()
        if not page.url.endswith("/robots.txt")
    }


def test_prune_patch_undo(crawls, copy, opilio):
    """From the command line: prune, patch what was missing, see what was done, and take it back."""
    folder, site = crawls
    pruned = opilio("result", "derive", copy, "--note", "Not ours.", "--remove-url", f"{site}/larks.html", "--by", "me")
    assert (pruned["result"], pruned["removed"]) == (2, 1)
    patch = ("result", "derive", copy, "--note", "It was missing.", "--add", warc_of(folder / "after"))
    patched = opilio(*patch, "--existing", "if-failed")
    assert (patched["result"], patched["replaced"]) == (3, 1)
    rows = {row["url"].removeprefix(site): row["kind"] for row in opilio("result", "diff", copy, 1, 3)["rows"]}
    assert (rows["/larks.html"], rows["/late.html"]) == ("changed", "changed")
    assert "/owls.html" not in rows
    listed = opilio("result", "list", copy)["results"]
    assert [(each["number"], each["parent"], each["by"], each["note"]) for each in listed[:2]] == [
        (1, None, "", ""),
        (2, 1, "me", "Not ours."),
    ]
    shown = opilio("result", "show", copy, "--result", 2)
    assert shown["lineage"][1]["changes"][0] == f"remove URL {site}/larks.html"
    assert opilio("result", "undo", copy, "--note", "Too early.")["result"] == 3
    assert [each["why"] for each in opilio("result", "list", copy)["undone"]] == ["Too early."]


def test_every_capture_of_the_index_is_there(crawls, copy):
    """Each line of a derived result's index leads to the record of its URL."""
    folder, site = crawls
    derive(copy, Change(remove=Selection(hosts=("none.example",)), add=(warc_of(folder / "after"),), note="patched"))
    results = ResultsFolder(copy)
    rows = list(CdxFile(results.index(2)).prefix(""))
    for row in rows:
        place = Position(file=row.file, offset=row.offset, length=row.length)
        assert read_at(results.warcs, place).url == row.url
    assert {row.url for row in rows} >= {f"{site}/", f"{site}/late.html"}
    assert list(wrong_files(copy, results.manifest(2))) == []


def test_what_is_refused(crawls, copy, opilio, tmp_path):
    """Each refusal has its code, its place and its remedy, and changes nothing."""
    site = crawls[1]
    before = sorted(copy.rglob("*"))
    derive_words = ("result", "derive", copy, "--note", "x")
    (tmp_path / "torn.warc.gz").write_bytes(warc_of(copy).read_bytes()[:-20])
    for words, code in (
        (("result", "list", tmp_path / "none"), 4),
        (("result", "show", copy, "--result", 9), 4),
        (("result", "diff", copy, 1, 9), 4),
        (derive_words, 2),
        ((*derive_words, "--remove-url", "nonsense"), 2),
        ((*derive_words, "--remove-url", f"{site}/never"), 2),
        ((*derive_words, "--remove-list", tmp_path / "none"), 4),
        ((*derive_words, "--add", tmp_path / "none.warc"), 4),
        ((*derive_words, "--add", tmp_path / "torn.warc.gz"), 7),
        (("result", "undo", copy, "--note", "x"), 5),
        (("compare", copy, tmp_path / "none"), 4),
        (("compare", copy, copy, "--text", f"{site}/", "--only", "added"), 2),
    ):
        error = opilio(*words, code=code)
        assert error["message"], words
        assert error["remedy"], words
    assert sorted(copy.rglob("*")) == before


def test_a_busy_folder_and_a_protected_result(copy, opilio):
    """While somebody works in the folder nothing is derived; what was endorsed is not undone."""
    results = ResultsFolder(copy)
    words = ("result", "derive", copy, "--note", "x", "--remove-pattern", "owls")
    with locked(results.lock, purpose="a test"):
        assert "a test" in opilio(*words, code=5)["message"]
    opilio(*words)
    results.protect(2, Protection.ENDORSED)
    assert "endorsed" in opilio("result", "undo", copy, "--note", "x", code=5)["message"]
    assert opilio("result", "list", copy)["results"][1]["protected"] == "endorsed"


def test_a_list_of_urls(copy, crawls, opilio, tmp_path):
    """A file names the URLs to remove; what is not there is told."""
    site = crawls[1]
    (tmp_path / "list").write_text(f"# pages\n{site}/owls.html\n\n{site}/never\n")
    found = opilio("result", "derive", copy, "--note", "x", "--remove-list", tmp_path / "list")
    assert (found["removed"], found["unmatched"]) == (1, [f"URL {site}/never"])
