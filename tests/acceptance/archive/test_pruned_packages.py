"""What was pruned from a result stays behind when the result is handed over."""

import io
import json
import subprocess

import pytest
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from opilio.archive.cdxj import CdxFile
from opilio.archive.results.deriving import Change
from opilio.archive.results.selection import Selection
from opilio.archive.wacz.reader import WaczFile
from opilio.cli.main import main
from opilio.kernel.errors import Conflict, Damaged
from opilio.works.crawl_to_archive import Crew, crawl
from opilio.works.derive_result import derive
from opilio.works.import_archive import import_archives
from opilio.works.pack_crawl import Form, Wishes, pack
from opilio.works.pack_needs import find_needs
from tests.acceptance.crawl.crawls import plan_for
from tests.servers.http_server import HttpServer
from tests.sites.crawling import QUICK
from tests.unit.archive.warcs import assert_valid

TWICE = "<title>Owls</title><p>Twice the same, and long enough to be kept once.</p>" + "<p>owl</p>" * 200
FILES = {
    "index.html": '<title>Birds</title><a href="a.html">a</a><a href="b.html">b</a><a href="secret.html">s</a>',
    "a.html": TWICE,
    "b.html": TWICE,
    "secret.html": "<title>Secret</title><p>Nobody may read this.</p>",
}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """A crawl, not to be changed, and the site that it is of."""
    place = tmp_path_factory.mktemp("crawls")
    (place / "site").mkdir()
    for name, text in FILES.items():
        (place / "site" / name).write_text(text)
    with HttpServer(site=place / "site") as server:
        crawl(plan_for(server.url("/")), place / "crawl", Crew(settings=QUICK))
        return place / "crawl", server.url("/")


@pytest.fixture
def pruned(crawled, tmp_path):
    """A copy of it whose second result has no secret any more."""
    folder, site = crawled
    subprocess.run(["cp", "-r", folder, tmp_path / "crawl"], check=True)
    derive(tmp_path / "crawl", Change(remove=Selection(urls=(f"{site}secret.html",)), note="not for us"))
    return tmp_path / "crawl"


def records(streams):
    """Kind and URL of all records."""
    return [
        (record.rec_type, record.rec_headers.get_header("WARC-Target-URI"))
        for stream in streams
        for record in WarcioIterator(stream)
    ]


def in_wacz(path):
    with WaczFile(path) as wacz:
        assert list(wacz.faults()) == []
        return [io.BytesIO(b"".join(wacz.pieces(name))) for name in wacz.warcs()]


def in_folder(path):
    return [io.BytesIO(file.read_bytes()) for file in sorted(path.rglob("*.warc*"))]


@pytest.mark.parametrize("form", [Form.WACZ, Form.PYWB])
def test_a_package_holds_no_record_of_what_was_pruned(pruned, crawled, tmp_path, capsys, form):
    """Neither response nor request nor metadata; imported again, nothing is added, and all else is as it was."""
    site = crawled[1]
    packed = pack(pruned, tmp_path / "out", Wishes(form=form))
    assert packed.lightened == 1
    found = records(in_wacz(tmp_path / "out") if form is Form.WACZ else in_folder(tmp_path / "out"))
    before = records(in_folder(pruned / "warcs"))
    assert {kind for kind, url in before if url == f"{site}secret.html"} >= {"request", "response"}
    assert found == [each for each in before if each[1] != f"{site}secret.html"]
    import_archives([tmp_path / "out"], tmp_path / "back")
    assert_valid(tmp_path / "back" / "warcs")
    assert main(["archive", "compare", str(pruned), str(tmp_path / "back"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    added = [row["url"] for row in told["rows"] if not row["url"].endswith("/robots.txt")]
    assert (added, told["totals"]["removed"], told["totals"]["changed"]) == ([], 0, 0)


def test_result_one_and_bags_are_whole(pruned, crawled, tmp_path, capsys):
    """Result 1 had the capture; a bag is the whole object, and the command says so."""
    url = f"{crawled[1]}secret.html"
    pack(pruned, tmp_path / "one.wacz", Wishes(result=1))
    assert ("response", url) in records(in_wacz(tmp_path / "one.wacz"))
    assert main(["archive", "pack", str(pruned), "--format", "bagit", "--output", str(tmp_path / "bag")]) == 0
    assert "also holds what was pruned" in capsys.readouterr().out
    assert ("response", url) in records(in_folder(tmp_path / "bag"))


def test_a_pruned_body_that_is_still_needed_is_not_lost_unawares(crawled, pruned, tmp_path):
    """It comes along on wish only; a bag has it anyway."""
    (again,) = [row for row in CdxFile(pruned / "index.cdxj").prefix("") if row.revisit]
    derive(pruned, Change(remove=Selection(urls=(again.original_url,)), note="the other one will do"))
    with pytest.raises(Conflict, match="or of pruned ones"):
        pack(pruned, tmp_path / "out.wacz")
    packed = pack(pruned, tmp_path / "out.wacz", Wishes(self_contained=True))
    assert packed.originals == 1
    found = records(in_wacz(tmp_path / "out.wacz"))
    assert {("revisit", again.url), ("response", again.original_url)} <= set(found)
    assert ("response", f"{crawled[1]}secret.html") not in found
    packed = pack(pruned, tmp_path / "lost.wacz", Wishes(without_originals=True))
    assert packed.needed == 1
    assert ("response", again.original_url) not in records(in_wacz(tmp_path / "lost.wacz"))
    assert pack(pruned, tmp_path / "bag", Wishes(form=Form.BAGIT)).needed == 0
    assert (find_needs(pruned).inside, find_needs(pruned).missing_total) == (1, 0)


def test_a_patched_result_goes_without_the_captures_that_were_replaced(crawled, pruned, tmp_path):
    """With their requests, though the URLs are kept; files in which nothing was pruned go along byte by byte."""
    (warc,) = (crawled[0] / "warcs").iterdir()
    patch = tmp_path / "patch.warc.gz"
    patch.write_bytes(warc.read_bytes())
    derive(pruned, Change(remove=Selection(prefixes=(crawled[1],)), add=(patch,), note="all new"))
    packed = pack(pruned, tmp_path / "out", Wishes(form=Form.PYWB))
    assert (packed.warcs, packed.lightened) == (2, 1)
    kept = {file.read_bytes() for file in (tmp_path / "out").rglob("*.warc.gz")}
    assert warc.read_bytes() in kept
    (light,) = kept - {warc.read_bytes()}
    urls = {f"{crawled[1]}{name}" for name in ("", *FILES)}
    assert urls & {url for _, url in records([io.BytesIO(warc.read_bytes())])}
    assert [each for each in records([io.BytesIO(light)]) if each[1] in urls] == []
    assert all(CdxFile(next((tmp_path / "out").rglob("*.cdxj"))).exact(f"{crawled[1]}{name}") for name in FILES)


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("number", [1, 2])
def test_a_changed_result_is_not_packed(pruned, tmp_path, form, number):
    """One byte is enough, in the result or in one that it is derived from."""
    path = pruned / f"results/result-{number}.db"
    path.chmod(0o644)
    text = bytearray(path.read_bytes())
    text[-1] ^= 1
    path.write_bytes(text)
    with pytest.raises(Damaged, match="not as it was sealed"):
        pack(pruned, tmp_path / "out", Wishes(form=form))
    assert not (tmp_path / "out").exists()


def test_a_damaged_file_is_not_written_anew(pruned, tmp_path):
    """Its digest tells before anything is left out."""
    (warc,) = (pruned / "warcs").iterdir()
    warc.chmod(0o644)
    with warc.open("r+b") as stream:
        stream.seek(warc.stat().st_size // 2)
        stream.write(b"damage")
    with pytest.raises(Damaged):
        pack(pruned, tmp_path / "out.wacz")
    assert not (tmp_path / "out.wacz").exists()
