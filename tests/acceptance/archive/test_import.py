"""Archives of others become crawls that can be read like our own, whatever state they are in."""

import gzip
import json
import shutil
import zipfile
from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.archive.cdx.opening import open_index
from opilio.archive.cdxj import parse_line
from opilio.archive.imports.errors import NotAnArchive, NothingToImport
from opilio.archive.results.manifest import wrong_files
from opilio.archive.results.reader import ResultReader
from opilio.archive.verify.faults import Severity
from opilio.archive.verify.places import places
from opilio.archive.verify.verifying import verify
from opilio.kernel.errors import Conflict, Missing, NoSpace, OpilioError
from opilio.works import import_archive
from opilio.works.crawl_story import explain, report
from opilio.works.import_archive import import_archives
from opilio.works.replay_crawl import opened_holdings
from tests.acceptance.archive.foreign_warcs import Warc, sha1
from tests.servers.replayed import ReplayServer
from tests.unit.archive.warcs import assert_valid

BARN = b"<html lang=en><title>Barn</title><p>Straw</p><a href=/owl>Owl</a><img src=/owl.png></html>"
OWL = b"<title>Owl</title><p>Feathers</p>"


def barns(**options):
    warc = Warc(**options)
    warc.response("http://example.org/", BARN)
    warc.response("http://example.org/owl", OWL)
    warc.response("http://example.org/owl.png", b"\x89PNG\r\n\x1a\n", kind="image/png")
    return warc


def resources(folder):
    with ResultReader(folder / "results" / "result-1.db") as result:
        return {each.url: each for each in result.resources()}


def text(folder, url):
    with ResultReader(folder / "results" / "result-1.db") as result:
        return result.text(result.resource(url).digest)


def index(folder):
    return [parse_line(line) for line in (folder / "index.cdxj").read_bytes().splitlines(keepends=True)]


@pytest.mark.parametrize("packed", [True, False], ids=["gzip", "plain"])
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_foreign_warc_file_becomes_a_crawl(tmp_path, packed, version):
    """Titles, texts, links both ways, depth from the first page, report and manifest; the file itself is unaltered."""
    source = barns(packed=packed, version=version).save(tmp_path / f"foreign.warc{'.gz' if packed else ''}")
    done = import_archives([source], tmp_path / "crawl")
    assert (done.captures, done.resources, done.skipped) == (3, 3, 0)
    crawl = tmp_path / "crawl"
    assert (crawl / "warcs" / source.name).read_bytes() == source.read_bytes()
    found = resources(crawl)
    barn, owl, picture = (found[f"http://example.org/{name}"] for name in ("", "owl", "owl.png"))
    assert (barn.title, barn.language, barn.outcome, barn.status, barn.type) == ("Barn", "en", "fetched", 200, "html")
    assert (barn.depth, owl.depth, owl.path, picture.hops, picture.path) == (0, 1, "L", 1, "E")
    assert text(crawl, owl.url).splitlines() == ["Feathers"]
    with ResultReader(crawl / "results/result-1.db") as result:
        assert [link.url for link in result.outlinks(barn.id)] == [owl.url, picture.url]
        assert result.inlinks(owl.id) == [barn.id]
        assert result.parents(owl) == (barn.url,)
    assert list(wrong_files(crawl, crawl / "results/result-1.sha256")) == []
    assert report(crawl)["outcomes"] == {"fetched": 3}
    assert explain(crawl, owl.url)["parents"] == [barn.url]
    assert not [path for path in crawl.iterdir() if path.name.startswith(".")]


def test_the_newest_capture_counts_and_the_index_has_all(tmp_path):
    """Whichever file it is in."""
    first, second = Warc(), Warc()
    first.response("http://example.org/", b"<title>new</title>", at="2022-01-01T00:00:00Z")
    second.response("http://example.org/", b"<title>old</title>", at="2021-01-01T00:00:00Z")
    second.response("http://example.org/", b"gone", status="404 Not Found", at="2020-01-01T00:00:00Z")
    paths = [first.save(tmp_path / "a.warc.gz"), second.save(tmp_path / "b.warc.gz")]
    import_archives(paths, tmp_path / "crawl")
    assert resources(tmp_path / "crawl")["http://example.org/"].title == "new"
    assert [row.at.year for row in index(tmp_path / "crawl")] == [2020, 2021, 2022]
    with ResultReader(tmp_path / "crawl/results/result-1.db") as result:
        assert [capture.status for capture in result.earlier()] == [404, 200]


def test_revisits_take_what_they_refer_to(tmp_path):
    """Title and text are those of the original; without it the row says that the body is elsewhere."""
    warc = barns()
    warc.revisit("http://example.org/copy", "http://example.org/owl", digest=sha1(OWL))
    warc.revisit("http://example.org/lost", "http://example.org/x", digest=sha1(b"elsewhere"))
    import_archives([warc.save(tmp_path / "a.warc.gz")], tmp_path / "crawl")
    found = resources(tmp_path / "crawl")
    copy, lost = found["http://example.org/copy"], found["http://example.org/lost"]
    assert (copy.title, copy.outcome, copy.original_url) == ("Owl", "duplicate", "http://example.org/owl")
    assert (lost.outcome, lost.reason) == ("unchanged", "its body is in another archive")
    rows = {row.url: row for row in index(tmp_path / "crawl")}
    assert rows[copy.url].revisit
    assert rows[copy.url].original_at == datetime(2020, 1, 1, tzinfo=UTC)


def test_answers_to_other_methods_are_no_pages(tmp_path):
    """They stay in the file; in the index a later POST would stand for the page."""
    warc = Warc()
    warc.request("http://example.org/", warc.response("http://example.org/", BARN))
    posted = warc.response("http://example.org/", b"<title>Thanks</title>", at="2021-01-01T00:00:00Z")
    warc.request("http://example.org/", posted, "POST")
    import_archives([warc.save(tmp_path / "a.warc.gz")], tmp_path / "crawl")
    assert resources(tmp_path / "crawl")["http://example.org/"].title == "Barn"
    assert [row.at.year for row in index(tmp_path / "crawl")] == [2020]


def test_redirects_errors_and_resources_have_their_outcomes(tmp_path):
    """As in a crawl of our own."""
    warc = barns()
    warc.response("http://example.org/old", status="301 Moved", headers=[("Location", "/owl")])
    warc.response("http://example.org/gone", b"no", status="404 Not Found")
    warc.resource("http://example.org/notes.txt", b"some notes", "text/plain")
    warc.resource("urn:x:1", b"no page", "text/plain")
    import_archives([warc.save(tmp_path / "a.warc.gz")], tmp_path / "crawl")
    found = resources(tmp_path / "crawl")
    assert found["http://example.org/old"].reason == "to http://example.org/owl"
    assert found["http://example.org/gone"].outcome == "gone"
    assert text(tmp_path / "crawl", "http://example.org/notes.txt") == "some notes"
    assert found["http://example.org/notes.txt"].status is None
    assert "urn:x:1" not in found


def test_robots_files_are_no_resources_unless_a_link_leads_there(tmp_path):
    """As in a crawl of our own: they stay in the WARC file; pages are numbered without a gap."""
    warc = Warc()
    warc.response("http://example.org/robots.txt", b"User-agent: *", kind="text/plain")
    warc.response("http://example.org/", b"<a href=/owl>owl</a><a href=//linked.example/robots.txt>rules</a>")
    warc.response("http://linked.example/robots.txt", b"User-agent: owl", kind="text/plain")
    warc.response("http://example.org/owl", b"<a href=/>home</a>")
    warc.response("http://example.org/notes/robots.txt", b"A page.", kind="text/plain")
    imported = import_archives([warc.save(tmp_path / "a.warc.gz")], tmp_path / "crawl", seeds=["http://example.org/"])
    found = resources(tmp_path / "crawl")
    urls = {f"http://{each}" for each in (
        "example.org/", "example.org/owl", "linked.example/robots.txt", "example.org/notes/robots.txt",
    )}  # fmt: skip
    assert set(found) == {row.url for row in index(tmp_path / "crawl")} == urls
    assert (imported.resources, imported.captures) == (4, 4)
    assert sorted(page.id for page in found.values()) == [0, 1, 2, 3]
    with ResultReader(tmp_path / "crawl/results/result-1.db") as result:
        links = {page.url: [link.url for link in result.outlinks(page.id)] for page in found.values()}
    assert links["http://example.org/owl"] == ["http://example.org/"]
    assert links["http://example.org/"] == ["http://example.org/owl", "http://linked.example/robots.txt"]
    assert verify(places([tmp_path / "crawl"])).count(Severity.ERROR) == 0


def test_a_file_that_was_packed_as_a_whole_is_unpacked(tmp_path):
    """None of its records could be read alone; what came is kept beside it."""
    source = tmp_path / "whole.warc.gz"
    source.write_bytes(gzip.compress(barns(packed=False).stream.getvalue()))
    done = import_archives([source], tmp_path / "crawl")
    (placed,) = done.warcs
    assert (placed.name, done.resources) == ("whole.warc", 3)
    assert "shared gzip members" in placed.note
    assert (tmp_path / "crawl/sources/whole.warc.gz").read_bytes() == source.read_bytes()
    assert list(wrong_files(tmp_path / "crawl", tmp_path / "crawl/results/result-1.sha256")) == []


def test_an_arc_file_is_converted_and_kept(tmp_path):
    """Head and body are the same bytes; other programs read the WARC file that it became."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    blocks = [
        (b"filedesc://old.arc 0.0.0.0 20010101000000 text/plain", b"1 0 Some Archive\nURL IP-address Archive-date\n"),
        (b"http://example.org/ 192.0.2.7 20010203040506 text/html", head + BARN),
        (b"dns:example.org 192.0.2.1 20010203040500 text/dns", b"20010203040500\nexample.org. 60 IN A 192.0.2.7\n"),
    ]
    data = b"".join(b"%b %d\n%b\n" % (line, len(block), block) for line, block in blocks)
    source = tmp_path / "old.arc"
    source.write_bytes(data)
    done = import_archives([source], tmp_path / "crawl")
    (placed,) = done.warcs
    assert placed.name == "old.warc.gz"
    assert (tmp_path / "crawl/sources/old.arc").read_bytes() == data
    assert_valid(tmp_path / "crawl/warcs")
    (row,) = index(tmp_path / "crawl")
    assert (row.at, row.status) == (datetime(2001, 2, 3, 4, 5, 6, tzinfo=UTC), 200)
    page = resources(tmp_path / "crawl")["http://example.org/"]
    assert (page.title, page.size) == ("Barn", len(BARN))


def test_urls_that_are_no_utf8_are_found_and_replayed(tmp_path):
    """They are read as Latin-1, as browsers show them, and found by that in the result, the index and replay."""
    warc = Warc(packed=False)
    warc.response("http://example.org/", BARN)
    warc.response("http://example.org/caf~e~", OWL)
    path = tmp_path / "latin.warc"
    path.write_bytes(warc.stream.getvalue().replace(b"/caf~e~", b"/caf\xe9"))
    crawl = tmp_path / "crawl"
    import_archives([path], crawl)
    url = "http://example.org/caf%C3%A9"
    assert explain(crawl, url)["state"] == "recorded"
    assert [row.status for row in open_index(crawl / "index.cdxj").exact(url)] == [200]
    with opened_holdings(crawl) as holdings, ReplayServer(*holdings.values()) as server:
        answer = server.ask(f"/20200101000000/{url}")
    assert (answer.status, b"Feathers" in answer.body) == (200, True)


def test_broken_records_are_skipped_and_listed(tmp_path):
    """With file, offset and reason; all others are there."""
    good, middle = barns().stream.getvalue(), Warc()
    middle.response("http://example.org/broken", b"x" * 5_000)
    damaged = bytearray(middle.stream.getvalue())
    damaged[60] ^= 0xFF
    begin = len(good)
    last = Warc()
    last.response("http://example.org/late", OWL)
    last.response("http://[bad/", OWL)
    source = tmp_path / "a.warc.gz"
    source.write_bytes(good + bytes(damaged) + last.stream.getvalue() + b"\x00rubbish")
    done = import_archives([source], tmp_path / "crawl")
    assert set(resources(tmp_path / "crawl")) == {
        "http://example.org/", "http://example.org/owl", "http://example.org/owl.png", "http://example.org/late",
    }  # fmt: skip
    offsets = {trouble.offset for trouble in done.troubles}
    assert begin in offsets
    assert begin + len(damaged) + len(last.stream.getvalue()) in offsets
    assert any("is not a URL" in trouble.reason for trouble in done.troubles)
    notes = json.loads((tmp_path / "crawl/import.json").read_text())
    assert notes["skipped"]["total"] == done.skipped == len(notes["skipped"]["listed"])
    assert (tmp_path / "crawl/warcs/a.warc.gz").read_bytes() == source.read_bytes()


def test_folders_are_searched_and_equal_names_told_apart(tmp_path):
    """Two files of one name; a file that is none is left alone in a folder, and refused when it is named."""
    for place, title in (("x", b"<title>x</title>"), ("y", b"<title>y</title>")):
        (tmp_path / "all" / place).mkdir(parents=True)
        warc = Warc()
        warc.response(f"http://example.org/{place}", title)
        warc.save(tmp_path / "all" / place / "same.warc.gz")
    (tmp_path / "all/readme.txt").write_text("hello")
    done = import_archives([tmp_path / "all"], tmp_path / "crawl", link=True)
    assert sorted(each.name for each in done.warcs) == ["same-2.warc.gz", "same.warc.gz"]
    assert len(resources(tmp_path / "crawl")) == 2
    assert (tmp_path / "crawl/warcs/same.warc.gz").samefile(tmp_path / "all/x/same.warc.gz")
    with pytest.raises(NotAnArchive, match=r"readme\.txt"):
        import_archives([tmp_path / "all/readme.txt"], tmp_path / "other")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NothingToImport, match="no archive in this folder"):
        import_archives([tmp_path / "empty"], tmp_path / "other")
    with pytest.raises(Missing, match="no such file"):
        import_archives([tmp_path / "nowhere.warc"], tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_an_archive_without_a_page_makes_no_crawl(tmp_path):
    """The message tells why, as far as it is known."""
    warc = Warc()
    warc.resource("urn:x:1", b"no page", "text/plain")
    with pytest.raises(NothingToImport, match="no capture of a web page"):
        import_archives([warc.save(tmp_path / "a.warc.gz")], tmp_path / "crawl")
    assert [each.name for each in tmp_path.iterdir()] == ["a.warc.gz"]


def test_a_wacz_of_others_names_its_seeds_and_its_faults(tmp_path):
    """The page that it begins with is the seed; a file with another digest is told, and read all the same."""
    wacz = tmp_path / "given.wacz"
    package = {
        "title": "Barns", "mainPageUrl": "http://example.org/owl",
        "resources": [{"path": "archive/a.warc.gz", "hash": "sha256:" + "0" * 64}],
    }  # fmt: skip
    with zipfile.ZipFile(wacz, "w") as made:
        made.writestr("archive/a.warc.gz", barns().stream.getvalue())
        made.writestr("datapackage.json", json.dumps(package))
    outer = tmp_path / "outer.wacz"
    with zipfile.ZipFile(outer, "w") as made:
        made.write(wacz, "inner/given.wacz")
    done = import_archives([outer], tmp_path / "crawl")
    assert (done.resources, [each.name for each in done.warcs]) == (3, ["a.warc.gz"])
    assert any("where sha256:000" in trouble.reason for trouble in done.troubles)
    assert resources(tmp_path / "crawl")["http://example.org/owl"].depth == 0
    assert json.loads((tmp_path / "crawl/plan.json").read_text())["seeds"][0]["url"] == "http://example.org/owl"


def test_what_is_there_stays_and_a_full_disk_leaves_nothing(tmp_path, monkeypatch):
    """The folder appears only when the crawl in it is whole."""
    source = barns().save(tmp_path / "a.warc.gz")
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl/mine").touch()
    with pytest.raises(Conflict, match="there already"):
        import_archives([source], tmp_path / "crawl")

    def full(*_):
        raise NoSpace("the disk is full")

    monkeypatch.setattr(import_archive, "write_result", full)
    with pytest.raises(NoSpace):
        import_archives([source], tmp_path / "late")
    shutil.rmtree(tmp_path / "crawl")
    assert [each.name for each in tmp_path.iterdir()] == ["a.warc.gz"]


def test_a_record_of_any_length_is_taken_over(tmp_path):
    """It is not read for text, but has its size, its digest and its place."""
    warc, body = barns(), bytes(70 << 20)
    warc.response("http://example.org/film", body, kind="video/mp4")
    import_archives([warc.save(tmp_path / "a.warc.gz")], tmp_path / "crawl")
    film = resources(tmp_path / "crawl")["http://example.org/film"]
    assert (film.outcome, film.reason, film.type) == ("fetched", "too large to be read here", "video")
    assert (film.size, film.digest) == (len(body), sha1(body))


@settings(max_examples=8, deadline=None)
@given(
    changes=st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=12),
    packed=st.booleans(),
)
def test_no_damage_brings_an_import_down(tmp_path_factory, changes, packed):
    """Whatever bytes are changed: a crawl with what is whole, or an error of ours and no folder."""
    place = tmp_path_factory.mktemp("damaged")
    data = bytearray(barns(packed=packed).stream.getvalue())
    for at, byte in changes:
        data[at % len(data)] = byte
    source = place / "a.warc.gz"
    source.write_bytes(data)
    try:
        done = import_archives([source], place / "crawl")
    except OpilioError:
        assert [each.name for each in place.iterdir()] == ["a.warc.gz"]
    else:
        assert done.resources == len(resources(place / "crawl"))


def test_a_page_that_is_nested_too_deeply_does_not_stop_an_import(tmp_path):
    """It is read by the helper process, or marked as unparsable."""
    warc = barns()
    warc.response("http://example.org/deep", b"<div>" * 5_000)
    import_archives([warc.save(tmp_path / "a.warc.gz")], tmp_path / "crawl")
    outcomes = Counter(each.outcome for each in resources(tmp_path / "crawl").values())
    assert outcomes["fetched"] >= 3
    assert sum(outcomes.values()) == 4
